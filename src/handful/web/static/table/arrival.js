// What happens when a seat's page has opened: the visit is remembered, and a link may name a dialog to open.

import { effect } from "../app/lib.js";
import { rememberVisit } from "../app/myTables.js";
import { game, openDialog, shownPart, view } from "../app/state.js";
import { focusCard } from "../ui/focus.js";
import { unfold } from "./folding.js";

const INVITE = "#invite"; // after a new table was opened

/** Lead the reader to the card of a roll that a link names. */
function leadTo(roll) {
  shownPart.value = "feed";
  unfold(roll);
  focusCard(roll);
}

/** @param {string} place the last part of the page's URL */
export function arrive(place) {
  const stop = effect(() => {
    if (!view.value || !game.value) return;
    const { table, seat, role } = view.value;
    if (!seat) return; // the view of a watcher's screen
    rememberVisit({ place, table, game: { id: game.value.id, title: game.value.title }, seat, role, at: Date.now() });
    if (location.hash.startsWith("#card-")) leadTo(decodeURIComponent(location.hash.slice(6)));
    if (location.hash === INVITE) {
      history.replaceState(null, "", location.pathname + location.search); // not again after a reload
      openDialog.value = { name: "invite", fresh: true };
    }
    queueMicrotask(() => stop());
  });
}
