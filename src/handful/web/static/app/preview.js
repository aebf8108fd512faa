// Fetches the exact odds of a draft, again after every change.

import { effect, signal } from "./lib.js";
import { ask } from "./api.js";
import { seatPath, view } from "./state.js";
import { declareFields, missingParameter } from "./rollDraft.js";
import { t } from "./i18n.js";
import { localize } from "./format.js";

const DEBOUNCE = 15; // milliseconds; changes in between become one request

/**
 * Preview a draft: its lines and its odds.
 * @param {{value: import("./rollDraft.js").Draft|null}} draft a signal
 * @returns {{found: object, stop: () => void}} found: a signal of {busy, lines, odds, problem}
 */
export function previewDraft(draft) {
  const found = signal({ busy: false, lines: [], odds: null, problem: null });
  let asking = null, timer = 0;
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

  async function work(now) {
    asking = new AbortController();
    found.value = { ...found.peek(), busy: true };
    try {
      const path = seatPath("sketch");
      const made = await ask(path, { data: declareFields(now) }, asking.signal);
      found.value = { busy: false, lines: made.lines, odds: made.odds, problem: null,
        cannot: localize(made.cannot), unknown: made.unknown };
    } catch (problem) {
      if (problem.name !== "AbortError") found.value = { busy: false, lines: [], odds: null, problem };
    }
  }
  return { found, stop: () => { stop(); clearTimeout(timer); asking?.abort(); } };
}
