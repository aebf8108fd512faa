// Focus management: when the page leads you somewhere, the focus goes along; otherwise it stays where it
// is, so that other people's actions never interrupt typing.

import { afterRender } from "../app/lib.js";

const NEXT = ".faces input, .pad button, .throw button, .decision .pick, .decision .options button:not(:disabled)";

/** @typedef {HTMLElement & Partial<Pick<HTMLInputElement, "disabled" | "selectionStart" | "selectionEnd" | "value">>} Focusable */

/** The focused element; null if it is gone, hidden or disabled. */
function focused() {
  const now = /** @type {Focusable|null} */ (document.activeElement);
  return !now || now === document.body || now.disabled || !now.checkVisibility() ? null : now;
}

/**
 * The first visible element; of inputs for faces, the first empty one.
 * @param {NodeListOf<Element>} all
 */
const visible = (all) => /** @type {Focusable[]} */ ([...all])
  .find((one) => one.checkVisibility() && !(one.tagName === "INPUT" && one.value));

/** @param {HTMLElement|null|undefined} element */
const focusQuietly = (element) => element?.focus({ preventScroll: true });

/** Focus the next control of a card, else the card itself. Returns false if there is no such card. @param {string} id */
function focusInCard(id) {
  const card = document.getElementById(id);
  if (!card) return false;
  focusQuietly(visible(card.querySelectorAll(NEXT)) ?? card);
  return true;
}

/** What the page leads to and is not rendered yet. @type {(() => boolean)|null} */
let awaited = null;

/**
 * Lead the reader to something as soon as it is rendered; whatever they do themselves comes first.
 * @param {() => boolean} go returns false as long as there is nothing to lead to
 */
function lead(go) {
  awaited = null;
  afterRender(() => {
    if (!go()) awaited = go;
  });
}

/** After something was rendered that may have been waited for. */
function followFocus() {
  if (awaited?.()) awaited = null;
}

if (typeof document !== "undefined") {
  for (const event of ["keydown", "pointerdown"]) document.addEventListener(event, () => { awaited = null; }, true);
}

/** Scroll to the first match and focus it. @param {string} selector @param {ScrollLogicalPosition} [block] */
export function focusFirst(selector, block = "nearest") {
  lead(() => {
    const found = /** @type {HTMLElement|null} */ (document.querySelector(selector));
    found?.scrollIntoView({ block });
    focusQuietly(found);
    return Boolean(found);
  });
}

/** Focus the next control of a roll's card, unless the focus is in the card already. @param {string} name */
export function focusCard(name) {
  lead(() => {
    const card = document.getElementById(`card-${name}`);
    if (!card?.checkVisibility()) return false; // its part of a narrow screen may not be shown yet
    card.scrollIntoView({ block: "nearest" });
    const now = focused();
    const isThere = now && now !== card && card.contains(now);
    if (!isThere && (!now || visible(card.querySelectorAll(NEXT)))) focusInCard(card.id);
    return true;
  });
}

/** After a command: if the pressed button is gone, keep the focus in its card. @param {string} place */
export function keepFocusAt(place) {
  afterRender(() => { if (!focused()) focusInCard(`card-${place}`); });
}

/** After switching the visible part: move the focus along if it was in the hidden one. @param {string} part */
export function moveFocus(part) {
  afterRender(() => {
    followFocus();
    if (!focused()) focusQuietly(document.getElementById(part));
  });
}

/**
 * Remember the focus before a patch is rendered; returns a function that restores it.
 * Cards move, and browsers blur moved elements. If the element is gone, the focus goes to the next
 * control of the same card, else to the same part of the table.
 */
export function saveFocus() {
  const had = focused();
  if (!had) return () => afterRender(followFocus);
  const card = had.closest("[id^='card-']")?.id;
  const part = /** @type {HTMLElement|null} */ (had.closest("[tabindex='-1']:not([id^='card-'], [role='tab'])"));
  const from = had.selectionStart, to = had.selectionEnd;
  return () => afterRender(() => {
    followFocus();
    if (!focused()) restore(had, { card, part, from, to });
  });
}

/**
 * @param {Focusable} had
 * @param {{card?: string, part: HTMLElement|null, from?: number|null, to?: number|null}} was
 */
function restore(had, { card, part, from, to }) {
  if (had.isConnected && !had.disabled && had.checkVisibility()) {
    focusQuietly(had);
    if (typeof from === "number") /** @type {HTMLInputElement} */ (had).setSelectionRange(from, to ?? from);
  } else if (!(card && focusInCard(card))) focusQuietly(part);
}
