// State of the odds page: games, series, and the open tab.

import { computed, effect, signal } from "../app/lib.js";
import { ask } from "../app/api.js";
import { game } from "../app/state.js";
import { t } from "../app/i18n.js";
import { localize } from "../app/format.js";
import * as address from "./urlState.js";
import { MAX_SERIES, checkIn, newSeries, nextId, withCheck } from "./series.js";

const URL_DELAY = 300; // milliseconds; browsers limit URL changes per second

/** @typedef {import("../app/server.js").GameSummary} GameSummary */

/** All games and families. */
export const catalog = signal({ games: /** @type {GameSummary[]} */ ([]), families: /** @type {GameSummary[]} */ ([]) });
/** Full data of the games loaded so far: id -> game. */
export const games = signal(/** @type {Record<string, import("../app/types.js").Game>} */ ({}));
export const tab = signal("odds");
export const curve = signal("exactly");
export const series = signal(/** @type {import("./series.js").Series[]} */ ([]));
export const active = signal(0);
/** Ranges of the table, the inverse question, both sides of a comparison, the claims' game. */
export const sweep = signal(/** @type {Record<string, any>} */ ({}));
export const solveFor = signal(/** @type {Record<string, any>} */ ({}));
export const before = signal(/** @type {Record<string, any>} */ ({}));
export const after = signal(/** @type {Record<string, any>} */ ({}));
export const claims = signal("");
/** An error of the whole page. */
export const problem = signal(null);
export const ready = signal(false);

export const current = computed(() => series.value[active.value] ?? series.value[0]);
export const gameOf = (one) => games.value[one?.game];

/** Load a game's full data, once. */
export async function fetched(id) {
  if (!games.peek()[id]) {
    const found = await ask(`/api/games/${encodeURIComponent(id)}`);
    games.value = { ...games.peek(), [id]: found };
  }
  return games.peek()[id];
}

export const nameOf = (id) => localize([...catalog.value.games, ...catalog.value.families].find((one) => one.id === id)?.title, id);

export async function startPage() {
  const [own, families] = await Promise.all([ask("/api/games"), ask("/api/families")]);
  catalog.value = { games: own, families };
  effect(() => { game.value = /** @type {any} */ (gameOf(current.value) ?? null); }); // the fields use its wording
  await restore();
  addEventListener("hashchange", () => { if (location.hash !== shown) restore(); });
  keepAddress();
}

/** Restore the state from the URL; a broken one shows an error and a fresh page. */
async function restore() {
  const found = address.decodeState(location.hash);
  problem.value = found.problem;
  try {
    await take(found.state);
  } catch (error) {
    problem.value = error.code ? { message: t("odds.broken_link"), hint: error.message } : error;
    await take(null);
  }
  ready.value = true;
}

async function take(state) {
  const first = catalog.value.games[0].id;
  const wanted = state?.series.length ? state.series : [{ game: first }];
  await Promise.all([...new Set([...wanted.map((one) => one.game), state?.before.game, state?.after.game])]
    .filter(Boolean).map(fetched));
  const made = wanted.map((one) => whole(games.peek()[one.game], one));
  series.value = made;
  active.value = state?.active ?? 0;
  tab.value = state?.tab ?? "odds";
  curve.value = state?.curve ?? "exactly";
  sweep.value = state?.sweep ?? {};
  solveFor.value = state?.find ?? {};
  before.value = state?.before ?? {};
  after.value = state?.after ?? {};
  claims.value = state?.claims ?? "";
}

/** A series from a URL; one without parameters starts like a new one. */
function whole(own, { fresh, ...one }) {
  if (!one.check) return newSeries(own);
  const check = checkIn(own, one.check);
  if (check && fresh) return { ...newSeries(own, one.check), options: one.options, policy: one.policy };
  if (!check) throw Object.assign(new Error(t("odds.no_check", { game: localize(own.title), check: one.check })), { code: "link" });
  return one;
}

let shown = "";

function keepAddress() {
  let timer = 0;
  effect(() => {
    const state = { tab: tab.value, curve: curve.value, active: active.value, series: series.value, sweep: sweep.value,
      find: solveFor.value, before: before.value, after: after.value, claims: claims.value };
    clearTimeout(timer);
    timer = setTimeout(() => {
      shown = address.encodeState(state);
      history.replaceState(null, "", shown);
    }, URL_DELAY);
  });
}

/** The URL of the current state. */
export const link = () => `${location.origin}${location.pathname}${address.encodeState({ tab: tab.value, curve: curve.value,
  active: active.value, series: series.value, sweep: sweep.value, find: solveFor.value, before: before.value, after: after.value,
  claims: claims.value })}`;

// -- changes to series

export function updateSeries(changed) {
  series.value = series.peek().map((one) => (one.id === changed.id ? changed : one));
}

export function addSeries() {
  if (series.peek().length >= MAX_SERIES) return;
  series.value = [...series.peek(), { ...structuredClone(current.peek()), id: nextId() }];
  active.value = series.peek().length - 1;
}

export function removeSeries(id) {
  const left = series.peek().filter((one) => one.id !== id);
  if (!left.length) return;
  active.value = Math.min(active.peek(), left.length - 1);
  series.value = left;
}

/** Switch a series to another game; keep the check if that game has it. */
export async function setGame(one, id) {
  try {
    const own = await fetched(id);
    updateSeries(checkIn(own, one.check) ? { ...withCheck(own, { ...one, options: {} }, one.check), game: id }
      : { ...newSeries(own), id: one.id });
  } catch (error) {
    problem.value = error;
  }
}
