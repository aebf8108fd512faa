// Where somebody is led, the focus goes along, so that the keyboard and those who listen follow.

const SOON = 60; // milliseconds: what was changed is drawn by then

/** Leads to the first of what is found: into view, and the focus on it. @param {string} selector */
export function leadTo(selector) {
  setTimeout(() => {
    const found = document.querySelector(selector);
    found?.scrollIntoView({ block: "nearest" });
    found?.focus({ preventScroll: true });
  }, SOON);
}

/** Leads to the card of a roll: to its dice, if they are to be thrown by this seat. */
export function leadToCard(name) {
  setTimeout(() => {
    const card = document.getElementById(`card-${name}`);
    if (!card || card.contains(document.activeElement)) return; // somebody types there already
    card.scrollIntoView({ block: "nearest" });
    card.querySelector(".faces input, .throw button")?.focus({ preventScroll: true });
  }, SOON);
}
