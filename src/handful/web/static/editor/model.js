// The game that somebody writes: its texts, what is wrong with them, and what they come to.
// The server judges; the page keeps what was typed, and asks again when it changes.

import { batch, computed, effect, signal } from "../app/lib.js";
import { ask, Problem } from "../app/api.js";
import { declared, missing, newDraft } from "../app/rollDraft.js";
import { game, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { checkOf, say } from "../app/format.js";

const PAUSE = 250; // milliseconds in which several changes are one
const KEPT = "handful-brew";

/** The texts as they are typed; null as long as nothing was begun. */
export const text = signal(null);
export const cases = signal("");
/** The text with which the work began: how far the odds have moved since. */
export const first = signal("");
/** {mistakes, hash, game} of the text that was looked at last, and which that was. */
export const checked = signal({ mistakes: [], hash: "", game: null, of: null });
/** What went wrong on the way to the server. */
export const problem = signal(null);
/** A check to try: the draft of its form. */
export const draft = signal(null);
/** {odds, before, problem, busy} of that check. */
export const taste = signal({ busy: false, odds: null, before: null, problem: null });
/** {mistakes, cases} of the worked examples; null as long as nobody knows. */
export const tried = signal(null);
/** The text as a form, and of which text it is; asked for as long as somebody looks at it. */
export const form = signal({ groups: [], of: null, problem: null });
export const wantsForm = signal(false);

export const isGood = computed(() => text.value !== null && checked.value.of === text.value
  && !checked.value.mistakes.length);
export const mistakes = computed(() => checked.value.mistakes);

const place = () => `${KEPT}${location.pathname}`;

/** What was typed here before. */
export function kept() {
  try {
    return JSON.parse(localStorage.getItem(place()));
  } catch {
    return null; // a browser that keeps nothing
  }
}

function keep() {
  if (text.value === null) return;
  try {
    localStorage.setItem(place(), JSON.stringify({ text: text.value, cases: cases.value, first: first.value }));
  } catch {
    // it is still on the screen
  }
}

/** Begin with these texts. */
export function begin(ruleset, own = "", before = ruleset) {
  batch(() => {
    text.value = ruleset;
    cases.value = own;
    first.value = before;
    draft.value = null;
    tried.value = null;
  });
}

/** A question about what is typed, asked anew when it changes; only the last answer counts. */
function following(wants, answer) {
  let timer = 0, asking = null;
  return effect(() => {
    const wanted = wants();
    clearTimeout(timer);
    asking?.abort();
    if (!wanted) return;
    timer = setTimeout(async () => {
      asking = new AbortController();
      try {
        await answer(wanted, asking.signal);
      } catch (error) {
        if (error.name !== "AbortError") problem.value = error instanceof Problem ? error : new Problem(error);
      }
    }, PAUSE);
  });
}

/** Follow what is typed from now on. */
export function follow() {
  // the forms of a table, without one: nobody is here but whoever writes
  view.value = { characters: [], seats: [], seat: "", role: "player", options: {}, rolls: [] };
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
    tried.value = await ask("/api/brews/cases", wanted, aborted);
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

/** Fill in one field; fields are filled in one after the other. */
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

/** A first check to look at: its pool is small, its goal in the middle of the ladder. */
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

/** What is asked of the server about the check in the form. */
export function asked(now) {
  const { check, parameters = {}, sides = [] } = declared(now);
  return { check, parameters, sides };
}

/** The game with which the work began, as the server described it; null where it had mistakes. */
let began = { of: null, game: null };
async function beginning(aborted) {
  const of = first.peek();
  if (began.of !== of) began = { of, game: (await ask("/api/brews/check", { ruleset: of }, aborted)).game };
  return began.game;
}

/** The odds of the same check when the work began, and what had to be left out as it was not there yet. */
async function oddsBefore(now, aborted) {
  const check = (await beginning(aborted))?.checks.find((one) => one.name === now.check);
  if (!check) return null;
  const { check: name, parameters, sides } = asked(now);
  const had = new Set(check.parameters.map((one) => one.name));
  const without = checkOf(name).parameters.filter((one) => !had.has(one.name)
    && [parameters, ...sides].some((each) => each[one.name] !== undefined));
  const fitting = (values) => Object.fromEntries(Object.entries(values).filter(([each]) => had.has(each)));
  const then = { check: name, parameters: fitting(parameters), sides: sides.map(fitting) };
  try {
    return { ...await ask("/api/brews/odds", { ruleset: first.peek(), ...then }, aborted), without };
  } catch (error) {
    if (error.name === "AbortError") throw error;
    return null; // such a check was not possible
  }
}

async function weigh({ ruleset, draft: now }, aborted) {
  const lacks = missing(now);
  if (lacks) {
    taste.value = { busy: false, odds: null, before: null,
      problem: { message: t("chance.missing", { what: say(lacks.label) }) } };
    return;
  }
  taste.value = { ...taste.peek(), busy: true };
  try {
    const odds = await ask("/api/brews/odds", { ruleset, ...asked(now) }, aborted);
    const before = ruleset === first.peek() ? null : await oddsBefore(now, aborted);
    taste.value = { busy: false, odds, before, problem: null };
  } catch (error) {
    if (error.name === "AbortError") throw error;
    taste.value = { busy: false, odds: null, before: null, problem: error };
  }
}

/** Put the game on the shelf: {hash, link}. */
export const shelve = () => ask("/api/brews", { ruleset: text.value, cases: cases.value });
