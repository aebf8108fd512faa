// A contest as one card: its sides, for whom it waits, and what came of it.

import { html } from "../lib.js";
import { may, numbers } from "../state.js";
import { act } from "../wire.js";
import { t } from "../texts.js";
import { characterName, checkTitle } from "../words.js";
import { Body, RollCard, rollOf, versus } from "./card.js";
import { FaultAt } from "./fault.js";
import { ModeBadge } from "./mode.js";
import { inWords } from "./request.js";

/** @param {{contest?: object, roll?: object}} props a contest that was opened, or the roll that it became */
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
          <span class="number">#${numbers.value.get(id) ?? "–"}</span></div>
      </header>
      ${contest && !roll && contest.waits_for.length > 0
        && html`<p class="waits">${t("roll.waits_for", { who: contest.waits_for.join(", ") })}</p>`}
      ${roll && html`<${Body} roll=${roll} />`}
      <div class="sides">
        ${sides.map((one, at) => html`<${Side} key=${at} side=${one} />`)}
      </div>
      <${FaultAt} place=${id} />
      ${may("call_off", id) && html`<div><button type="button" class="quiet"
        onClick=${() => act("call_off", { contest: id }, id)}>${t("contest.call_off")}</button></div>`}
    </article>`;
}

const nameOf = (side) => {
  const [as] = (side.roll && rollOf(side.roll)?.as) || [];
  return as ? characterName(as) : side.name;
};

function Side({ side }) {
  const roll = side.roll && rollOf(side.roll);
  if (roll) return html`<${RollCard} roll=${roll} nested=${true} />`;
  return html`<p class="box muted"><strong>${side.name}</strong> ${t("phase.asked")}</p>`;
}
