// What the explorer page knows: the games, the series, and what was found about each.

import { computed, effect, signal } from "../app/lib.js";
import { ask } from "../app/api.js";
import { game } from "../app/state.js";
import { t } from "../app/i18n.js";
import { say } from "../app/format.js";
import * as address from "./urlState.js";
import { MOST, checkIn, newSeries, nextId, withCheck } from "./series.js";

const QUIET = 300; // milliseconds until the address follows: browsers allow few changes of it a second

/** Games and families in short: {id, title, about}. */
export const shelf = signal({ games: [], families: [] });
/** Everything about those that were asked for: id -> game. */
export const games = signal({});
export const tab = signal("odds");
export const curve = signal("exactly");
/** @type {{value: import("./series.js").Series[]}} */
export const series = signal([]);
export const active = signal(0);
/** Ranges of the table, what is looked for, the two sides of a comparison, whose claims. */
export const sweep = signal({});
export const find = signal({});
export const before = signal({});
export const after = signal({});
export const claims = signal("");
/** What is wrong with the page as a whole. */
export const problem = signal(null);
export const ready = signal(false);

export const current = computed(() => series.value[active.value] ?? series.value[0]);
export const gameOf = (one) => games.value[one?.game];

/** A game with everything that it says, fetched once. */
export async function fetched(id) {
  if (!games.peek()[id]) {
    const found = await ask(`/api/games/${encodeURIComponent(id)}`);
    games.value = { ...games.peek(), [id]: found };
  }
  return games.peek()[id];
}

export const nameOf = (id) => say([...shelf.value.games, ...shelf.value.families].find((one) => one.id === id)?.title, id);

export async function begin() {
  const [own, families] = await Promise.all([ask("/api/games"), ask("/api/families")]);
  shelf.value = { games: own, families };
  effect(() => { game.value = gameOf(current.value) ?? null; }); // whose words the fields use
  await restore();
  addEventListener("hashchange", () => { if (location.hash !== shown) restore(); });
  keepAddress();
}

/** The state that the address holds; what is broken is said, and a fresh page is shown. */
async function restore() {
  const found = address.read(location.hash);
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
  const first = shelf.value.games[0].id;
  const wanted = state?.series.length ? state.series : [{ game: first }];
  await Promise.all([...new Set([...wanted.map((one) => one.game), state?.before.game, state?.after.game])]
    .filter(Boolean).map(fetched));
  const made = wanted.map((one) => whole(games.peek()[one.game], one));
  series.value = made;
  active.value = state?.active ?? 0;
  tab.value = state?.tab ?? "odds";
  curve.value = state?.curve ?? "exactly";
  sweep.value = state?.sweep ?? {};
  find.value = state?.find ?? {};
  before.value = state?.before ?? {};
  after.value = state?.after ?? {};
  claims.value = state?.claims ?? "";
}

/** A series from an address; one that names only its game or check begins as a new one does. */
function whole(own, { fresh, ...one }) {
  if (!one.check) return newSeries(own);
  const check = checkIn(own, one.check);
  if (check && fresh) return { ...newSeries(own, one.check), options: one.options, policy: one.policy };
  if (!check) throw Object.assign(new Error(t("odds.no_check", { game: say(own.title), check: one.check })), { code: "link" });
  return one;
}

let shown = "";

function keepAddress() {
  let timer = 0;
  effect(() => {
    const state = { tab: tab.value, curve: curve.value, active: active.value, series: series.value, sweep: sweep.value,
      find: find.value, before: before.value, after: after.value, claims: claims.value };
    clearTimeout(timer);
    timer = setTimeout(() => {
      shown = address.written(state);
      history.replaceState(null, "", shown);
    }, QUIET);
  });
}

/** The address of what is shown now. */
export const link = () => `${location.origin}${location.pathname}${address.written({ tab: tab.value, curve: curve.value,
  active: active.value, series: series.value, sweep: sweep.value, find: find.value, before: before.value, after: after.value,
  claims: claims.value })}`;

// -- what is done to series

export function put(changed) {
  series.value = series.peek().map((one) => (one.id === changed.id ? changed : one));
}

export function add() {
  if (series.peek().length >= MOST) return;
  series.value = [...series.peek(), { ...structuredClone(current.peek()), id: nextId() }];
  active.value = series.peek().length - 1;
}

export function drop(id) {
  const left = series.peek().filter((one) => one.id !== id);
  if (!left.length) return;
  active.value = Math.min(active.peek(), left.length - 1);
  series.value = left;
}

/** Another game for a series; the same check where that game has it, too. */
export async function setGame(one, id) {
  try {
    const own = await fetched(id);
    put(checkIn(own, one.check) ? { ...withCheck(own, { ...one, options: {} }, one.check), game: id }
      : { ...newSeries(own), id: one.id });
  } catch (error) {
    problem.value = error;
  }
}
