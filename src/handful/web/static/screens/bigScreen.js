// The big screen, readable from across the room: whose turn it is, the latest roll or contest large,
// earlier ones small. It is read-only.

import { html } from "../app/lib.js";
import { lines, view } from "../app/state.js";
import { t, tn } from "../app/i18n.js";
import { characterName, checkTitle, roleName, nextRoller } from "../app/format.js";
import { against, AllDice, ownDiceOf, rolledWhat, rollOf, versus, who } from "../table/rollCard.js";
import { entries } from "../table/feed.js";
import { standing, whose, pips } from "../fight/bar.js";
import { Handful } from "../ui/dice.js";
import { Need } from "../table/need.js";
import { Outcome } from "../table/outcome.js";

const MAX_EARLIER = 4; // earlier rolls beside the latest one

/** Log number of the last event of each roll. */
function lastChanges() {
  const found = new Map();
  for (const { n, data } of lines.value) for (const name of [data.roll, data.contest]) if (name) found.set(name, n);
  return found;
}

/** Rolls and contests, most recently changed first; a contest changes with its sides. */
function latest() {
  const when = lastChanges();
  /** @param {import("../table/feed.js").FeedEntry} entry */
  const moved = ({ key, contest, roll }) => Math.max(0, ...[key, ...(contest?.sides ?? roll?.parts ?? [])
    .map((side) => side.roll)].map((name) => when.get(name) ?? 0));
  return entries().filter((one) => !one.request && one.roll?.phase !== "cancelled")
    .sort((one, other) => moved(other) - moved(one));
}

export function BigScreen() {
  const [first, ...others] = latest();
  const { fight } = view.value;
  return html`
    <main class="bigscreen felt">
      ${fight && html`<${Order} fight=${fight} />`}
      <section class="latest" aria-label=${t("big.latest")}>
        ${first ? html`<${Shown} key=${first.key} one=${first} />` : html`<p class="empty">${t("feed.empty")}</p>`}
      </section>
      ${others.length > 0 && html`<section class="before" aria-label=${t("big.before")}>
        <h2>${t("big.before")}</h2>
        ${others.slice(0, MAX_EARLIER).map((one) => html`<${Shown} key=${one.key} one=${one} brief=${true} />`)}
      </section>`}
    </main>`;
}

/** The combatants in turn order. */
function Order({ fight }) {
  return html`
    <section class="fighting" aria-label=${t("act.fight")}>
      <h2>${t("fight.round", { n: fight.round })} · ${whose(fight)}</h2>
      <ol>${fight.order.map((place) => {
        const [sign, says] = standing(place, fight);
        const turn = fight.turn.includes(place.combatant);
        return html`<li key=${place.combatant} class=${turn ? "turn" : ""} aria-current=${turn ? "true" : null}>
          <span aria-hidden="true">${sign}</span> <span class="hidden">${says}: </span>${place.name}
          ${place.actions > 0 && html` <span class="pips" aria-hidden="true">${pips(place)}</span>
            <span class="hidden">, ${tn("fight.actions", place.actions, { left: place.left })}</span>`}</li>`;
      })}</ol>
    </section>`;
}

function Shown({ one, brief = false }) {
  const { contest, roll } = one;
  if (contest || roll.parts?.length) return html`<${Compared} ...${{ contest, roll, brief }} />`;
  return html`<${Rolled} roll=${roll} brief=${brief} Heading=${brief ? "h3" : "h2"} />`;
}

/** A roll: roller, check, dice, and its outcome or the seat it waits for. */
function Rolled({ roll, brief, Heading }) {
  if (!roll.asked) return html`<article><p>◐ ${t("roll.presence", { who: roll.roller })}</p></article>`;
  const target = against(roll);
  const what = rolledWhat(roll);
  const titles = [who(roll), target && `${t("roll.against")} ${target}`].filter(Boolean);
  return html`
    <article aria-label=${t("roll.label", { who: who(roll), what })}>
      <${Heading}>${what}</${Heading}>
      <p class="by">${titles.join(" · ")}</p>
      ${!brief && html`<${Lying} roll=${roll} />`}
      ${roll.outcome ? html`<${Outcome} roll=${roll} brief=${brief} />` : html`<${Waits} roll=${roll} />`}
    </article>`;
}

/** The dice on the table, or those still in the hand, and how far they are from the goal. */
function Lying({ roll }) {
  const dice = ownDiceOf(roll);
  const due = !dice.length && roll.question?.throw ? roll.question.due : 0;
  if (due) return html`<${Handful} count=${due} role=${roll.question.role} />`;
  return dice.length > 0 && html`<${AllDice} roll=${roll} dice=${dice} /><${Need} roll=${roll} dice=${dice} />`;
}

function Waits({ roll }) {
  if (roll.phase === "rolled") return html`<p class="waits">◐ ${t("roll.rolled_blind")}</p>`;
  if (!roll.question) return html`<p class="waits">${t(`phase.${roll.phase}`)}</p>`;
  const name = roll.question.by === "gm" ? roleName("gm") : nextRoller(roll);
  return html`<p class="waits">${t("roll.waits_for", { who: name })}</p>`;
}

/** A contest: its sides next to each other, and the winner. */
function Compared({ contest, roll, brief }) {
  const check = roll?.asked?.check ?? contest?.check;
  const sides = contest?.sides ?? roll.parts.map((one) => ({ name: one.roller, roll: one.roll }));
  const title = versus(check, sides.map(({ name, roll: own }) => {
    const [as] = (own && rollOf(own)?.as) || [];
    return as ? characterName(as) : name;
  }));
  return html`
    <article aria-label=${t("roll.label", { who: title, what: check ? checkTitle(check) : t("contest.somebody") })}>
      ${brief ? html`<h3>${title}</h3>` : html`<h2>${title}</h2>`}
      <p class="by">${check ? checkTitle(check) : t("contest.somebody")}</p>
      ${roll?.outcome && html`<${Outcome} roll=${roll} brief=${brief} />`}
      ${roll && !roll.outcome && html`<${Waits} roll=${roll} />`}
      ${!brief && roll && html`<${Lying} roll=${roll} />`}
      ${!brief && html`<div class="sides">${sides.map((side, at) => {
        const own = side.roll && rollOf(side.roll);
        return own ? html`<${Rolled} key=${at} roll=${own} Heading="h3" />`
          : html`<p key=${at}><strong>${side.name}</strong> ${t("phase.asked")}</p>`;
      })}</div>`}
    </article>`;
}
