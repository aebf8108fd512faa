// The draft ruleset being edited: its texts, their mistakes, and the odds of a sample check.
// The server checks every change; the page stores the texts locally.

import { batch, computed, effect, signal } from "../app/lib.js";
import { ask, Problem } from "../app/api.js";
import { declareFields, missingParameter, newDraft } from "../app/rollDraft.js";
import { game, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { checkOf, localize } from "../app/format.js";

const DEBOUNCE = 250; // milliseconds; changes in between become one request
const KEPT = "handful-brew";

/** The texts as typed; null before a start is chosen. */
export const text = signal(null);
export const cases = signal("");
/** The initial text, to compare odds with. */
export const initialText = signal("");
/** {mistakes, hash, game} of the last checked text, and that text. */
export const checked = signal(/** @type {import("../app/server.js").DraftReport & {of: string|null}} */ (
  { mistakes: [], hash: "", game: null, base: "", of: null }));
/** A failed request. */
export const problem = signal(null);
/** The draft of the check to try. */
export const draft = signal(null);
/** {odds, before, problem, busy} of the check to try. */
export const tryout = signal(/** @type {{busy: boolean, odds: any, before: any, problem: import("../app/types.js").Fault|null}} */ (
  { busy: false, odds: null, before: null, problem: null }));
/** {mistakes, cases} of the worked examples; null until they have run. */
export const caseResults = signal(null);
/** The text as a form, and its text; requested only while the form is visible. */
export const form = signal(/** @type {{groups: import("../app/server.js").FormGroup[], of: string|null, problem: import("../app/types.js").Fault|null}} */ (
  { groups: [], of: null, problem: null }));
export const wantsForm = signal(false);

export const isGood = computed(() => text.value !== null && checked.value.of === text.value
  && !checked.value.mistakes.length);
export const mistakes = computed(() => checked.value.mistakes);

const place = () => `${KEPT}${location.pathname}`;

/** Texts stored by an earlier visit. */
export function savedTexts() {
  try {
    return JSON.parse(localStorage.getItem(place()) ?? "null");
  } catch {
    return null; // storage is disabled
  }
}

function keep() {
  if (text.value === null) return;
  try {
    localStorage.setItem(place(), JSON.stringify({ text: text.value, cases: cases.value, first: initialText.value }));
  } catch {
    // storage is full; the text is still on the screen
  }
}

/** Start editing these texts. */
export function startWith(ruleset, own = "", before = ruleset) {
  batch(() => {
    text.value = ruleset;
    cases.value = own;
    initialText.value = before;
    draft.value = null;
    caseResults.value = null;
  });
}

/** A request about the text, repeated when it changes; only the latest answer counts. */
function following(wants, answer) {
  let timer = 0, asking = /** @type {AbortController|null} */ (null);
  return effect(() => {
    const wanted = wants();
    clearTimeout(timer);
    asking?.abort();
    if (!wanted) return;
    timer = setTimeout(async () => {
      const mine = asking = new AbortController();
      try {
        await answer(wanted, mine.signal);
      } catch (error) {
        if (error.name !== "AbortError") problem.value = error instanceof Problem ? error : new Problem(error);
      }
    }, DEBOUNCE);
  });
}

/** Start checking the text on every change. */
export function watchTexts() {
  // forms expect a table: give them one with a single GM seat
  view.value = /** @type {import("../app/types.js").View} */ (/** @type {unknown} */ (
    { characters: [], seats: [], seat: "", role: "player", options: {}, rolls: [] }));
  effect(keep);
  following(() => (text.value === null ? null : { ruleset: text.value }), async (wanted, aborted) => {
    const found = await ask("/api/brews/check", wanted, aborted);
    batch(() => {
      problem.value = null;
      checked.value = { ...found, of: wanted.ruleset };
      if (!found.game) return;
      game.value = found.game;
      const known = draft.value && checkOf(draft.value.check);
      draft.value = known ? { ...draft.value } : exampleOf(found.game);
    });
  });
  following(() => (isGood.value && draft.value ? { ruleset: text.value, draft: draft.value } : null), weigh);
  following(() => (isGood.value ? { ruleset: text.value, cases: cases.value } : null), async (wanted, aborted) => {
    caseResults.value = await ask("/api/brews/cases", wanted, aborted);
  });
  following(() => (wantsForm.value && text.value !== null && form.peek().of !== text.value ? { ruleset: text.value } : null),
    async (wanted, aborted) => {
      try {
        form.value = { groups: await ask("/api/brews/form", wanted, aborted), of: wanted.ruleset, problem: null };
      } catch (error) {
        if (error.name === "AbortError") throw error;
        form.value = { ...form.value, problem: error };
      }
    });
}

/** Change one field of the form; changes are queued, because each rewrites the text. */
let filling = Promise.resolve();
export function fill(path, value) {
  filling = filling.then(async () => {
    try {
      const made = await ask("/api/brews/edit", { ruleset: text.value, path, value });
      text.value = made.ruleset;
      form.value = { ...form.value, problem: null };
    } catch (error) {
      form.value = { ...form.value, problem: error };
    }
  });
  return filling;
}

/** A first check to try: a small pool and a medium difficulty. */
function exampleOf(found) {
  const made = newDraft(found.checks[0].name, "");
  const values = {};
  const pool = found.checks[0].parameters.find((one) => found.sheet?.picks[one.name])?.name;
  for (const one of found.checks[0].parameters.map((each) => (each.name === pool ? { ...each, required: true } : each))) {
    if (one.ladder) values[one.name] = found.ladder[Math.floor(found.ladder.length / 2)]?.name;
    else if (one.required && one.type === "die_code") values[one.name] = "4D";
    else if (one.required && (one.type === "number" || one.type === "halves") && !one.list) {
      values[one.name] = String(Math.max(one.min ?? 0, Math.min(4, one.max ?? 4)));
    } else if (one.required && one.values.length) [values[one.name]] = one.values;
  }
  return { ...made, sides: made.sides.map((side) => ({ ...side, values: { ...values } })) };
}

/** The query for the check in the form. */
export function checkQuery(now) {
  const { check, parameters = {}, sides = [] } = declareFields(now);
  return { check, parameters, sides };
}

/** The initial game as the server describes it; null if its text had mistakes. */
let began = { of: "", game: /** @type {import("../app/types.js").Game|null} */ (null) };
async function beginning(aborted) {
  const of = initialText.peek();
  if (began.of !== of) began = { of, game: (await ask("/api/brews/check", { ruleset: of }, aborted)).game };
  return began.game;
}

/** Odds of the same check in the initial text, and parameters left out because it lacks them. */
async function oddsBefore(now, aborted) {
  const check = (await beginning(aborted))?.checks.find((one) => one.name === now.check);
  if (!check) return null;
  const { check: name, parameters, sides } = checkQuery(now);
  const had = new Set(check.parameters.map((one) => one.name));
  const without = (checkOf(name)?.parameters ?? []).filter((one) => !had.has(one.name)
    && [parameters, ...sides].some((each) => each[one.name] !== undefined));
  const fitting = (values) => Object.fromEntries(Object.entries(values).filter(([each]) => had.has(each)));
  const then = { check: name, parameters: fitting(parameters), sides: sides.map(fitting) };
  try {
    return { ...await ask("/api/brews/odds", { ruleset: initialText.peek(), ...then }, aborted), without };
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return null; // the initial game has no such check
  }
}

async function weigh({ ruleset, draft: now }, aborted) {
  const lacks = missingParameter(now);
  if (lacks) {
    tryout.value = { busy: false, odds: null, before: null,
      problem: { message: t("chance.missing", { what: localize(lacks.label) }) } };
    return;
  }
  tryout.value = { ...tryout.peek(), busy: true };
  try {
    const odds = await ask("/api/brews/odds", { ruleset, ...checkQuery(now) }, aborted);
    const before = ruleset === initialText.peek() ? null : await oddsBefore(now, aborted);
    tryout.value = { busy: false, odds, before, problem: null };
  } catch (error) {
    if (error.name === "AbortError") throw error;
    tryout.value = { busy: false, odds: null, before: null, problem: error };
  }
}

/** Publish the ruleset: {hash, link}. */
export const publish = () => ask("/api/brews", { ruleset: text.value, cases: cases.value });
