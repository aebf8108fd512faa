// A distribution as bars, with a data table.

import { html } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { percent, formatNumber, fractionToNumber, wordFor } from "../app/format.js";

const WIDTH = 320, HEIGHT = 120, FOOT = 18, MOST = 40;

/** Rows to show; very unlikely results at the end are left out. */
function rowsOf(odds) {
  const rows = odds.distribution.map(([value, chance]) => ({ value: formatNumber(value), chance, share: fractionToNumber(chance) }));
  const rest = odds.tail ? fractionToNumber(odds.tail.probability) : 0;
  let last = rows.length;
  while (last > 12 && rows[last - 1].share < 0.0005) last -= 1;
  last = Math.min(last, MOST);
  const beyond = rows.slice(last).reduce((sum, one) => sum + one.share, rest);
  return { rows: rows.slice(0, last), beyond, from: rows[last]?.value ?? formatNumber(odds.tail?.from ?? "") };
}

export function Chart({ odds, main }) {
  const { rows, beyond, from } = rowsOf(odds);
  const most = Math.max(...rows.map((one) => one.share), 0.0001);
  const wide = WIDTH / rows.length;
  const every = Math.ceil(rows.length / 12);
  let above = beyond;
  const sums = [...rows].reverse().map((one) => (above += one.share)).reverse();
  return html`
    <figure class="chart">
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT + FOOT}`} role="img" aria-label=${t("chart.label", { what: wordFor(main) })}>
        ${rows.map((one, at) => {
          const tall = Math.max(1, (one.share / most) * HEIGHT);
          return html`<g key=${one.value}>
            <rect x=${at * wide + wide * 0.1} y=${HEIGHT - tall} width=${wide * 0.8} height=${tall} rx="1.5">
              <title>${one.value}: ${percent(one.chance)}</title></rect>
            ${at % every === 0 && html`<text x=${(at + 0.5) * wide} y=${HEIGHT + 13}>${one.value}</text>`}
          </g>`;
        })}
      </svg>
      <details>
        <summary>${t("chart.table")}</summary>
        <table class="figures">
          <thead><tr><th scope="col">${wordFor(main)}</th><th scope="col">${t("chart.exactly")}</th>
            <th scope="col">${t("chart.at_least")}</th></tr></thead>
          <tbody>
            ${rows.map((one, at) => html`<tr key=${one.value}><th scope="row">${one.value}</th>
              <td title=${one.chance}>${percent(one.chance)}</td><td>${near(sums[at])}</td></tr>`)}
            ${beyond > 0 && html`<tr><th scope="row">${t("chart.from", { n: from })}</th>
              <td>${near(beyond)}</td><td>${near(beyond)}</td></tr>`}
          </tbody>
        </table>
      </details>
      ${Object.entries(odds.events ?? {}).map(([name, chance]) => html`
        <p key=${name} class="small">${wordFor(name)}: <strong>${percent(chance)}</strong></p>`)}
      ${Object.entries(odds.policy ?? {}).map(([name, how]) => html`
        <p key=${name} class="small muted">${t("chart.policy", { what: wordFor(name), how })}</p>`)}
    </figure>`;
}

const near = (number) => percent(`${Math.round(Math.min(1, number) * 1e9)}/1000000000`);
