// Dice as pictures. Roles differ by shape and symbol, never by colour alone.

import { html } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { wordFor } from "../app/format.js";

const PIPS = {
  1: [[2, 2]], 2: [[1, 1], [3, 3]], 3: [[1, 1], [2, 2], [3, 3]],
  4: [[1, 1], [1, 3], [3, 1], [3, 3]], 5: [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]],
  6: [[1, 1], [1, 2], [1, 3], [3, 1], [3, 2], [3, 3]],
};
const SIGNS = { wild: "★", reroll: "↻", extra: "+", regular: "" };

/** A die in words, for screen readers. */
export function dieText(die) {
  const role = die.role && die.role !== "regular" ? `${wordFor(die.role)}, ` : "";
  const hand = die.physical ? `, ${t("die.typed_by", { who: die.by })}` : "";
  return `${role}${t("die.shows", { face: die.face })}${hand}`;
}

/** A die's picture. @param {{face: number, role?: string, sides?: number, physical?: boolean}} props */
export function Face({ face, role = "regular", sides = 6, physical = false }) {
  const sign = SIGNS[role] ?? wordFor(role).slice(0, 1);
  const classes = `die ${role === "wild" ? "wild" : ""}`;
  return html`
    <svg class=${classes} viewBox="0 0 40 40" aria-hidden="true">
      ${role === "wild"
        ? html`<rect x="1.5" y="1.5" width="37" height="37" rx="3" class="body" /><rect x="4.5" y="4.5" width="31"
          height="31" rx="2" class="inner" />`
        : html`<rect x="2" y="2" width="36" height="36" rx="8" class="body" />`}
      ${physical && html`<rect x="4.5" y="4.5" width="31" height="31" rx="5" class="hand" />`}
      ${sides === 6 && PIPS[face]
        ? PIPS[face].map(([x, y]) => html`<circle cx=${x * 9.5 + 1} cy=${y * 9.5 + 1} r="3.6" class="pip" />`)
        : html`<text x="20" y="27" class="number">${face}</text>`}
      ${sign && html`<g><circle cx="33" cy="7" r="7" class="sign" /><text x="33" y="10.4"
        class="mark">${sign}</text></g>`}
    </svg>`;
}

/** The dice of one side; a rerolled die is shown linked to its new face. */
export function Dice({ dice, sides, choosing = null }) {
  const after = new Map();
  for (const die of dice) if (die.of) after.set(die.of, [...(after.get(die.of) ?? []), die]);
  const first = dice.filter((die) => !die.of || !dice.some((one) => one.number === die.of));
  const chain = (die) => [die, ...(after.get(die.number) ?? []).flatMap(chain)];
  return html`
    <ul class="dice">
      ${first.map((die, at) => html`
        <li key=${die.number ?? at} class=${after.has(die.number) ? "chain linked" : "chain"}>
          ${numbered(chain(die), choosing).map(([one, number]) => html`<${Die} die=${one} number=${number}
            sides=${sides} choosing=${choosing} />`)}
        </li>`)}
    </ul>`;
}

/**
 * The number by which each die of a reroll chain is chosen. A rerolled die keeps its number; the latest
 * die that shows the counting face represents the chain.
 */
function numbered(chain, choosing) {
  const [root] = chain;
  const counts = choosing?.face.get(root.number);
  const stands = chain.findLast((one) => one.face === counts
    && (one === root || (one.role === "reroll" && !choosing.face.has(one.number))));
  if (!stands) return chain.map((one) => [one, one.number]);
  return chain.map((one) => [one, one === stands ? root.number : one === root ? null : one.number]);
}

const Lock = () => html`<svg class="lock" viewBox="0 0 12 12" aria-hidden="true">
  <rect x="2" y="5" width="8" height="6" rx="1" /><path d="M4 5V3.5a2 2 0 0 1 4 0V5" /></svg>`;

/** One die: a button if it can be chosen, else a picture with the reason why not. */
function Die({ die, number, sides, choosing }) {
  const picture = html`<${Face} face=${die.face} role=${die.role} sides=${sides} physical=${die.physical} />`;
  if (!choosing) {
    return html`<span role="img" aria-label=${dieText(die)} title=${dieText(die)}>${picture}</span>`;
  }
  const chosen = choosing.chosen.has(number);
  const reason = choosing.lockedBecause(number);
  if (reason) {
    return html`<span class="locked" role="img" aria-label=${`${dieText(die)}: ${reason}`} title=${reason}>
      ${picture}<${Lock} /></span>`;
  }
  return html`
    <button type="button" class="pick" aria-pressed=${chosen} aria-label=${dieText(die)}
      onClick=${() => choosing.flip(number)}>${picture}
      <span class="chosen" aria-hidden="true">${chosen ? "✓" : ""}</span></button>`;
}
