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

/** Format a mean or another number. */
export const number = (fraction) => formatDecimal(fractionToNumber(fraction), 2);

/** Format a figure by its kind. */
export const shownAs = (shows, figure) => (figure === null ? "–" : shows === "mean" ? number(figure) : percent(figure));

/** Format a difference: percentage points, or a number. */
export function difference(shows, fraction) {
  if (fraction === null) return "–";
  const exact = fractionToNumber(fraction);
  const size = shows === "mean" ? formatDecimal(Math.abs(exact), 2) : t("odds.points", { n: formatDecimal(Math.abs(exact) * 100, 1) });
  return String(fraction) === "0" ? size : `${exact < 0 ? "−" : "+"}${size}`;
}

/** Subtract two fractions exactly. */
export function minus(one, other) {
  const [a, b = "1"] = String(one).split("/"), [c, d = "1"] = String(other).split("/");
  const top = BigInt(a) * BigInt(d) - BigInt(c) * BigInt(b);
  return top === 0n ? "0" : `${top}/${BigInt(b) * BigInt(d)}`;
}
