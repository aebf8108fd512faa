// Exact figures as authors read them: per cent with one place, never rounded to certain or to never.

import { t, written } from "../app/i18n.js";
import { share } from "../app/format.js";

export { share };

/** A chance in per cent. @param {string} fraction */
export function percent(fraction) {
  const exact = share(fraction);
  if (String(fraction) === "0" || String(fraction) === "1") return t("percent", { n: written(exact * 100) });
  if (exact < 0.0005) return t("percent.less", { n: written(0.1) });
  if (exact > 0.9995) return t("percent.more", { n: written(99.9) });
  return t("percent", { n: written(exact * 100, 1) });
}

/** A mean, or any other number. */
export const number = (fraction) => written(share(fraction), 2);

/** A figure by what it shows. */
export const shownAs = (shows, figure) => (figure === null ? "–" : shows === "mean" ? number(figure) : percent(figure));

/** A difference: in points of per cent, or as a number. */
export function difference(shows, fraction) {
  if (fraction === null) return "–";
  const exact = share(fraction);
  const size = shows === "mean" ? written(Math.abs(exact), 2) : t("odds.points", { n: written(Math.abs(exact) * 100, 1) });
  return String(fraction) === "0" ? size : `${exact < 0 ? "−" : "+"}${size}`;
}

/** The difference of two fractions, exactly. */
export function minus(one, other) {
  const [a, b = "1"] = String(one).split("/"), [c, d = "1"] = String(other).split("/");
  const top = BigInt(a) * BigInt(d) - BigInt(c) * BigInt(b);
  return top === 0n ? "0" : `${top}/${BigInt(b) * BigInt(d)}`;
}
