// Signals with the state of the table page. All of it comes from the server.

import { computed, effect, signal } from "./lib.js";
import { createLogIndex } from "./logIndex.js";
import { persist } from "./persist.js";
import { SignalMap, SignalSet } from "./signalSet.js";

/** @import { Action, Fault, LogLine, PageGame, View } from "./types.js" */

/** The part of the page's URL that names table and seat. */
const place = location.pathname.split("/")[2] ?? "";
/** A URL below the seat, such as seatPath("view"). @param {string} rest */
export const seatPath = (rest) => `/api/tables/${place}/${rest}`;

/** What is null until the server has answered; nothing that needs it is rendered before. */
const NOT_YET = /** @type {any} */ (null);

/** The seat's current view; see docs/table.md. */
export const view = signal(/** @type {View} */ (NOT_YET));
/** The seat's own log. */
export const lines = signal(/** @type {LogLine[]} */ ([]));
/** The game: checks, parameters, sheet, wording. */
export const game = signal(/** @type {PageGame} */ (NOT_YET));
/** connecting, open, lost (reconnecting) or gone (the link was revoked). */
export const connection = signal("connecting");
/** Commands not yet acknowledged, by key. */
export const pending = signal(/** @type {Map<string, {do: string, data: Record<string, any>}>} */ (new Map()));
/** True if a pending command is late. */
export const isLate = signal(false);
/** Errors by the place that shows them: place -> Problem. */
export const faults = signal(/** @type {Record<string, Fault>} */ ({}));
/** The draft in the roll panel; it survives closing the panel. */
export const rollDraft = persist("roll", signal(/** @type {import("./rollDraft.js").Draft|null} */ (null)));
/** The part of the table that a narrow screen shows. */
export const shownPart = persist("part", signal("feed"));
/** Beside the feed of a wide screen: the composer (act) or the side panel; empty until the reader has chosen. */
export const deskPart = persist("desk", signal(""));
/** The character that the side panel shows first. */
export const chosenCharacter = persist("chosen", signal(""));
/** Seats with an open connection; null until the server has told. */
export const here = signal(/** @type {string[]|null} */ (null));

/** Show a part: on a narrow screen alone, on a wide one beside the feed. @param {"act"|"feed"|"side"} part */
export function showPart(part) {
  shownPart.value = part;
}
effect(() => { if (shownPart.value !== "feed") deskPart.value = shownPart.value; });
/** The open tab of the action panel. */
export const actTab = persist("act", signal("roll"));
/** The open dialog: {name, …}, or null. */
export const openDialog = signal(/** @type {Record<string, any>|null} */ (null));
/** The open tab of the side panel. */
export const sideTab = persist("side", signal("characters"));

/** Rolls thrown with physical dice, and the faces typed so far; both survive a redraw of the card. */
export const ownDice = new SignalSet();
export const typedFaces = new SignalMap();

/** Rolls that are too old for the view, by name; the log page fetches them. */
export const olderRolls = signal(/** @type {Map<string, any>} */ (new Map()));

/** Views of the table: normal, big screen (read-only), shared tablet, the log to read and print. */
export const VIEWS = ["table", "big", "middle", "log"];
const wanted = signal(new URLSearchParams(location.search).get("view"));
export const currentView = computed(() => (VIEWS.includes(wanted.value ?? "") ? wanted.value
  : view.value?.role === "watcher" ? "big" : "table"));

/** The big screen requests a watcher's view whatever its seat, so the server never sends it secrets. */
export const isWatcherScreen = () => wanted.value === "big";

/** Switch the view; the URL carries it, so it can be bookmarked or sent. @param {string} name */
export function switchView(name) {
  if (name === "big" || isWatcherScreen()) return location.replace(`?view=${name}`); // reload, so that no data of the seat stays in memory
  wanted.value = name;
  history.replaceState(null, "", `?view=${name}`);
}

export const isGM = computed(() => view.value?.role === "gm");
/** True for the GM's shared tablet: everyone can read it, so hidden things stay off it. */
export const isShared = computed(() => currentView.value === "middle" && isGM.value);

const indexLines = createLogIndex();
const logIndex = computed(() => indexLines(lines.value));

/** Of the first line about a roll, request or contest: its number, by which cards are sorted, and its time. */
export const firstLogNumbers = computed(() => ({ get: (/** @type {string} */ name) => logIndex.value.first(name)?.n }));
export const firstLogTimes = computed(() => ({ get: (/** @type {string} */ name) => logIndex.value.first(name)?.time }));

/** Whether a roll was revealed. */
export const revealed = computed(() => ({ has: (/** @type {string} */ roll) => logIndex.value.isRevealed(roll) }));

/** Offered actions, by the name of the thing they are about; "" is the table itself. */
const actionsAbout = computed(() => {
  /** @type {Map<string, Action[]>} */
  const found = new Map();
  if (!view.value) return found;
  /** @param {string} name @param {Action[]} [may] */
  const add = (name, may = []) => found.set(name, [...(found.get(name) ?? []), ...may]);
  const { may, rolls, requests, contests, characters, fight } = view.value;
  add("", may);
  for (const one of characters) add(one.character, one.may);
  for (const one of fight?.order ?? []) add(one.combatant, one.may); // a combatant may be a character, too
  for (const one of requests) add(one.request, one.may);
  for (const one of contests) add(one.contest, one.may);
  for (const one of rolls) add(one.roll, one.may);
  return found;
});

/** The offered action on a roll, request …, or on the table as a whole; undefined if not offered. @param {string} what @returns {any} */
export const may = (what, about = "") => actions(about).find((one) => one.do === what);

/** All offered actions on one thing; some appear several times, once per choice. */
export const actions = (about = "") => actionsAbout.value.get(about) ?? [];

/** @param {string} place @param {Fault|null} problem */
export function setFault(place, problem) {
  const { [place]: _, ...others } = faults.value;
  faults.value = problem ? { ...others, [place]: problem } : others;
}

/** What a wide screen shows beside the feed: a player's character first, else the composer. */
export const desk = computed(() => {
  if (deskPart.value) return deskPart.value;
  const own = view.value?.characters.some((one) => one.owner === view.value?.seat && one.sheet);
  return !may("declare") || (own && !isGM.value) ? "side" : "act";
});
