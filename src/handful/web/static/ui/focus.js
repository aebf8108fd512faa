// Where somebody is led, the focus goes along, so that the keyboard and those who listen follow.
// And it stays where it is: whoever types goes on typing, whatever the others do meanwhile.

const SOON = 60; // milliseconds: what was changed is drawn by then
const NEXT = ".faces input, .pad button, .throw button, .decision .pick, .decision .options button:not(:disabled)";

/** Whether the keyboard is nowhere: what had the focus is gone, hidden or out of use. */
function isLost() {
  const now = document.activeElement;
  return !now || now === document.body || now.disabled || !now.checkVisibility();
}

/** The first that is seen; of fields for dice the first that is empty. */
const visible = (all) => [...all].find((one) => one.checkVisibility() && !(one.tagName === "INPUT" && one.value));

/** Into a card: to what comes next there, else to the card itself.  Whether there was one. */
function intoCard(id) {
  const card = document.getElementById(id);
  if (!card) return false;
  (visible(card.querySelectorAll(NEXT)) ?? card).focus({ preventScroll: true });
  return true;
}

/** Leads to the first of what is found: into view, and the focus on it. @param {string} selector */
export function leadTo(selector) {
  setTimeout(() => {
    const found = document.querySelector(selector);
    found?.scrollIntoView({ block: "nearest" });
    found?.focus({ preventScroll: true });
  }, SOON);
}

/** Leads to the card of a roll: to what is this seat's to do there; whoever is there already stays. */
export function leadToCard(name) {
  setTimeout(() => {
    const card = document.getElementById(`card-${name}`);
    card?.scrollIntoView({ block: "nearest" });
    const there = card?.contains(document.activeElement) && document.activeElement !== card && !isLost();
    if (card && !there && (isLost() || visible(card.querySelectorAll(NEXT)))) intoCard(card.id);
  }, SOON);
}

/** After something was done at a place: where what was pressed is gone, the focus stays with its card. */
export function stayAt(place) {
  setTimeout(() => { if (isLost()) intoCard(`card-${place}`); }, SOON);
}

/** After another part of the table was shown: where the focus was in the one before, it comes along. */
export function follow(part) {
  setTimeout(() => { if (isLost()) document.getElementById(part)?.focus({ preventScroll: true }); }, SOON);
}

/**
 * Remembers where the focus is, before news are drawn.
 * Cards move, and browsers take the focus from what is moved; what comes back puts it there again, or,
 * where that is gone, to what comes next in the same card, else to the same part of the table.
 */
export function hold() {
  const had = document.activeElement;
  if (isLost()) return () => {};
  const card = had.closest("[id^='card-']")?.id, part = had.closest("[tabindex='-1']:not([id^='card-'], [role='tab'])");
  const from = had.selectionStart, to = had.selectionEnd;
  return () => setTimeout(() => {
    if (!isLost()) return;
    if (had.isConnected && !had.disabled && had.checkVisibility()) {
      had.focus({ preventScroll: true });
      if (typeof from === "number") had.setSelectionRange(from, to);
    } else if (!(card && intoCard(card))) part?.focus({ preventScroll: true });
  });
}
