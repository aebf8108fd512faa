// Focus management: when the page leads you somewhere, the focus goes along; otherwise it stays where it
// is, so that other people's actions never interrupt typing.

const RENDER_DELAY = 60; // milliseconds until a change is rendered
const NEXT = ".faces input, .pad button, .throw button, .decision .pick, .decision .options button:not(:disabled)";

/** True if the focused element is gone, hidden or disabled. */
function isLost() {
  const now = document.activeElement;
  return !now || now === document.body || now.disabled || !now.checkVisibility();
}

/** The first visible element; of inputs for faces, the first empty one. */
const visible = (all) => [...all].find((one) => one.checkVisibility() && !(one.tagName === "INPUT" && one.value));

/** Focus the next control of a card, else the card itself. Returns false if there is no such card. */
function focusInCard(id) {
  const card = document.getElementById(id);
  if (!card) return false;
  (visible(card.querySelectorAll(NEXT)) ?? card).focus({ preventScroll: true });
  return true;
}

/** Scroll to the first match and focus it. @param {string} selector */
export function focusFirst(selector) {
  setTimeout(() => {
    const found = document.querySelector(selector);
    found?.scrollIntoView({ block: "nearest" });
    found?.focus({ preventScroll: true });
  }, RENDER_DELAY);
}

/** Focus the next control of a roll's card, unless the focus is in the card already. */
export function focusCard(name) {
  setTimeout(() => {
    const card = document.getElementById(`card-${name}`);
    card?.scrollIntoView({ block: "nearest" });
    const there = card?.contains(document.activeElement) && document.activeElement !== card && !isLost();
    if (card && !there && (isLost() || visible(card.querySelectorAll(NEXT)))) focusInCard(card.id);
  }, RENDER_DELAY);
}

/** After a command: if the pressed button is gone, keep the focus in its card. */
export function keepFocusAt(place) {
  setTimeout(() => { if (isLost()) focusInCard(`card-${place}`); }, RENDER_DELAY);
}

/** After switching the visible part: move the focus along if it was in the hidden one. */
export function moveFocus(part) {
  setTimeout(() => { if (isLost()) document.getElementById(part)?.focus({ preventScroll: true }); }, RENDER_DELAY);
}

/**
 * Remember the focus before a patch is rendered; returns a function that restores it.
 * Cards move, and browsers blur moved elements. If the element is gone, the focus goes to the next
 * control of the same card, else to the same part of the table.
 */
export function saveFocus() {
  const had = document.activeElement;
  if (isLost()) return () => {};
  const card = had.closest("[id^='card-']")?.id, part = had.closest("[tabindex='-1']:not([id^='card-'], [role='tab'])");
  const from = had.selectionStart, to = had.selectionEnd;
  return () => setTimeout(() => {
    if (!isLost()) return;
    if (had.isConnected && !had.disabled && had.checkVisibility()) {
      had.focus({ preventScroll: true });
      if (typeof from === "number") had.setSelectionRange(from, to);
    } else if (!(card && focusInCard(card))) part?.focus({ preventScroll: true });
  });
}
