// The card of a contest: sides, who has to roll, outcome.

import { computed, html } from "../app/lib.js";
import { may, firstLogNumbers, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { characterName, checkTitle } from "../app/format.js";
import { Body, RollCard, rolledWhat, rollOf, versus, who as whoOf } from "./rollCard.js";
import { FaultAt } from "../ui/fault.js";
import { ModeBadge } from "./visibility.js";
import { outcomeText } from "./outcome.js";
import { inWords } from "./requestCard.js";

/** The newest contest a roll is part of: that one shows its card, others only name it. */
const homes = computed(() => {
  const when = (id) => firstLogNumbers.value.get(id) ?? 0;
  const found = new Map();
  const all = [...view.value.contests.map((one) => [one.contest, one.sides]),
    ...view.value.rolls.filter((one) => one.parts?.length).map((one) => [one.roll, one.parts])];
  for (const [id, sides] of all.sort(([one], [other]) => when(one) - when(other))) {
    for (const { roll } of sides) if (roll) found.set(roll, id);
  }
  return found;
});

/** @param {{contest?: object, roll?: object}} props an open contest, or the roll it became */
export function ContestCard({ contest, roll }) {
  const id = contest?.contest ?? roll.roll;
  const check = roll?.asked.check ?? contest.check;
  const sides = contest?.sides ?? roll.parts.map((one) => ({ name: one.roller, roll: one.roll }));
  const parameters = roll ? {} : contest.parameters ?? {};
  const who = versus(check, sides.map(nameOf));
  const what = check ? checkTitle(check) : t("contest.somebody");
  return html`
    <article class=${`card contest ${roll?.phase === "finalised" ? "" : "open"}`} id=${`card-${id}`} tabindex="-1"
      aria-label=${t("roll.label", { who, what })}>
      <header>
        <div><h3>${what}</h3>
          <p class="by">${who}
            ${Object.keys(parameters).length > 0 && html` · ${inWords(check, parameters)}`}</p></div>
        <div class="badges">${roll && html`<${ModeBadge} roll=${roll} />`}
          <span class="number">#${firstLogNumbers.value.get(id) ?? "–"}</span></div>
      </header>
      ${contest && !roll && contest.waits_for.length > 0
        && html`<p class="waits">${t("roll.waits_for", { who: contest.waits_for.join(", ") })}</p>`}
      ${roll && html`<${Body} roll=${roll} />`}
      <div class="sides">
        ${sides.map((one, at) => html`<${Side} key=${at} side=${one} contest=${id} />`)}
      </div>
      <${FaultAt} place=${id} />
      ${may("call_off", id) && html`<div><button type="button" class="ghost"
        onClick=${() => act("call_off", { contest: id }, id)}>${t("contest.call_off")}</button></div>`}
    </article>`;
}

const nameOf = (side) => {
  const [as] = (side.roll && rollOf(side.roll)?.as) || [];
  return as ? characterName(as) : side.name;
};

function Side({ side, contest }) {
  const roll = side.roll && rollOf(side.roll);
  if (roll && homes.value.get(side.roll) !== contest) {
    return html`<p class="box"><a href=${`#card-${side.roll}`}>${roll.asked ? `${whoOf(roll)}: ${rolledWhat(roll)}`
      : side.name}</a> <span class="muted">${outcomeText(roll)}</span></p>`;
  }
  if (roll) return html`<${RollCard} roll=${roll} nested=${true} />`;
  return html`<p class="box muted"><strong>${side.name}</strong> ${t("phase.asked")}</p>`;
}
