// The exact odds of what is filled in, asked anew whenever anything changes.

import { effect, signal } from "./lib.js";
import { ask } from "./api.js";
import { seatPath, view } from "./state.js";
import { declared, missing } from "./rollDraft.js";
import { t } from "./i18n.js";
import { say } from "./format.js";

const PAUSE = 15; // milliseconds in which several changes are one

/**
 * Follow a draft: what it would come to.
 * @param {{value: import("./rollDraft.js").Draft|null}} draft a signal
 * @returns {{found: object, stop: () => void}} found: a signal of {busy, lines, odds, problem}
 */
export function follow(draft) {
  const found = signal({ busy: false, lines: [], odds: null, problem: null });
  let asking = null, timer = 0;
  const parts = () => [view.value?.characters, view.value?.options, view.value?.fight];
  const stop = effect(() => {
    const now = draft.value;
    parts(); // what is known of characters and house rules counts, too
    clearTimeout(timer);
    asking?.abort();
    if (!now) return;
    const lacks = missing(now);
    if (lacks) found.value = { busy: false, lines: [], odds: null,
      problem: { message: t("chance.missing", { what: say(lacks.label) }) } };
    else timer = setTimeout(() => work(now), PAUSE);
  });

  async function work(now) {
    asking = new AbortController();
    found.value = { ...found.peek(), busy: true };
    try {
      const path = seatPath("sketch");
      const made = await ask(path, { data: declared(now) }, asking.signal);
      found.value = { busy: false, lines: made.lines, odds: made.odds, problem: null,
        cannot: say(made.cannot), unknown: made.unknown };
    } catch (problem) {
      if (problem.name !== "AbortError") found.value = { busy: false, lines: [], odds: null, problem };
    }
  }
  return { found, stop: () => { stop(); clearTimeout(timer); asking?.abort(); } };
}
