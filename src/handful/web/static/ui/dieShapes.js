// The drawing of one die on a square of 64 by 70: a cube with pips or a numeral, the other solids with their facets.

import { html } from "../app/lib.js";

const PIPS = { 1: "c", 2: "ai", 3: "aci", 4: "abgi", 5: "abcgi", 6: "abefgi" };
const SPOTS = { a: [18, 17], b: [46, 17], c: [32, 31.5], e: [18, 31.5], f: [46, 31.5], g: [18, 46], i: [46, 46] };

/** Outline, facets with their shade, and the line on which the numeral stands. */
const SOLIDS = {
  4: { outline: "32,4 61,55 3,55", low: 51,
    facets: [["32,4 32,40 3,55", "bright"], ["32,40 3,55 61,55", "dim2"], ["32,4 61,55 32,40", "dim1"]] },
  8: { outline: "32,2 60,42 32,63 4,42", low: 38,
    facets: [["32,2 4,42 60,42", "bright"], ["4,42 60,42 32,63", "dim2"]] },
  10: { outline: "32,2 61,27 61,38 32,63 3,38 3,27", low: 37,
    facets: [["32,2 51,38 32,47 13,38", "bright"], ["3,27 13,38 32,47 32,63 3,38", "dim1"],
      ["61,27 51,38 32,47 32,63 61,38", "dim2"]] },
  12: { outline: "32,2 50,8 61,23 61,42 50,57 32,63 14,57 3,42 3,23 14,8", low: 40,
    facets: [["32,15 50,28 43,49 21,49 14,28", "bright"], ["43,49 21,49 14,57 32,63 50,57", "dim2"],
      ["50,28 61,23 61,42 50,57 43,49", "dim1"]] },
  20: { outline: "32,2 60,17 60,48 32,63 4,48 4,17", low: 43,
    facets: [["32,15 51,46 13,46", "bright"], ["13,46 51,46 32,63", "dim2"], ["51,46 60,48 32,63", "dim2"],
      ["32,15 60,17 51,46", "dim1"], ["60,17 60,48 51,46", "dim2"], ["13,46 4,48 32,63", "dim1"]] },
};

const RAYS = Array.from({ length: 24 }, (_, at) => {
  const [far, angle] = [at % 2 ? 34 : 45, at * Math.PI / 12];
  return `${(32 + far * Math.cos(angle)).toFixed(1)},${(33 + far * Math.sin(angle)).toFixed(1)}`;
}).join(" ");

/** Signs at the corner of a die, on a square of 16; dice thrown by hand have a dashed ring instead. */
const SIGNS = {
  hit: "M3 8.5l3.2 3.2L13 5",
  burst: "M8 3v10M3 8h10",
  wild: "M8 2.6l1.7 3.5 3.8.5-2.8 2.7.7 3.9L8 11.4l-3.4 1.8.7-3.9L2.5 6.6l3.8-.5z",
  again: "M12.5 8a4.5 4.5 0 1 1-1.5-3.4M11.5 2v3h-3",
  chosen: "M12.5 8a4.5 4.5 0 1 1-1.5-3.4M11.5 2v3h-3",
  locked: "M4.5 7.5h7V13h-7zM6 7.5V5.5a2 2 0 0 1 4 0v2",
  fumble: "M8 3v6M8 12.3v.4",
  blind: "M2.5 8s2-3.8 5.5-3.8S13.5 8 13.5 8s-2 3.8-5.5 3.8S2.5 8 2.5 8zM3 13L13 3",
  gone: "M4 4l8 8M12 4l-8 8",
};
/** The sign that is shown if several would fit. */
const FIRST = ["chosen", "fumble", "gone", "blind", "locked", "burst", "hit", "wild", "again"];

export function Sign({ marks }) {
  const name = FIRST.find((one) => marks.includes(one));
  return name ? html`<span class="sign"><svg viewBox="0 0 16 16"><path d=${SIGNS[name]} /></svg></span>` : null;
}

/** @param {{face: number | string, sides?: number}} props */
export function Shape({ face, sides = 6 }) {
  return html`
    <svg viewBox="0 0 64 70" focusable="false" aria-hidden="true">
      <polygon class="rays" points=${RAYS} />
      ${SOLIDS[sides] ? solid(SOLIDS[sides], face) : cube(face, sides)}
    </svg>`;
}

function cube(face, sides) {
  const pips = sides === 6 && PIPS[face];
  return html`
    <rect class="shade" x="5" y="12" width="58" height="57" rx="17" />
    <rect class="deep" x="3" y="6" width="58" height="59" rx="16" />
    <rect class="body" x="3" y="3" width="58" height="57" rx="16" />
    <rect class="lit" x="8" y="7" width="48" height="47" rx="19" />
    <rect class="ring" x="1.5" y="1.5" width="61" height="64" rx="17" />
    ${pips ? [...pips].map((at) => html`
      <circle class="groove" cx=${SPOTS[at][0]} cy=${SPOTS[at][1] + 1.3} r="5.3" />
      <circle class="dot" cx=${SPOTS[at][0]} cy=${SPOTS[at][1]} r="5.3" />`)
      : html`<text x="32" y="42" font-size=${String(face).length > 2 ? 22 : 30}>${face}</text>`}`;
}

function solid({ outline, facets, low }, face) {
  return html`
    <polygon class="shade" points=${outline} transform="translate(2 7)" />
    <polygon class="deep" points=${outline} transform="translate(0 3)" stroke-width="6" stroke-linejoin="round" />
    <polygon class="body" points=${outline} stroke-width="6" stroke-linejoin="round" />
    ${facets.map(([points, shade]) => html`<polygon class=${shade} points=${points} />`)}
    <polygon class="ring" points=${outline} stroke-width="6" />
    <text x="32" y=${low} font-size=${low < 38 || low === 40 ? 20 : 22}>${face}</text>`;
}

/** A die that is not thrown yet, seen from its corner, so that nobody takes it for a result. */
export const InHand = () => html`
  <span class="die" aria-hidden="true"><svg viewBox="0 0 64 70">
    <polygon class="shade" points="34,10 60,24 60,54 34,69 8,54 8,24" />
    <polygon class="deep" points="32,6 57,20 57,49 32,63 7,49 7,20" stroke-width="5" stroke-linejoin="round" />
    <polygon class="lit" points="32,5 58,19.5 32,34 6,19.5" />
    <polygon class="body" points="5,21.5 31,36 31,64 5,49.5" />
    <polygon class="flank" points="59,21.5 33,36 33,64 59,49.5" />
    <g class="dot"><ellipse cx="32" cy="19.5" rx="6.4" ry="3.6" />
      <ellipse cx="12.5" cy="35" rx="3.4" ry="4.6" transform="rotate(-18 12.5 35)" />
      <ellipse cx="23.5" cy="51" rx="3.4" ry="4.6" transform="rotate(-18 23.5 51)" />
      <ellipse cx="39.5" cy="53" rx="3.2" ry="4.4" transform="rotate(18 39.5 53)" />
      <ellipse cx="46" cy="43" rx="3.2" ry="4.4" transform="rotate(18 46 43)" />
      <ellipse cx="52.5" cy="33" rx="3.2" ry="4.4" transform="rotate(18 52.5 33)" /></g>
  </svg></span>`;
