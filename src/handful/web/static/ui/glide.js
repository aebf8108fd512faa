// Entries that make room for a new one glide to their new places instead of jumping there.

import { afterRender } from "../app/lib.js";

const MOVING = ".entry";
const LONGEST = 40; // entries; nobody sees more of them at once
const CALM = { id: "glide", duration: 220, easing: "cubic-bezier(0.2, 0, 0, 1)" };

const isStill = () => document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Remember where entries are before a patch is rendered; returns a function that lets them glide from there. */
export function savePlaces() {
  if (isStill()) return () => {};
  const before = new Map(visibleEntries().map((one) => [one, one.getBoundingClientRect().top]));
  return () => afterRender(() => {
    for (const [entry, top] of before) {
      for (const one of entry.getAnimations()) if (one.id === CALM.id) one.cancel(); // it goes on from where it is
      const moved = entry.isConnected ? top - entry.getBoundingClientRect().top : 0;
      if (Math.abs(moved) >= 1) entry.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], CALM);
    }
  });
}

function visibleEntries() {
  const all = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(MOVING))].slice(0, LONGEST);
  return all.filter((one) => one.checkVisibility());
}
