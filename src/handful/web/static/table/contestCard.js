// The card of a contest: sides, who has to roll, outcome.

import { computed, html } from "../app/lib.js";
import { isGM, may, firstLogNumbers, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t, tn } from "../app/i18n.js";
import { characterName, checkTitle, localize } from "../app/format.js";
import { Body, RollCard, rolledWhat, rollOf, versus, who as whoOf } from "./rollCard.js";
import { FaultAt } from "../ui/fault.js";
import { ModeBadge } from "./visibility.js";
import { outcomeText } from "./outcome.js";
import { Asked, askedBy, inWords, Proposal, rollAsked } from "./requestCard.js";

/** The newest contest a roll is part of: that one shows its card, others only name it. */
const homes = computed(() => {
  const when = (id) => firstLogNumbers.value.get(id) ?? 0;
  const found = new Map();
  const all = /** @type {[string, {roll: string}[]][]} */ ([...view.value.contests.map((one) => [one.contest, one.sides]),
    ...view.value.rolls.filter((one) => one.parts?.length).map((one) => [one.roll, one.parts])]);
  for (const [id, sides] of all.sort(([one], [other]) => when(one) - when(other))) {
    for (const { roll } of sides) if (roll) found.set(roll, id);
  }
  return found;
});

/** @param {{contest?: any, roll?: any}} props an open contest, or the roll it became */
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
          ${roll && html`<span class="number">#${roll.label}</span>`}</div>
      </header>
      ${contest && !roll && html`<${Owed} contest=${contest} sides=${sides} />`}
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

/** The request for a side's roll. Players are not told which it is: it is the last one before the contest that asks them. */
function requestOf(side, contest) {
  const { requests, seat } = view.value;
  if (side.roll) return undefined;
  if (side.request) return requests.find((one) => one.request === side.request);
  const when = (id) => firstLogNumbers.value.get(id) ?? 0;
  return side.name !== seat || isGM.value ? undefined : requests.findLast((one) => one.open && !one.called && one.to.includes(seat)
    && !one.rolls[seat] && when(one.request) < when(contest));
}

/** Requests that the card of a contest shows: nobody else was asked. */
export function contestedRequests() {
  const found = view.value.contests.flatMap((contest) => contest.sides.flatMap((side) => {
    const request = requestOf(side, contest.contest);
    return request ? [{ name: side.name, request }] : [];
  }));
  const isHere = (request, name) => request.rolls[name] || found.some((one) => one.request === request && one.name === name);
  return new Set(found.filter(({ request }) => !isGM.value || request.to.every((name) => isHere(request, name)))
    .map(({ request }) => request.request));
}

/** What each side still owes before the contest is decided. */
function Owed({ contest, sides }) {
  const open = sides.filter((one) => contest.waits_for.includes(one.name) && one.phase !== "finalised");
  if (!open.length) return null;
  return html`<ul class="owes" aria-label=${t("contest.owes")}>${open.map((one, at) => html`
    <li key=${at}><strong>${nameOf(one)}</strong>: ${owes(one)}</li>`)}</ul>`;
}

function owes(side) {
  const question = (side.roll && rollOf(side.roll)?.question) || null;
  if (question?.throw) return tn("contest.owes_throw", question.due);
  if (question?.decision) return localize(question.question) || t("contest.owes_decision");
  return t(side.roll ? "contest.owes_end" : "contest.owes_roll");
}

/** A side that was asked for its roll: one click where nothing is left open. */
function AskedSide({ side, request }) {
  const mine = side.name === view.value.seat && !isGM.value;
  const offered = mine && may("propose", request.request);
  return html`
    <article class=${offered ? "box stack yours" : "box stack"} id=${`card-${request.request}`} tabindex="-1"
      aria-label=${t("roll.label", { who: askedBy(request), what: request.title || checkTitle(request.check) })}>
      <p><strong>${side.name}</strong> <span class="muted">${request.title || checkTitle(request.check)}</span></p>
      ${offered?.at_once ? html`
        <div><button type="button" class="primary big" onClick=${() => rollAsked(request, ownAs(request))}>${t("panel.roll")}</button></div>
        <details class="small"><summary>${t("contest.otherwise")}</summary><${Proposal} request=${request} name=${side.name} /></details>`
        : offered ? html`<${Proposal} request=${request} name=${side.name} />`
          : isGM.value ? html`<ul class="seatlist"><${Asked} request=${request} name=${side.name} /></ul>`
            : html`<p class="muted">${t("phase.asked")}</p>`}
      <${FaultAt} place=${request.request} />
    </article>`;
}

/** The character with which this seat answers: the one that was named, or its own. */
function ownAs(request) {
  const as = request.as[view.value.seat] ?? view.value.characters.find((one) => one.owner === view.value.seat && one.sheet)?.character;
  return as ? { as } : {};
}

function Side({ side, contest }) {
  const roll = side.roll && rollOf(side.roll);
  if (roll && homes.value.get(side.roll) !== contest) {
    return html`<p class="box"><a href=${`#card-${side.roll}`}>${roll.asked ? `${whoOf(roll)}: ${rolledWhat(roll)}`
      : side.name}</a> <span class="muted">${outcomeText(roll)}</span></p>`;
  }
  if (roll) return html`<${RollCard} roll=${roll} nested=${true} />`;
  const request = requestOf(side, contest);
  if (request) return html`<${AskedSide} side=${side} request=${request} />`;
  return html`<p class="box muted"><strong>${side.name}</strong> ${t("phase.asked")}</p>`;
}
