// The inbox: rolls and requests that wait for this seat, derived from the offered actions.

import { computed } from "./lib.js";
import { isGM, may, view } from "./state.js";
import { isMyMove } from "./format.js";

/** Contest sides whose contest is already decided: nothing depends on their dice any more. */
export const decidedSides = computed(() => new Set((view.value?.rolls ?? []).filter((one) => one.phase === "finalised")
  .flatMap((one) => (one.parts ?? []).map((part) => part.roll))));

/** @import { Request, Roll } from "./types.js" */

/** @param {Roll} roll */
function rollTask(roll) {
  if (decidedSides.value.has(roll.roll)) return "";
  const offered = ["answer", "throw", "finalise"].find((what) => may(what, roll.roll));
  if (may("finalise", roll.roll)?.tells) return "tells";
  return offered && isMyMove(roll) ? offered : "";
}

/** @param {Request} request */
function requestTask(request) {
  const { seat } = view.value;
  if (!isGM.value) return may("propose", request.request) && !(seat in request.proposals) ? "propose" : "";
  const open = Object.keys(request.proposals).some((name) => !(name in request.rolls));
  if (open && may("accept", request.request)) return "accept";
  const left = new Set(view.value.seats.filter((one) => one.left).map((one) => one.name));
  if (may("accept", request.request)
    && request.to.some((name) => left.has(name) && !(name in request.rolls))) return "absent";
  return may("settle", request.request) ? "settle" : "";
}

/** What waits for this seat: each with what is to be done. */
export const inbox = computed(() => {
  if (!view.value) return [];
  const rolls = view.value.rolls.map((it) => ({ kind: /** @type {const} */ ("roll"), it, what: rollTask(it) }));
  const requests = view.value.requests.map((it) => ({ kind: /** @type {const} */ ("request"), it, what: requestTask(it) }));
  return [...requests, ...rolls].filter((one) => one.what);
});

export const inboxCount = computed(() => inbox.value.length);

const waiting = computed(() => new Set(inbox.value.map(({ it }) => ("roll" in it ? it.roll : it.request))));

/** True if a roll or request waits for this seat. @param {string} name */
export const waitsForMe = (name) => waiting.value.has(name);
