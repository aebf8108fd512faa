// Exact figures as text: percent with one decimal, never rounded to certain or impossible.

import { t, formatDecimal } from "../app/i18n.js";
import { fractionToNumber } from "../app/format.js";

/** Format a chance in percent. @param {string} fraction */
export function percent(fraction) {
  const exact = fractionToNumber(fraction);
  if (String(fraction) === "0" || String(fraction) === "1") return t("percent", { n: formatDecimal(exact * 100) });
  if (exact < 0.0005) return t("percent.less", { n: formatDecimal(0.1) });
  if (exact > 0.9995) return t("percent.more", { n: formatDecimal(99.9) });
  return t("percent", { n: formatDecimal(exact * 100, 1) });
}

const LONGEST = 13; // characters of a fraction that are shown

/** The chance as a plain ratio: "473 of 729"; empty if it is too long to read. @param {string} fraction */
export function exactly(fraction) {
  const [top, bottom] = String(fraction).split("/");
  return bottom && fraction.length <= LONGEST ? t("odds.exactly_in", { n: top, of: bottom }) : "";
}

/** The chance in round words: "about 2 in 3"; empty for what is certain or impossible. @param {string} fraction */
export function aboutIn(fraction) {
  const chance = fractionToNumber(fraction);
  if (chance <= 0 || chance >= 1) return "";
  const rare = Math.min(chance, 1 - chance);
  let [best, of] = [1, Math.round(1 / rare)];
  for (let below = 2; rare >= 0.1 && below <= 10; below += 1) {
    const near = Math.max(1, Math.round(rare * below));
    if (Math.abs(near / below - rare) < Math.abs(best / of - rare) - 0.005) [best, of] = [near, below];
  }
  return t("odds.about_in", { n: chance > 0.5 ? of - best : best, of });
}

/** Format a mean or another number. @param {string} fraction */
export const number = (fraction) => formatDecimal(fractionToNumber(fraction), 2);

/** Format a figure by its kind. @param {string} shows @param {string|null} figure */
export const shownAs = (shows, figure) => (figure === null ? "–" : shows === "mean" ? number(figure) : percent(figure));

/** Format a difference: percentage points, or a number. @param {string} shows @param {string|null} fraction */
export function difference(shows, fraction) {
  if (fraction === null) return "–";
  const exact = fractionToNumber(fraction);
  const size = shows === "mean" ? formatDecimal(Math.abs(exact), 2) : t("odds.points", { n: formatDecimal(Math.abs(exact) * 100, 1) });
  return String(fraction) === "0" ? size : `${exact < 0 ? "−" : "+"}${size}`;
}

/** Subtract two fractions exactly. @param {string} one @param {string} other */
export function minus(one, other) {
  const [a, b = "1"] = String(one).split("/"), [c, d = "1"] = String(other).split("/");
  const top = BigInt(a) * BigInt(d) - BigInt(c) * BigInt(b);
  return top === 0n ? "0" : `${top}/${BigInt(b) * BigInt(d)}`;
}
