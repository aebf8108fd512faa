// Signals with the state of the table page. All of it comes from the server.

import { computed, signal } from "./lib.js";
import { persist } from "./persist.js";

/** The part of the page's URL that names table and seat. */
const place = location.pathname.split("/")[2] ?? "";
/** A URL below the seat, such as seatPath("view"). */
export const seatPath = (rest) => `/api/tables/${place}/${rest}`;

/** The seat's current view; see docs/table.md. */
export const view = signal(null);
/** The seat's own log. */
export const lines = signal([]);
/** The game: checks, parameters, sheet, wording. */
export const game = signal(null);
/** connecting, open, lost (reconnecting) or gone (the link was revoked). */
export const connection = signal("connecting");
/** Commands not yet acknowledged: key -> {do, data, place}. */
export const pending = signal(new Map());
/** True if a pending command is late. */
export const isLate = signal(false);
/** Errors by the place that shows them: place -> Problem. */
export const faults = signal({});
/** The draft in the roll panel; it survives closing the panel. */
export const rollDraft = persist("roll", signal(null));
/** The part of the table that a narrow screen shows. */
export const shownPart = persist("part", signal("feed"));
/** The open tab of the action panel. */
export const actTab = persist("act", signal("roll"));
/** The open dialog: {name, …}, or null. */
export const openDialog = signal(null);
/** The open tab of the side panel. */
export const sideTab = persist("side", signal("characters"));

/** Rolls thrown with physical dice, and the faces typed so far; both survive a redraw of the card. */
export const ownDice = new Set();
export const typedFaces = new Map();

/** Views of the table: normal, big screen (read-only), shared tablet. */
export const VIEWS = ["table", "big", "middle"];
const wanted = signal(new URLSearchParams(location.search).get("view"));
export const currentView = computed(() => (VIEWS.includes(wanted.value) ? wanted.value
  : view.value?.role === "watcher" ? "big" : "table"));

/** The big screen requests a watcher's view whatever its seat, so the server never sends it secrets. */
export const isWatcherScreen = () => wanted.value === "big";

/** Switch the view; the URL carries it, so it can be bookmarked or sent. */
export function switchView(name) {
  if (name === "big" || isWatcherScreen()) return location.replace(`?view=${name}`); // reload, so that no data of the seat stays in memory
  wanted.value = name;
  history.replaceState(null, "", `?view=${name}`);
}

export const isGM = computed(() => view.value?.role === "gm");
/** True for the GM's shared tablet: everyone can read it, so hidden things stay off it. */
export const isShared = computed(() => currentView.value === "middle" && isGM.value);

/** Log number of the first line about each roll, request and contest. */
export const firstLogNumbers = computed(() => {
  const found = new Map();
  for (const { n, data } of lines.value) {
    for (const name of [data.roll, data.request, data.contest]) {
      if (name && !found.has(name)) found.set(name, n);
    }
  }
  return found;
});

/** Names of revealed rolls. */
export const revealed = computed(() =>
  new Set(lines.value.filter((line) => line.kind === "roll_revealed").map((line) => line.data.roll)));

/** Offered actions, by the name of the thing they are about; "" is the table itself. */
const actionsAbout = computed(() => {
  const found = new Map();
  if (!view.value) return found;
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

/** The offered action on a roll, request …, or on the table as a whole; undefined if not offered. */
export const may = (what, about = "") => actions(about).find((one) => one.do === what);

/** All offered actions on one thing; some appear several times, once per choice. */
export const actions = (about = "") => actionsAbout.value.get(about) ?? [];

export function setFault(place, problem) {
  const { [place]: _, ...others } = faults.value;
  faults.value = problem ? { ...others, [place]: problem } : others;
}
