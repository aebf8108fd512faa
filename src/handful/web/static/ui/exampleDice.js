// Dice of an example throw, as decoration: what counts is brass, what is wild is obsidian.

import { html } from "../app/lib.js";

const PIPS = [[], [4], [0, 8], [0, 4, 8], [0, 2, 6, 8], [0, 2, 4, 6, 8], [0, 2, 3, 5, 6, 8]];

/** @typedef {{face: number, sides: number, role: string, counts: string|null}} ExampleDie */

/** @param {{dice: ExampleDie[]}} props */
export function ExampleDice({ dice }) {
  return html`<div class="examples" aria-hidden="true">${dice.map((die, at) => html`<${Example} key=${at} die=${die} />`)}</div>`;
}

/** @param {{die: ExampleDie}} props */
function Example({ die }) {
  const kind = die.role === "wild" ? "wild" : die.counts === "hit" ? "hit" : die.counts === "none" ? "miss" : "";
  const pips = die.sides === 6 ? PIPS[die.face] : null;
  return html`
    <svg class=${`example ${kind}`} viewBox="0 0 40 42">
      <rect class="edge" x="2" y="4" width="36" height="36" rx="9" />
      <rect class="body" x="2" y="2" width="36" height="35" rx="9" />
      ${pips
        ? pips.map((at) => html`<circle key=${at} class="pip" cx=${10 + (at % 3) * 10} cy=${9.5 + Math.floor(at / 3) * 10} r="3.4" />`)
        : html`<text class="pip" x="20" y="26" text-anchor="middle">${die.face}</text>`}
    </svg>`;
}
