// The card of a roll: roller, check, target, dice, open question and outcome.

import { html } from "../app/lib.js";
import { actions, connection, isGM, isLate, may, firstLogNumbers, ownDice, pending, currentView, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { characterName, checkOf, checkTitle, formatNumber, isMyMove, nextRoller, parameterText, paramLabel, sheetWord, sideName, wordFor } from "../app/format.js";
import { isTarget } from "../app/rollDraft.js";
import { FaultAt } from "../ui/fault.js";
import { Dice } from "../ui/dice.js";
import { Decision, sidesOf, Throw } from "./decision.js";
import { Outcome } from "./outcome.js";
import { Breakdown } from "./breakdown.js";
import { ModeBadge } from "./visibility.js";
import { RollMenu } from "./rollMenu.js";
import { ActionLine } from "../fight/actionContext.js";
import { DamagePanel } from "../fight/damage.js";
import { possibleReactors } from "../fight/state.js";
import { decidedSides } from "../app/inbox.js";

/** The target in words; hidden parameters are absent from the view. */
export function against(roll) {
  const { check, parameters } = roll.asked;
  const params = (checkOf(check)?.parameters ?? []).filter((one) =>
    isTarget(checkOf(check), one));
  const said = params.filter((one) => parameters[one.name] !== undefined && parameters[one.name] !== null)
    .map((one) => targetText(check, one, parameters[one.name]));
  return said.join(", ");
}

/** A target with its unit, "2 successes", or with its name, "Difficulty 11". */
const targetText = (check, param, value) => (param.unit && Number.isInteger(value)
  ? `${formatNumber(value)} ${wordFor(param.unit, value)}`
  : parameterText(check, param.name, value, " "));

/** A roll's title: its own, or the names picked from the sheet. */
export function rolledWhat(roll) {
  if (roll.title) return roll.title;
  const named = (roll.lines ?? []).filter((line) => line.on && line.by === "sheet"
    && /^(attributes|skills)\./.test(line.source));
  const words = [...new Set(named.map((line) => sheetWord(line.source.slice(line.source.indexOf(".") + 1))))];
  return words.length && words.length < 5 ? words.join(" + ") : checkTitle(roll.asked.check);
}

/** The roller's name; for a contest, its sides. */
export const who = (roll) => {
  if (roll.parts?.length) return versus(roll.asked.check, roll.parts.map((_, at) => sideName(roll, at + 1)));
  const names = [...new Set((roll.as ?? []).filter(Boolean).map(characterName))];
  return names.length ? `${names.join(", ")} (${roll.roller})` : roll.roller;
};

/** Names of sides on one line, joined by the game's word for "vs". */
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
                : t("roll.hidden")}</span>`}</p><${ActionLine} roll=${roll} /></div>
        <div class="badges">${unsent && (connection.value !== "open" || isLate.value)
          && html`<span class="badge">${t("table.not_sent")}</span>`}<${ModeBadge} roll=${roll} /><span class="number"
            title=${roll.roll}>#${firstLogNumbers.value.get(roll.roll) ?? "–"}</span></div>
      </header>
      <${Body} roll=${roll} brief=${nested && !open} />
      <${FaultAt} place=${roll.roll} />
    </article>`;
}

/** The dice to show; a contest leaves out those of its sides, which have their own cards. */
export function ownDiceOf(roll) {
  const taken = (roll.parts ?? []).map((one) => rollOf(one.roll)?.dice?.length ?? 0);
  return (roll.dice ?? []).slice(taken.reduce((sum, one) => sum + one, 0));
}

/** Everything below the header; short for a side of a contest. */
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
    <${DamagePanel} roll=${roll} />
    ${may("undo", roll.roll) && html`<div><button type="button" class="ghost"
      onClick=${() => act("undo", { roll: roll.roll }, roll.roll)}>↶ ${t("do.undo")}</button></div>`}
    ${currentView.value === "table" && html`<div class="foot"><${Breakdown} roll=${roll} />
      ${(actions(roll.roll).length > 0 || roll.commitment) && html`<${RollMenu} roll=${roll} />`}</div>`}`;
}

/** Finishing a roll; in a fight the GM reveals the result, and others may react first. */
function Finish({ roll }) {
  const action = may("finalise", roll.roll);
  if (!action) {
    return roll.phase === "decided" && roll.deed ? html`<p class="waits">${t("roll.gm_tells")}</p>` : null;
  }
  const others = action.tells ? possibleReactors(roll.roll) : [];
  return html`
    ${others.length > 0 && html`<p class="waits">${t("roll.may_step_in", { who: others.join(", ") })}</p>`}
    <div class="options"><button type="button" class="primary" onClick=${() =>
      act("finalise", { roll: roll.roll }, roll.roll)}>${t(action.tells ? "roll.tell" : "roll.finalise")}</button></div>`;
}

/** The next step; for another seat's roll the GM may take it for them. */
function Next({ roll }) {
  const { question } = roll;
  const body = question.throw
    ? html`<${Throw} key=${`throw${roll.dice?.length}`} roll=${roll} own=${ownDice.has(roll.roll)} />`
    : html`<${Decision} key=${`ask${roll.decisions.length}`} roll=${roll} />`;
  if (decidedSides.value.has(roll.roll)) return html`<p class="muted">${t("contest.settled")}</p>`;
  const offered = may("throw", roll.roll) ?? may("answer", roll.roll);
  if (!offered || isMyMove(roll) || currentView.value === "middle") return body; // everyone shares the tablet
  return html`
    ${question.decision && question.dice && html`<${AllDice} roll=${roll} dice=${roll.dice} />`}
    <p class="waits">${t("roll.waits_for", { who: nextRoller(roll) })}</p>
    <details><summary>${t("roll.instead", { who: nextRoller(roll) })}</summary>${body}</details>`;
}

/** One row of dice per side. */
export function AllDice({ roll, dice }) {
  const sides = [...new Set(dice.map((die) => die.side ?? 0))];
  return sides.map((side) => html`
    <div key=${side} class="side">
      ${roll.parts?.length > 0 && html`<p class="small muted">${sideName(roll, side)}</p>`}
      <${Dice} dice=${dice.filter((die) => (die.side ?? 0) === side)} sides=${sidesOf(roll)} />
      <${Claim} dice=${dice.filter((die) => (die.side ?? 0) === side)} />
    </div>`);
}

/** Physical dice are a claim: the seats that typed them. */
function Claim({ dice }) {
  const typed = [...new Set(dice.filter((die) => die.physical).map((die) => die.by))];
  return typed.length > 0 && html`<p class="small muted">${t("dice.typed_by", { who: typed.join(", ") })}</p>`;
}

/** Placeholder for a roll of which this seat knows only the roller. */
function Presence({ roll, nested }) {
  return html`
    <article class=${`card presence ${nested ? "nested" : ""}`} id=${`card-${roll.roll}`} tabindex="-1">
      <header><div><p><span aria-hidden="true">◐</span> ${t("roll.presence", { who: roll.roller })}</p></div>
        <div class="badges"><span class="number">#${firstLogNumbers.value.get(roll.roll) ?? "–"}</span></div></header>
    </article>`;
}

export const rollOf = (name) => view.value.rolls.find((one) => one.roll === name);
