// A roll as a card: who, what, against what; its dice, what it waits for, and what came of it.

import { html } from "../app/lib.js";
import { actions, connection, isGM, late, may, numbers, ownDice, pending, shownAs, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { characterName, checkOf, checkTitle, isMine, paramLabel, say, sideName, turnOf, valueWord } from "../app/format.js";
import { isGoal } from "../app/rollDraft.js";
import { FaultAt } from "../ui/error.js";
import { Dice } from "../ui/dice.js";
import { Decision, sidesOf, Throw } from "./decision.js";
import { Outcome } from "./outcome.js";
import { Breakdown } from "./breakdown.js";
import { ModeBadge } from "./visibility.js";
import { CardMenu } from "./rollMenu.js";
import { DeedLine } from "../fight/actionContext.js";
import { Follows } from "../fight/damage.js";
import { whoMayStepIn } from "../fight/state.js";
import { settled } from "../app/inbox.js";

/** What is rolled against, in words; what is hidden from a seat is not there. */
export function against(roll) {
  const { check, parameters } = roll.asked;
  const params = (checkOf(check)?.parameters ?? []).filter((one) =>
    isGoal(checkOf(check), one));
  const said = params.filter((one) => parameters[one.name] !== undefined && parameters[one.name] !== null)
    .map((one) => `${paramLabel(check, one.name)} ${valueWord(check, one.name, parameters[one.name])}`);
  return said.join(", ");
}

/** What is rolled: a title, or the names of what stands on the sheet. */
export function rolledWhat(roll) {
  if (roll.title) return roll.title;
  const named = (roll.lines ?? []).filter((line) => line.on && line.by === "sheet"
    && /^(attributes|skills)\./.test(line.source));
  const words = [...new Set(named.map((line) => say(line.words, line.says)))];
  return words.length && words.length < 5 ? words.join(" + ") : checkTitle(roll.asked.check);
}

/** Whose roll it is; of a contest, its sides. */
export const who = (roll) => {
  if (roll.parts?.length) return versus(roll.asked.check, roll.parts.map((_, at) => sideName(roll, at + 1)));
  const names = [...new Set((roll.as ?? []).filter(Boolean).map(characterName))];
  return names.length ? `${names.join(", ")} (${roll.roller})` : roll.roller;
};

/** Names of sides in one line, joined by the game's own word. */
export const versus = (check, names) =>
  names.join(` ${t(`contest.${checkOf(check)?.sides?.word ?? "vs"}`)} `);

export function RollCard({ roll, nested = false }) {
  const open = roll.phase !== "finalised" && roll.phase !== "cancelled" && roll.phase !== "rolled";
  const Heading = nested ? "h4" : "h3";
  if (!roll.asked) return html`<${Presence} roll=${roll} nested=${nested} />`;
  const target = against(roll);
  const unsent = [...pending.value.values()].some((one) => one.data.roll === roll.roll);
  return html`
    <article class=${`card ${open ? "open" : ""} ${nested ? "nested" : ""}`} id=${`card-${roll.roll}`} tabindex="-1"
      aria-label=${t("roll.label", { who: who(roll), what: rolledWhat(roll) })}>
      <header>
        <div><${Heading}>${rolledWhat(roll)}</${Heading}>
          <p class="by">${who(roll)} · ${checkTitle(roll.asked.check)}${target
            ? html` · ${t("roll.against")} <strong>${target}</strong>` : ""}
            ${roll.hidden?.length > 0 && html` · <span class="badge">◐ ${isGM.value ? t("roll.hides", {
              what: roll.hidden.map((one) => paramLabel(roll.asked.check, one)).join(", ") })
                : t("roll.hidden")}</span>`}</p><${DeedLine} roll=${roll} /></div>
        <div class="badges">${unsent && (connection.value !== "open" || late.value)
          && html`<span class="badge">${t("table.not_sent")}</span>`}<${ModeBadge} roll=${roll} /><span class="number"
            title=${roll.roll}>#${numbers.value.get(roll.roll) ?? "–"}</span></div>
      </header>
      <${Body} roll=${roll} brief=${nested && !open} />
      <${FaultAt} place=${roll.roll} />
    </article>`;
}

/** The dice that a roll shows: a contest those beyond its sides, which show their own. */
export function ownDiceOf(roll) {
  const taken = (roll.parts ?? []).map((one) => rollOf(one.roll)?.dice?.length ?? 0);
  return (roll.dice ?? []).slice(taken.reduce((sum, one) => sum + one, 0));
}

/** Everything below the head; a side of a contest in brief. */
export function Body({ roll, brief = false }) {
  const { question } = roll;
  const choosing = question?.decision && question.dice;
  const own = ownDiceOf(roll);
  return html`
    ${roll.parts?.length > 0 && question?.throw && html`<p>${t("contest.again")}</p>`}
    ${own.length > 0 && !choosing && html`<${AllDice} roll=${roll} dice=${own} />`}
    ${question && html`<${Next} roll=${roll} />`}
    ${roll.phase === "cancelled" && html`<p class="muted">${t("roll.cancelled")}</p>`}
    ${roll.phase === "rolled" && html`<p class="muted">◐ ${t("roll.rolled_blind")}</p>`}
    ${roll.outcome && html`<${Outcome} roll=${roll} brief=${brief} />`}
    <${Finish} roll=${roll} />
    <${Follows} roll=${roll} />
    ${may("undo", roll.roll) && html`<div><button type="button" class="ghost"
      onClick=${() => act("undo", { roll: roll.roll }, roll.roll)}>↶ ${t("do.undo")}</button></div>`}
    ${shownAs.value === "table" && html`<div class="foot"><${Breakdown} roll=${roll} />
      ${(actions(roll.roll).length > 0 || roll.commitment) && html`<${CardMenu} roll=${roll} />`}</div>`}`;
}

/** The end of a roll; in a fight the GM tells the result, and somebody may step in before. */
function Finish({ roll }) {
  const action = may("finalise", roll.roll);
  if (!action) {
    return roll.phase === "decided" && roll.deed ? html`<p class="waits">${t("roll.gm_tells")}</p>` : null;
  }
  const others = action.tells ? whoMayStepIn(roll.roll) : [];
  return html`
    ${others.length > 0 && html`<p class="waits">${t("roll.may_step_in", { who: others.join(", ") })}</p>`}
    <div class="options"><button type="button" class="primary" onClick=${() =>
      act("finalise", { roll: roll.roll }, roll.roll)}>${t(action.tells ? "roll.tell" : "roll.finalise")}</button></div>`;
}

/** What comes next; where it is somebody else's, the GM may still do it for them. */
function Next({ roll }) {
  const { question } = roll;
  const body = question.throw
    ? html`<${Throw} key=${`throw${roll.dice?.length}`} roll=${roll} own=${ownDice.has(roll.roll)} />`
    : html`<${Decision} key=${`ask${roll.decisions.length}`} roll=${roll} />`;
  if (settled.value.has(roll.roll)) return html`<p class="muted">${t("contest.settled")}</p>`;
  const offered = may("throw", roll.roll) ?? may("answer", roll.roll);
  if (!offered || isMine(roll) || shownAs.value === "middle") return body; // whoever threw stands at the screen
  return html`
    ${question.decision && question.dice && html`<${AllDice} roll=${roll} dice=${roll.dice} />`}
    <p class="waits">${t("roll.waits_for", { who: turnOf(roll) })}</p>
    <details><summary>${t("roll.instead", { who: turnOf(roll) })}</summary>${body}</details>`;
}

/** Dice of several sides stand in rows of their own. */
export function AllDice({ roll, dice }) {
  const sides = [...new Set(dice.map((die) => die.side ?? 0))];
  return sides.map((side) => html`
    <div key=${side} class="side">
      ${roll.parts?.length > 0 && html`<p class="small muted">${sideName(roll, side)}</p>`}
      <${Dice} dice=${dice.filter((die) => (die.side ?? 0) === side)} sides=${sidesOf(roll)} />
    </div>`);
}

/** Somebody rolls; more is not told. */
function Presence({ roll, nested }) {
  return html`
    <article class=${`card presence ${nested ? "nested" : ""}`} id=${`card-${roll.roll}`} tabindex="-1">
      <header><div><p><span aria-hidden="true">◐</span> ${t("roll.presence", { who: roll.roller })}</p></div>
        <div class="badges"><span class="number">#${numbers.value.get(roll.roll) ?? "–"}</span></div></header>
    </article>`;
}

export const rollOf = (name) => view.value.rolls.find((one) => one.roll === name);
