// What a roll needs and what it has: sockets that hits fill, or a scale for sums.

import { html } from "../app/lib.js";
import { game } from "../app/state.js";
import { t } from "../app/i18n.js";
import { checkOf, formatNumber, resultText, wordFor } from "../app/format.js";
import { isTarget } from "../app/rollDraft.js";

const MOST_SOCKETS = 10;
const ROOM = 1.6; // of a scale beyond what is needed

const whole = (value) => (Number.isInteger(value) ? value : null);

/** The number to reach, as far as this seat knows it: as the outcome was measured, else as it was declared. */
export function goalOf(roll) {
  const { outcome, main, asked } = roll;
  const reached = whole(outcome?.[main]), margin = whole(outcome?.margin);
  if (reached !== null && margin !== null && outcome.success === margin >= 0) return reached - margin;
  const check = checkOf(asked.check);
  for (const param of (check?.parameters ?? []).filter((one) => isTarget(check, one))) {
    const value = asked.parameters[param.name];
    const rung = param.ladder && game.value.ladder.find((one) => one.name === value);
    const found = whole(rung ? rung.target ?? rung.value : value);
    if (found !== null) return found;
  }
  return null;
}

/** Whether a roll counts hits, by what the server says of its dice. */
export const countsHits = (dice) => dice.some((die) => die.counts === "hit" || die.counts === "none")
  && !dice.some((die) => die.counts === "sum");

/** What the dice have made so far: the result, or the hits that lie there before it is known. */
export function madeSoFar(roll, dice) {
  const made = roll.outcome?.[roll.main];
  if (made !== undefined && made !== null) return whole(made);
  return countsHits(dice) ? dice.filter((die) => die.counts === "hit").length : null;
}

/** @param {{roll: import("../app/types.js").Roll, dice: import("../app/types.js").Die[]}} props */
export function Need({ roll, dice }) {
  const goal = goalOf(roll);
  const made = madeSoFar(roll, dice);
  const main = roll.main ?? checkOf(roll.asked?.check ?? "")?.main;
  if (goal === null || goal <= 0 || made === null || roll.parts?.length) return null;
  const says = t("need.of", { made: resultText(main, made), needed: formatNumber(goal) });
  if (countsHits(dice) && goal <= MOST_SOCKETS) return html`<${Sockets} goal=${goal} made=${made} says=${says} />`;
  return html`<${Scale} goal=${goal} made=${made} says=${says} />`;
}

function Sockets({ goal, made, says }) {
  const over = Math.min(Math.max(made - goal, 0), MOST_SOCKETS);
  return html`
    <p class="need"><span class="sockets" aria-hidden="true">
      ${Array.from({ length: goal }, (_, at) => html`<i key=${at} class=${at < made ? "in" : ""}></i>`)}
      ${Array.from({ length: over }, (_, at) => html`<i key=${`over${at}`} class="over"></i>`)}</span>
      <b>${says}</b></p>`;
}

function Scale({ goal, made, says }) {
  const room = Math.max(goal * ROOM, made * 1.1, 1);
  const at = (value) => Math.max(0, Math.min(100, (value / room) * 100)).toFixed(1);
  return html`
    <div class=${`scale ${made >= goal ? "over" : ""}`} aria-hidden="true" style=${`--at: ${at(made)}; --to: ${at(goal)}`}>
      <i></i><u><span>${t("need.mark", { n: formatNumber(goal) })}</span></u></div>
    <p class="hidden">${says}</p>`;
}

/** The number that the dice make, at the far end of the tray. */
export function Tally({ roll, dice }) {
  const made = roll.outcome?.[roll.main];
  if (!Number.isInteger(made) || roll.parts?.length || countsHits(dice)) return null;
  return html`<p class="tally" aria-hidden="true">${formatNumber(made)}<small>${wordFor(roll.main, made)}</small></p>`;
}
