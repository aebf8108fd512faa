// What the page knows of its table.  Everything comes over the wire; nothing is guessed.

import { computed, signal } from "./lib.js";
import { keep } from "./persist.js";

/** Where the seat is found: the part of the page's address that names table and seat. */
const place = location.pathname.split("/")[2] ?? "";
/** An address of the seat's own, such as seatPath("view"). */
export const seatPath = (rest) => `/api/tables/${place}/${rest}`;

/** What the seat sees now; see docs/table.md. */
export const view = signal(null);
/** The seat's own log, as far as it was told. */
export const lines = signal([]);
/** Everything about the game: checks, parameters, sheet, words. */
export const game = signal(null);
/** connecting, open, lost (trying again) or gone (the link leads nowhere any more). */
export const connection = signal("connecting");
/** Commands that were not acknowledged yet: key -> {do, data, place}. */
export const pending = signal(new Map());
/** Whether one of them waits for longer than it should. */
export const late = signal(false);
/** What went wrong, where it belongs: place -> Problem. */
export const faults = signal({});
/** What is filled in in the roll panel; it outlives the panel. */
export const rollDraft = keep("roll", signal(null));
/** Which part of the table a narrow screen shows. */
export const shownPart = keep("part", signal("feed"));
/** Which of the things that may be done is shown. */
export const actTab = keep("act", signal("roll"));
/** What is open over the table: {name, …}, or nothing. */
export const openWindow = signal(null);
/** Which of the things to look up is shown. */
export const sideTab = keep("side", signal("characters"));

/** Rolls that their roller wants to throw by hand, and the faces typed so far: they outlive their card. */
export const ownDice = new Set();
export const typedFaces = new Map();

/** How the table is shown: as usual, large and to look at only, or for one screen that all share. */
export const VIEWS = ["table", "big", "middle"];
const wanted = signal(new URLSearchParams(location.search).get("view"));
export const shownAs = computed(() => (VIEWS.includes(wanted.value) ? wanted.value
  : view.value?.role === "watcher" ? "big" : "table"));

/** A screen that all can see is sent what watchers see, from any seat: the server decides, not this page. */
export const watches = () => wanted.value === "big";

/** Show it otherwise; the address says so, to be kept or sent. */
export function showAs(name) {
  if (name === "big" || watches()) return location.replace(`?view=${name}`); // nothing of a seat stays behind
  wanted.value = name;
  history.replaceState(null, "", `?view=${name}`);
}

export const isGM = computed(() => view.value?.role === "gm");
/** Whether all can see this screen though it is the GM's: whatever is hidden from anybody stays off it. */
export const isShared = computed(() => shownAs.value === "middle" && isGM.value);

/** The number in the log at which something was first told, by its name. */
export const numbers = computed(() => {
  const found = new Map();
  for (const { n, data } of lines.value) {
    for (const name of [data.roll, data.request, data.contest]) {
      if (name && !found.has(name)) found.set(name, n);
    }
  }
  return found;
});

/** Rolls that were revealed. */
export const revealed = computed(() =>
  new Set(lines.value.filter((line) => line.kind === "roll_revealed").map((line) => line.data.roll)));

/** Everything that may be done now, by what it is about. */
const actionsAbout = computed(() => {
  const found = new Map();
  for (const action of view.value?.actions ?? []) {
    const about = action.roll ?? action.request ?? action.contest ?? action.character
      ?? action.combatant ?? "";
    if (!found.has(about)) found.set(about, []);
    found.get(about).push(action);
  }
  return found;
});

/** The action, if the server offers it; about a roll, a request … or the table as a whole. */
export const may = (what, about = "") => actions(about).find((one) => one.do === what);

/** All actions about one thing; some are offered more than once, each with a choice of its own. */
export const actions = (about = "") => actionsAbout.value.get(about) ?? [];

export function setFault(place, problem) {
  const { [place]: _, ...others } = faults.value;
  faults.value = problem ? { ...others, [place]: problem } : others;
}
