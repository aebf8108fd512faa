// Requests the odds of every series as it changes. One request runs per series; later changes wait for
// it, and an outdated slow request is aborted.

import { effect, signal } from "../app/lib.js";
import { Problem, ask } from "../app/api.js";
import { t } from "../app/i18n.js";
import { localize } from "../app/format.js";
import { gameOf, series } from "./state.js";
import { toQuery, missingParameter } from "./series.js";

const GIVE_UP_AFTER = 150; // milliseconds after which an outdated request is aborted
const WORTH_DELAY = 150; // milliseconds of rest before the slower value-of-decisions request
const MAX_CACHED = 400; // cached answers, for sliders moved back and forth

/** By series: {survey, worth, problem, busy}. */
export const found = signal(/** @type {Record<number, any>} */ ({}));

const answers = new Map();
const running = new Map(); // series -> {key, since, controller, next}
const worthRequests = new Map(); // series -> {timer, controller}

function kept(key, answer) {
  answers.set(key, answer);
  if (answers.size > MAX_CACHED) answers.delete(answers.keys().next().value);
  return answer;
}

const tell = (id, changes) => { found.value = { ...found.peek(), [id]: { ...found.peek()[id], ...changes } }; };

/** Start following the series. */
export function followSeries() {
  const seen = new Map();
  return effect(() => {
    const now = series.value;
    for (const id of seen.keys()) if (!now.some((one) => one.id === id)) forget(id, seen);
    for (const one of now) {
      const game = gameOf(one);
      if (!game) continue;
      const lacks = missingParameter(game, one);
      const question = { ...toQuery(one), policy: one.policy };
      const key = JSON.stringify([one.game, question]);
      if (seen.get(one.id) === key) continue;
      seen.set(one.id, key);
      cancelWorth(one.id);
      if (lacks) {
        running.get(one.id)?.controller.abort();
        tell(one.id, { problem: { message: t("chance.missing", { what: localize(lacks.label) }) }, worth: null, busy: false });
      } else requestSurvey(one.id, { key, path: `/api/games/${encodeURIComponent(one.game)}`, question });
    }
  });
}

/** @param {number} id @param {Map<number, string>} seen */
function forget(id, seen) {
  seen.delete(id);
  running.get(id)?.controller.abort();
  cancelWorth(id);
  const { [id]: _, ...others } = found.peek();
  found.value = others;
}

function requestSurvey(id, wanted) {
  const known = answers.get(wanted.key);
  const now = running.get(id);
  if (known) {
    if (now) now.next = null;
    now?.controller.abort();
    show(id, wanted, known);
  } else if (now) {
    now.next = wanted;
    if (performance.now() - now.since > GIVE_UP_AFTER) now.controller.abort();
    else setTimeout(() => { if (running.get(id) === now && now.next) now.controller.abort(); }, GIVE_UP_AFTER);
  } else work(id, wanted);
}

function show(id, wanted, survey) {
  tell(id, { survey, problem: null, busy: false });
  if (Object.keys(survey.policy).length) requestWorth(id, wanted);
  else tell(id, { worth: null });
}

async function work(id, wanted) {
  const mine = { since: performance.now(), controller: new AbortController(), next: null };
  running.set(id, mine);
  tell(id, { busy: true });
  let said = null, fault = /** @type {any} */ (null);
  try {
    said = kept(wanted.key, await askWithRetry(`${wanted.path}/survey`, wanted.question, mine.controller.signal));
  } catch (problem) {
    fault = problem;
  }
  if (running.get(id) === mine) running.delete(id);
  if (!(id in found.peek())) return;
  if (mine.next) {
    if (said) tell(id, { survey: said, problem: null }); // outdated, but exact for its own parameters, so worth showing
    work(id, mine.next);
  } else if (said) show(id, wanted, said);
  else if (fault.name !== "AbortError") tell(id, { survey: null, worth: null, problem: fault, busy: false });
}

/**
 * Ask, and ask again after a rate limit.
 * @param {string} path @param {object} question @param {AbortSignal} signal
 */
export async function askWithRetry(path, question, signal) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask(path, question, signal);
    } catch (problem) {
      if (!(problem instanceof Problem) || problem.code !== "too_fast" || tries > 4) throw problem;
      await new Promise((done) => setTimeout(done, 400));
      if (signal.aborted) throw new DOMException("", "AbortError");
    }
  }
}

function requestWorth(id, { path, question }) {
  cancelWorth(id);
  const controller = new AbortController();
  const { policy: _, ...check } = question;
  const key = JSON.stringify(["worth", path, check]);
  if (answers.has(key)) { tell(id, { worth: answers.get(key) }); return; }
  const timer = setTimeout(async () => {
    try {
      tell(id, { worth: kept(key, (await askWithRetry(`${path}/worth`, check, controller.signal)).worth) });
    } catch (problem) {
      if (problem.name !== "AbortError") tell(id, { worth: null });
    }
  }, WORTH_DELAY);
  worthRequests.set(id, { timer, controller });
}

function cancelWorth(id) {
  const now = worthRequests.get(id);
  clearTimeout(now?.timer);
  now?.controller.abort();
  worthRequests.delete(id);
}
