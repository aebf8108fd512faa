// The throw: dice that have just come fall for a moment and end in the faces the server has sent.
// Dice that were there before the page looked (a reload, a lost connection, a hidden tab) are drawn, not thrown.

import { useEffect, useRef, useState } from "../app/lib.js";
import { clatter, shake } from "./sound.js";

const FALL = 330, LIGHT = 100; // milliseconds, as in tokens.css
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Roll and side -> how many of its dice were drawn. */
const drawn = new Map();
let live = false;

/** Whether dice that come now are thrown: not with a snapshot. Called before its rolls are drawn. @param {boolean} now */
export function setLive(now) {
  live = now;
}

/** Whether what is drawn now has just happened. */
export const isLive = () => live && !document.hidden;

/** @param {string} of @param {import("../app/types.d.ts").Die[]} dice */
const placeOf = (of, dice) => `${of} ${dice[0]?.side ?? 0}`;

/**
 * The dice of a row that fall now (`has`), and the stage: throwing, landed or "".
 * @param {string} of the roll; empty for dice that are never thrown @param {import("../app/types.d.ts").Die[]} dice
 * @param {boolean} small a line of history is never thrown
 */
export function useThrow(of, dice, small) {
  const place = placeOf(of, dice);
  const before = drawn.get(place) ?? 0;
  const falls = of && !small && isLive() && dice.length > before;
  const from = useRef(0);
  const [stage, setStage] = useState(falls ? "throwing" : "");
  if (falls) from.current = before;
  if (of) drawn.set(place, dice.length);
  const now = falls ? "throwing" : stage;
  useEffect(() => {
    if (!falls) return undefined;
    setStage("throwing");
    clatter(dice.length - before);
    shake();
    const fall = still.matches ? 0 : FALL;
    const landing = setTimeout(() => setStage("landed"), fall);
    const over = setTimeout(() => setStage(""), fall + LIGHT);
    return () => { clearTimeout(landing); clearTimeout(over); };
  }, [dice.length]);
  const fresh = now ? new Set(dice.slice(from.current)) : new Set();
  return { stage: now, has: fresh.has.bind(fresh) };
}
