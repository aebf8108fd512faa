// Commitments to the keys of rolls, as this page was shown them in the log.

import { lines, view } from "./state.js";

/** The stream of a roll of these modes; see docs/table.md. @param {string[]} modes */
const streamOf = (modes) => (modes.includes("secret") ? "secret" : modes.includes("gm") ? "gm" : "open");

/**
 * The commitment of the roll that a command throws; undefined if this page does not know it.
 * @param {string} what @param {Record<string, any>} data
 */
export function commitmentFor(what, data) {
  if (what === "throw" || what === "answer") return view.value.rolls.find((one) => one.roll === data.roll)?.commitment;
  if (what !== "declare" || data.request) return undefined; // the mode of a request is the GM's
  return nextCommitment(data.for ?? view.value.seat, streamOf([view.value.mode, data.mode ?? "public"]));
}

/** The commitment to the next key of a seat's stream. @param {string} roller @param {string} stream */
function nextCommitment(roller, stream) {
  /** @type {Record<string, string>} */
  let own = {};
  for (const { kind, data } of lines.value) {
    if (kind === "epoch_begun") own = { ...data.commitments[roller] };
    if (kind === "seat_taken" && data.name === roller && data.commitments) own = { ...data.commitments };
    if (kind === "roll_declared" && data.roller === roller && data.next) {
      const used = Object.keys(own).find((one) => own[one] === data.commitment);
      if (used) own[used] = data.next;
    }
  }
  return own[stream];
}
