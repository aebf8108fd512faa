// Dice as pictures. What a die means comes from the server (role, of, counts); each state differs by shape,
// lightness and sign, never by colour alone, and is in the words for screen readers.

import { html } from "../app/lib.js";
import { t, tn } from "../app/i18n.js";
import { wordFor } from "../app/format.js";
import { InHand, Shape, Sign } from "./dieShapes.js";
import { useThrow } from "./throw.js";

/** @typedef {import("../app/types.d.ts").Die} Drawn */

const MOST_IN_HAND = 12; // dice drawn before a throw; more are a number

/** A die in words, for screen readers. */
export function dieText(die, marks = []) {
  const role = die.role && die.role !== "regular" ? `${wordFor(die.role)}, ` : "";
  const hand = die.physical ? `, ${t("die.typed_by", { who: die.by })}` : "";
  const counts = marks.includes("old") ? `, ${t("die.old")}` : marks.includes("hit") ? `, ${t("die.counts")}`
    : marks.includes("miss") || marks.includes("gone") ? `, ${t("die.counts_not")}` : "";
  const more = marks.includes("burst") ? `, ${t("die.brings")}` : "";
  return `${role}${t("die.shows", { face: die.face })}${hand}${counts}${more}`;
}

/**
 * How a die is drawn.
 * @param {Drawn} die @param {{added?: boolean, summed?: boolean}} row whether it brought another; whether dice add up
 */
export function marksOf(die, { added = false, summed = false } = {}) {
  const marks = [];
  if (die.role === "wild") marks.push("wild");
  if (die.counts === "hit") marks.push("hit");
  if (die.counts === "none") marks.push(die.role === "wild" && die.face === 1 ? "fumble" : summed ? "gone" : "miss");
  if (added) marks.push("burst");
  if (die.role === "reroll") marks.push("again");
  if (die.physical) marks.push("hand");
  return marks;
}

/** Dice that were not thrown yet: a handful, without faces. */
export function Handful({ count, role = "regular" }) {
  const says = tn("say.dice", count);
  return html`<div class=${`dice handful ${role === "wild" ? "obsidian" : ""}`} role="img" aria-label=${says}>
    ${Array.from({ length: Math.min(count, MOST_IN_HAND) }, (_, at) => html`<${InHand} key=${at} />`)}
    ${count > MOST_IN_HAND && html`<b class="more">× ${count}</b>`}</div>`;
}

/**
 * The dice of one side. A rerolled die stands beside its old face, a die that brought another is linked to it.
 * @param {{dice: Drawn[], sides: number, choosing?: any, small?: boolean, of?: string}} props of: the roll,
 *   so that dice which have just come are thrown; small: a line of history
 */
export function Dice({ dice, sides, choosing = null, small = false, of = "" }) {
  const fresh = useThrow(of, dice, small);
  const after = new Map();
  for (const die of dice) if (die.of) after.set(die.of, [...(after.get(die.of) ?? []), die]);
  const first = dice.filter((die) => !die.of || !dice.some((one) => one.number === die.of));
  const chain = (die) => [die, ...(after.get(die.number) ?? []).flatMap(chain)];
  const summed = dice.some((die) => die.counts === "sum");
  const draw = (one, number, marks, at) => html`<${Die} key=${one.number ?? at} die=${one} number=${number} marks=${marks}
    sides=${one.sides || sides} choosing=${choosing} at=${at} fresh=${fresh.has(one)} />`;
  return html`
    <ul class=${`dice ${small ? "small-dice" : ""} ${fresh.stage}`}>
      ${first.map((die, place) => {
        const links = numbered(chain(die), choosing);
        const stands = standing(links.map(([one]) => one));
        return html`<li key=${die.number ?? place} class=${links.length < 2 ? "single" : stands ? "pair" : "chain"}>
          ${links.map(([one, number], at) => {
            const added = (after.get(one.number) ?? []).some((next) => next.role === "extra");
            const old = stands && one !== stands;
            const marks = old ? ["old"] : marksOf(one, { added, summed });
            return html`${at > 0 && !stands && html`<${Arrow} />`}${draw(one, number, marks, place + at)}`;
          })}
        </li>`;
      })}
    </ul>`;
}

/** The throw of a rerolled die that stands: the one that counts, else the latest. Undefined if it was not rerolled. */
function standing(chain) {
  const again = chain.slice(1).filter((one) => one.role === "reroll");
  if (!again.length || again.length < chain.length - 1) return undefined;
  return chain.findLast((one) => one.counts === "hit" || one.counts === "sum") ?? chain.at(-1);
}

const Arrow = () => html`<svg class="to" viewBox="0 0 16 16" aria-hidden="true"><path d="M2 8h11M9 4l4 4-4 4" /></svg>`;

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

/** A little askew, and always the same for the same die. */
const TILTS = [-4, 3, -2, 5, -5, 2, 4, -3];

/** One die: a button if it can be chosen, else a picture with the reason why not. */
function Die({ die, number, marks, sides, choosing, at, fresh }) {
  const tilt = TILTS[(at * 3 + Number(die.face) * 5) % TILTS.length];
  const look = (more = []) => ({ class: `die ${[...marks, ...more].join(" ")}${fresh ? " fresh" : ""}`,
    style: `--tilt: ${tilt}deg; --late: ${Math.min(at * 14, 90)}ms; --from: ${at % 3}`, "data-face": die.face });
  const picture = (more = []) => html`<${Shape} face=${die.face} sides=${sides} /><${Sign} marks=${[...marks, ...more]} />`;
  const says = dieText(die, marks);
  if (!choosing || marks.includes("old")) {
    return html`<span ...${look()} role="img" aria-label=${says} title=${says}>${picture()}</span>`;
  }
  const reason = choosing.lockedBecause(number);
  if (reason) {
    return html`<span ...${look(["locked"])} role="img" aria-label=${`${says}: ${reason}`} title=${reason}>
      ${picture(["locked"])}</span>`;
  }
  const chosen = choosing.chosen.has(number);
  return html`
    <button type="button" ...${look(chosen ? ["pick", "chosen"] : ["pick"])} aria-pressed=${chosen} aria-label=${says}
      onClick=${() => choosing.flip(number)}>${picture(chosen ? ["chosen"] : [])}</button>`;
}
