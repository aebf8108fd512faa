// The card of a roll: roller, check, target, dice, open question and outcome.

import { html } from "../app/lib.js";
import { actions, connection, isGM, isLate, may, firstLogTimes, olderRolls, ownDice, pending, currentView, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { formatTime, t } from "../app/i18n.js";
import { characterName, characterOf, checkOf, checkTitle, formatNumber, isMyMove, nextRoller, parameterText, paramLabel, sheetWord, sideName, wordFor } from "../app/format.js";
import { isTarget } from "../app/rollDraft.js";
import { FaultAt } from "../ui/fault.js";
import { Dice, Handful } from "../ui/dice.js";
import { icon } from "../ui/icons.js";
import { RollFace } from "./face.js";
import { Decision, sidesOf, Throw } from "./decision.js";
import { Outcome } from "./outcome.js";
import { Breakdown } from "./breakdown.js";
import { ModeBadge } from "./visibility.js";
import { lazy } from "../ui/lazy.js";
import { ActionLine } from "../fight/actionContext.js";
import { DamagePanel } from "../fight/damage.js";
import { possibleReactors } from "../fight/state.js";
import { decidedSides, waitsForMe } from "../app/inbox.js";
import { Need, Tally } from "./need.js";
import { canRepeat, rollAgain } from "./again.js";
import { isOpened, isOld, fold } from "./folding.js";
import { Notes } from "../chat/notes.js";

const RollActions = lazy(() => import("./rollMenu.js").then((one) => one.RollActions));

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

/** The name on a roll's card: its character, else its roller. */
export const actorOf = (roll) => (roll.as ?? []).filter(Boolean).map(characterName)[0] ?? roll.roller;

/** When a roll, request or contest began, and its label, which is the same at every seat. */
export function Stamp({ name, label = "" }) {
  const time = firstLogTimes.value.get(name);
  return html`<span class="number" title=${name}>${time && html`<time datetime=${time}>${formatTime(time)}</time> `}${label && `#${label}`}</span>`;
}

export function RollCard({ roll, nested = false }) {
  const open = roll.phase !== "finalised" && roll.phase !== "cancelled" && roll.phase !== "rolled";
  const Heading = nested ? "h4" : "h3";
  if (!roll.asked) return html`<${Presence} roll=${roll} nested=${nested} />`;
  const target = against(roll);
  const unsent = [...pending.value.values()].some((one) => one.data.roll === roll.roll);
  const state = [open && "open", nested && "nested", waitsForMe(roll.roll) && "yours", (roll.modes ?? []).some((mode) => mode !== "public") && "veiled"];
  return html`
    <article class=${`card roll ${state.filter(Boolean).join(" ")}`} id=${`card-${roll.roll}`} tabindex="-1"
      aria-label=${t("roll.label", { who: who(roll), what: rolledWhat(roll) })}>
      <header>
        <${RollFace} roll=${roll} size=${nested ? "s" : ""} />
        <div><${Heading}>${rolledWhat(roll)}</${Heading}>
          <p class="by">${who(roll)} · ${checkTitle(roll.asked.check)}${target
            ? html` · ${t("roll.against")} <strong>${target}</strong>` : ""}
            ${roll.hidden?.length > 0 && html` · <span class="badge veil">${isGM.value ? t("roll.hides", {
              what: roll.hidden.map((one) => paramLabel(roll.asked.check, one)).join(", ") })
                : t("roll.hidden")}</span>`}</p><${ActionLine} roll=${roll} /></div>
        <div class="badges">${unsent && (connection.value !== "open" || isLate.value)
          && html`<span class="badge">${t("table.not_sent")}</span>`}<${ModeBadge} roll=${roll} /><${Stamp} name=${roll.roll} label=${roll.label} /></div>
      </header>
      <${Body} roll=${roll} brief=${nested && !open} />
      <${FaultAt} place=${roll.roll} />
    </article>`;
}

/** True if a roll is a foe's: a character that is nobody's own. */
export const isFoe = (roll) => (roll.as ?? []).some((one) => one && characterOf(one)?.kind === "npc");

/** The dice to show; a contest leaves out those of its sides, which have their own cards. */
export function ownDiceOf(roll) {
  const taken = (roll.parts ?? []).map((one) => rollOf(one.roll)?.dice?.length ?? 0);
  return (roll.dice ?? []).slice(taken.reduce((sum, one) => sum + one, 0));
}

/** Everything below the header; short for a side of a contest. */
export function Body({ roll, brief = false }) {
  const { question } = roll;
  const choosing = question?.decision && question.dice && !decidedSides.value.has(roll.roll);
  const own = ownDiceOf(roll);
  return html`
    ${roll.parts?.length > 0 && question?.throw && html`<p>${t("contest.again")}</p>`}
    ${!choosing && html`<${Tray} roll=${roll} dice=${own} />`}
    ${roll.phase === "rolled" && html`<p class="waits">${icon("veil")} ${t("roll.rolled_blind")}</p>`}
    ${roll.outcome && html`<${Outcome} roll=${roll} brief=${brief} known=${isOpened(roll.roll)} />`}
    ${question && html`<${Next} roll=${roll} />`}
    ${roll.phase === "cancelled" && html`<p class="muted">${t("roll.cancelled")}</p>`}
    <${Notes} notes=${roll.notes} />
    <${Finish} roll=${roll} />
    <${DamagePanel} roll=${roll} />
    ${currentView.value === "table" && html`<${Foot} roll=${roll} />`}`;
}

/** The felt with the dice: those that lie there, or those still in the hand. */
function Tray({ roll, dice }) {
  const due = !dice.length && roll.question?.throw ? roll.question.due : 0;
  if (!dice.length && !due) return null;
  return html`
    <div class="tray">
      <div class="fall">
        ${due ? html`<${Handful} count=${due} role=${roll.question.role} />` : html`<div class="thrown"><${AllDice} roll=${roll} dice=${dice} /></div>`}
        <${Tally} roll=${roll} dice=${dice} />
      </div>
      ${dice.length > 0 && html`<${Need} roll=${roll} dice=${dice} />`}
    </div>`;
}

/** Breakdown, further actions, again, and back to a line. */
function Foot({ roll }) {
  const undo = may("undo", roll.roll);
  const again = roll.phase === "finalised" && may("declare") && canRepeat(roll.roll);
  return html`
    <div class="foot"><${Breakdown} roll=${roll} />
      ${(actions(roll.roll).length > 0 || roll.commitment) && html`<details class="menu"><summary>${t("roll.more")}</summary><${RollActions} roll=${roll} /></details>`}
      ${undo && html`<button type="button" class="ghost" onClick=${() => act("undo", { roll: roll.roll }, roll.roll)}>↶ ${t("do.undo")}</button>`}
      ${again && html`<button type="button" class="ghost" onClick=${() => rollAgain(roll.roll)}>${icon("again")} ${t("roll.again")}</button>`}
      ${isOpened(roll.roll) && isOld(roll.roll) && html`<button type="button" class="ghost" onClick=${() => fold(roll.roll)}>${icon("up")} ${t("feed.fold")}</button>`}
    </div>`;
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
    ${question.decision && question.dice && html`<${Tray} roll=${roll} dice=${roll.dice} />`}
    <p class="waits">${t("roll.waits_for", { who: nextRoller(roll) })}</p>
    <details><summary>${t("roll.instead", { who: nextRoller(roll) })}</summary>${body}</details>`;
}

/** One row of dice per side. */
export function AllDice({ roll, dice }) {
  const sides = [...new Set(dice.map((die) => die.side ?? 0))];
  return sides.map((side) => html`
    <div key=${side} class="side">
      ${roll.parts?.length > 0 && html`<p class="small muted">${sideName(roll, side)}</p>`}
      <${Dice} dice=${dice.filter((die) => (die.side ?? 0) === side)} sides=${sidesOf(roll)} of=${roll.roll} />
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
      <header><${RollFace} roll=${roll} /><div><p>${t("roll.presence", { who: roll.roller })}</p></div>
        <div class="badges"><span class="badge veil">${icon("veil")} ${t("mode.secret")}</span><${Stamp} name=${roll.roll} label=${roll.label} /></div></header>
    </article>`;
}

export const rollOf = (name) => view.value.rolls.find((one) => one.roll === name) ?? olderRolls.value.get(name);
