// Fetches the exact odds of a draft, again after every change.

import { effect, signal } from "./lib.js";
import { Problem, ask } from "./api.js";
import { seatPath, view } from "./state.js";
import { declareFields, missingParameter } from "./rollDraft.js";
import { t } from "./i18n.js";
import { localize } from "./format.js";

/**
 * @typedef {{busy: boolean, lines: import("./types.js").Line[], odds: import("./types.js").Odds|null,
 *   problem: import("./types.js").Fault|null, cannot?: string, unknown?: string[]}} Preview
 */

const DEBOUNCE = 15; // milliseconds; changes in between become one request

/**
 * Preview a draft: its lines and its odds.
 * @param {{value: import("./rollDraft.js").Draft|null}} draft a signal
 */
export function previewDraft(draft) {
  const found = signal(/** @type {Preview} */ ({ busy: false, lines: [], odds: null, problem: null }));
  /** @type {AbortController|null} */
  let asking = null;
  /** @type {ReturnType<typeof setTimeout>|undefined} */
  let timer;
  const parts = () => [view.value?.characters, view.value?.options, view.value?.fight];
  const stop = effect(() => {
    const now = draft.value;
    parts(); // subscribe: characters, house rules and the fight change the odds too
    clearTimeout(timer);
    asking?.abort();
    if (!now) return;
    const lacks = missingParameter(now);
    if (lacks) found.value = { busy: false, lines: [], odds: null,
      problem: { message: t("chance.missing", { what: localize(lacks.label) }) } };
    else timer = setTimeout(() => work(now), DEBOUNCE);
  });

  /** @param {import("./rollDraft.js").Draft} now */
  async function work(now) {
    asking = new AbortController();
    found.value = { ...found.peek(), busy: true };
    try {
      const path = seatPath("sketch");
      const made = await ask(path, { data: declareFields(now), partial: true }, asking.signal);
      if (made.problem) throw new Problem(made.problem);
      found.value = { busy: false, lines: made.lines, odds: made.odds, problem: null,
        cannot: localize(made.cannot), unknown: made.unknown };
    } catch (problem) {
      if (problem instanceof Problem) found.value = { busy: false, lines: [], odds: null, problem };
      else if (!(problem instanceof DOMException)) throw problem;
    }
  }
  return { found, stop: () => { stop(); clearTimeout(timer); asking?.abort(); } };
}
