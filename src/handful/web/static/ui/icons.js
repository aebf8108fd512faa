// Line icons, drawn on a square of 20, and the mark of Handful. They are never the only sign: a word is beside or behind them.

import { html } from "../app/lib.js";

const PATHS = {
  check: "M4 10.5l4 4L16 6",
  cross: "M5 5l10 10M15 5L5 15",
  eye: "M2 10s3-5.5 8-5.5S18 10 18 10s-3 5.5-8 5.5S2 10 2 10zM10 12.3a2.3 2.3 0 1 0 0-4.6 2.3 2.3 0 0 0 0 4.6",
  veil: "M2 10s3-5.5 8-5.5S18 10 18 10s-3 5.5-8 5.5S2 10 2 10zM4 16L16 4",
  star: "M10 3l2.1 4.6 5 .6-3.7 3.4 1 5L10 14.2l-4.4 2.4 1-5L2.9 8.2l5-.6z",
  bolt: "M11 2L4.5 11.5H10L9 18l6.5-9.5H10z",
  link: "M8.5 11.5a3.5 3.5 0 0 0 5 0l2.5-2.5a3.5 3.5 0 0 0-5-5l-1 1M11.5 8.5a3.5 3.5 0 0 0-5 0L4 11a3.5 3.5 0 0 0 5 5l1-1",
  more: "M4.5 10h.01M10 10h.01M15.5 10h.01",
  people: "M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 16.5c0-3 2.5-4.5 5.5-4.5s5.5 1.5 5.5 4.5M13 4a2.8 2.8 0 0 1 0 5.2M15 12.3c2 .5 3 2 3 4.2",
  versus: "M3 10h5M5.5 7.5L3 10l2.5 2.5M17 10h-5M14.5 7.5L17 10l-2.5 2.5",
  hand: "M7 10V5a1.3 1.3 0 0 1 2.6 0v4M9.6 9V3.8a1.3 1.3 0 0 1 2.6 0V9M12.2 9.5V5.5a1.3 1.3 0 0 1 2.6 0v6.5c0 3-1.8 5-4.6 5S6.2 15.5 4 11.8c.6-1.2 2-.9 3 .7",
  ask: "M4 4h12v9H9.5L6 16.5V13H4zM8 8.5h4",
  sword: "M16.5 3.5l-9 9M16.5 3.5h-3.5l-7 7M16.5 3.5V7l-7 7M4 12l4 4M5.5 14.5L3 17",
  sound: "M3 8v4h3l4 3.5v-11L6 8zM13 7.5a3.5 3.5 0 0 1 0 5M15 5.5a6.5 6.5 0 0 1 0 9",
  home: "M3 9.5L10 3.5l7 6V17H3zM8 17v-5h4v5",
  up: "M10 16V4M5 9l5-5 5 5",
  again: "M15.5 10a5.5 5.5 0 1 1-1.8-4.1M14 2.5v3.7h-3.7",
  plus: "M10 4v12M4 10h12",
  shield: "M10 2.5l6 2v5c0 4-2.5 6.5-6 8-3.5-1.5-6-4-6-8v-5zM7 9.8l2.2 2.2L13 8",
  sun: "M10 13.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1",
  moon: "M16.5 12A7 7 0 0 1 8 3.5 7 7 0 1 0 16.5 12z",
  mute: "M3 8v4h3l4 3.5v-11L6 8zM13 8l4 4M17 8l-4 4",
  screen: "M3 4.5h14v9H3zM7.5 17h5",
  die: "M4.5 3h11A1.5 1.5 0 0 1 17 4.5v11a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 15.5v-11A1.5 1.5 0 0 1 4.5 3zM7 7h.01M13 7h.01M10 10h.01M7 13h.01M13 13h.01",
  flag: "M5 17.5V3.5h10l-2.2 3.5L15 10.5H5",
};

/** @param {keyof typeof PATHS} name */
export const icon = (name) => html`<svg class="ico" viewBox="0 0 20 20" aria-hidden="true"><path d=${PATHS[name]} /></svg>`;

export const logo = () => html`
  <svg viewBox="0 0 40 40" aria-hidden="true">
  <rect x="2" y="13" width="19" height="19" rx="5.5" fill="var(--ink)" transform="rotate(-9 11 22)"/>
  <rect x="19" y="18" width="19" height="19" rx="5.5" fill="var(--felt)" stroke="var(--card)" stroke-width="2" transform="rotate(8 28 27)"/>
  <rect x="12" y="3" width="19" height="19" rx="5.5" fill="var(--brass)" stroke="var(--card)" stroke-width="2" transform="rotate(4 21 12)"/>
  <g fill="var(--on-brass)">
  <circle cx="17.5" cy="8.3" r="2"/>
  <circle cx="25.5" cy="9" r="2"/>
  <circle cx="21.2" cy="12.5" r="2"/>
  <circle cx="17" cy="16.3" r="2"/>
  <circle cx="25" cy="17" r="2"/>
  </g>
  </svg>`;
