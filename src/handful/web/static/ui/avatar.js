// A face for a seat or a character: a small picture, or initials on its colour.
// A letter always stands on the colour, so nobody is known by a colour alone.

import { html, useState } from "../app/lib.js";

/** Colours that a seat may choose; base.css has them by name. */
export const COLOURS = ["red", "orange", "green", "teal", "blue", "violet", "pink", "brown"];

/** Initials of the first and the last word: "Mira Quill" is MQ, "ann" is A. */
export function initials(name) {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const first = [...(words[0] ?? "?")][0], last = words.length > 1 ? [...words.at(-1)][0] : "";
  return (first + last).toLocaleUpperCase();
}

/** The colour of somebody who has not chosen one: it follows from the name, so all see the same. */
export function colourOf(name) {
  let sum = 0;
  for (const one of name) sum = (sum * 31 + one.codePointAt(0)) % 65521;
  return COLOURS[sum % COLOURS.length];
}

/** @param {{name: string, colour?: string, picture?: string, size?: "s"|"l"|"", npc?: boolean}} props */
export function Avatar({ name, colour, picture, size = "", npc = false }) {
  const kind = `who ${size} ${npc ? "npc" : ""}`;
  const [broken, setBroken] = useState("");
  if (picture && picture !== broken) {
    return html`<img class=${kind} src=${picture} alt="" width="40" height="40" onError=${() => setBroken(picture)} />`;
  }
  return html`<span class=${kind} data-colour=${npc ? null : colour ?? colourOf(name)} aria-hidden="true">${initials(name)}</span>`;
}
