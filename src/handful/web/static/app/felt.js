// The colour of a game's felt. It follows from the game's id, so a home-brew has one of its own, too.
// Lightness and tint are fixed in tokens.css: every hue has the same contrast.

const START = 2166136261 ^ 39041; // FNV-1a; the second number spreads the hues of the games that come with Handful

/** The hue of a game's felt, in degrees of OKLCH. @param {string} id */
export function feltHue(id) {
  let mixed = START;
  for (const unit of String(id)) mixed = Math.imul(mixed ^ (unit.codePointAt(0) ?? 0), 16777619);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 12)) >>> 0) % 360;
}

/** The style of an element whose trays lie on the felt of a game. @param {string} id */
export const feltOf = (id) => (id ? `--felt-hue: ${feltHue(id)}; --felt-tint: 0.062` : "");

/** Lay the whole page on the felt of a game. @param {string} id */
export function layFelt(id) {
  const { style } = document.documentElement;
  style.setProperty("--felt-hue", String(feltHue(id)));
  style.setProperty("--felt-tint", "0.062");
}
