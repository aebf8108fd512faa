// Everything that waits for this seat, from what the server offers.

import { computed } from "./lib.js";
import { isGM, may, view } from "./state.js";
import { isMine } from "./format.js";

/** Sides of contests that were decided without their dice: nothing depends on these any more. */
export const settled = computed(() => new Set((view.value?.rolls ?? []).filter((one) => one.phase === "finalised")
  .flatMap((one) => (one.parts ?? []).map((part) => part.roll))));

function rollWaits(roll) {
  if (settled.value.has(roll.roll)) return "";
  const offered = ["answer", "throw", "finalise"].find((what) => may(what, roll.roll));
  if (may("finalise", roll.roll)?.tells) return "tells";
  return offered && isMine(roll) ? offered : "";
}

function requestWaits(request) {
  const { seat } = view.value;
  if (!isGM.value) return may("propose", request.request) && !(seat in request.proposals) ? "propose" : "";
  const open = Object.keys(request.proposals).some((name) => !(name in request.rolls));
  if (open && may("accept", request.request)) return "accept";
  const left = new Set(view.value.seats.filter((one) => one.left).map((one) => one.name));
  if (may("accept", request.request)
    && request.to.some((name) => left.has(name) && !(name in request.rolls))) return "absent";
  return may("settle", request.request) ? "settle" : "";
}

/** @type {{value: {what: string, kind: "roll"|"request", it: object}[]}} */
export const waiting = computed(() => {
  if (!view.value) return [];
  const rolls = view.value.rolls.map((it) => ({ kind: "roll", it, what: rollWaits(it) }));
  const requests = view.value.requests.map((it) => ({ kind: "request", it, what: requestWaits(it) }));
  return [...requests, ...rolls].filter((one) => one.what);
});

export const waitingCount = computed(() => waiting.value.length);
