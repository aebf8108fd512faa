// The whole log of this seat with its evenings, fetched in parts; and the log as plain text.

import { ask } from "../app/api.js";
import { lines, olderRolls, seatPath, view } from "../app/state.js";
import { formatDay, formatTime } from "../app/i18n.js";
import { eventText } from "./eventText.js";

const PART = 1000, ROLLS = 40; // lines, and rolls, of one request

/** Fetch the lines before those that the page has. */
async function allLines() {
  const first = lines.value[0]?.n ?? 1, found = [];
  while (found.length < first - 1) {
    const part = await ask(seatPath(`log?after=${found.length}&most=${Math.min(PART, first - 1 - found.length)}`));
    if (!part.length) break;
    found.push(...part);
  }
  return [...found, ...lines.value];
}

/** Fetch the rolls that finished in these lines and are too old for the view, so that their results can be told. */
async function fetchRolls(all) {
  const shown = new Set(view.value.rolls.map((one) => one.roll));
  const names = [...new Set(all.filter((line) => line.kind === "roll_finalised").map((line) => line.data.roll))]
    .filter((name) => !shown.has(name) && !olderRolls.value.has(name));
  for (let at = 0; at < names.length; at += ROLLS) {
    const query = names.slice(at, at + ROLLS).map((name) => `roll=${encodeURIComponent(name)}`).join("&");
    const found = await ask(seatPath(`rolls?${query}`));
    olderRolls.value = new Map([...olderRolls.value, ...found.map((one) => [one.roll, one])]);
  }
}

/** Kinds of lines that a reader of the story skips: steps on the way to a result, and bookkeeping. */
const STEPS = new Set(["epoch_begun", "link_made", "faces_typed", "faces_taken_back", "roll_declared", "dice_thrown", "line_switched",
  "line_added", "decision_undone", "proposal_accepted", "request_reopened", "combatant_attacked", "action_taken", "turn_ended",
  "actions_fixed", "item_changed", "task_changed", "scratchpad_changed", "seat_styled"]);

/** Fetch all evenings: each with its summary and its lines. */
export async function fetchEvenings() {
  const [all, evenings] = await Promise.all([allLines(), ask(seatPath("evenings"))]);
  await fetchRolls(all);
  return evenings.map((one) => ({ ...one, lines: all.filter((line) => line.n >= one.first && line.n <= one.last) }));
}

/** The lines of an evening to read: the story, or every step. */
export const readable = (evening, everything) => evening.lines.filter((line) => everything || !STEPS.has(line.kind));

/** The log as plain text. */
export function asText(evenings, everything) {
  const parts = evenings.map((one) => [formatDay(one.begins), "",
    ...readable(one, everything).map((line) => `${formatTime(line.time)}  ${eventText(line)}`)].join("\n"));
  return `${[view.value.table, ...parts].join("\n\n")}\n`;
}
