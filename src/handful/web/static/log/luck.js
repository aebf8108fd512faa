// The luck report: results against their exact expectation, for rolls this seat has seen.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { seatPath } from "../app/state.js";
import { t, tn, formatDecimal } from "../app/i18n.js";
import { checkTitle, formatNumber, fractionToNumber } from "../app/format.js";
import { Dialog } from "../ui/dialog.js";
import { Fault } from "../ui/fault.js";
import { Plotted, series } from "../ui/plot.js";
import { textButton } from "../ui/button.js";

/** A percentile among fair sessions, from 0 to 1, in percent. */
export const percentile = (value) => t("percent", { n: formatDecimal(value * 100, 1) });

export function LuckWindow({ close }) {
  const [found, setFound] = useState(null);
  const [problem, setProblem] = useState(null);
  const look = () => { setProblem(null); ask(seatPath("luck")).then(setFound, setProblem); };
  useEffect(look, []);
  return html`
    <${Dialog} kind="luck" title=${t("luck.title")} close=${close}>
      <div class="stack">
        <p class="small">${t("luck.why")}</p>
        <${Fault} problem=${problem} />
        ${!found && !problem && html`<p role="status">${t("luck.counting")}</p>`}
        ${found && (found.table.count ? html`<${Report} found=${found} />` : html`<p role="status">${t("luck.none")}</p>`)}
        ${found?.left_out > 0 && html`<p class="small muted">${tn("luck.left_out", found.left_out)}</p>`}
        <p>${textButton(t("luck.again"), look)}</p>
      </div>
    <//>`;
}

function Report({ found }) {
  const seats = Object.entries(found.seats).map(([name, one]) => ({ name, ...one }));
  const whole = seats.length > 1 ? [{ name: t("luck.together"), ...found.table }] : [];
  return html`
    <section class="stack"><h3>${t("luck.each")}</h3><${Each} found=${found} all=${[...seats, ...whole]} /></section>
    <section class="stack"><h3>${t("luck.course")}</h3><${Course} found=${found} seats=${seats} /></section>
    <section class="stack"><h3>${t("luck.rolls")}</h3>${seats.map((one) => html`<${Rolls} key=${one.name} of=${one} />`)}</section>`;
}

/** All players on one scale from unlucky to lucky; one half is the expectation. */
function Each({ found, all }) {
  const draw = (Plot) => ({
    height: 62 + 34 * all.length, marginBottom: 42, marginLeft: marginFor(all), x: { domain: [0, 100], label: t("luck.axis"), grid: true },
    y: { domain: all.map((one) => one.name), label: null },
    marks: [
      Plot.ruleX([50], { strokeDasharray: "4 3" }),
      Plot.ruleY(all, { y: "name", x1: 50, x2: (one) => one.percentile * 100, stroke: series(0).colour, strokeWidth: 4 }),
      Plot.dot(all, { y: "name", x: (one) => one.percentile * 100, r: 6, fill: series(0).colour,
        title: (one) => `${one.name}: ${percentile(one.percentile)}` }),
    ],
  });
  return html`<${Plotted} label=${t("luck.each")} data=${found} draw=${draw} open
    words=${all.map((one) => tn("luck.says", one.count, { who: one.name, percent: percentile(one.percentile) })).join(" ")}
    columns=${[t("luck.who"), t("luck.count"), t("luck.percentile"), t("luck.same")]}
    rows=${all.map((one) => [one.name, one.count, percentile(one.percentile), percentile(one.same)])} />`;
}

/** Luck roll by roll: a line per player, with colour, dash, symbol and a name at the end. */
function Course({ found, seats }) {
  const points = seats.flatMap((one, at) => one.course.map((value, n) =>
    ({ name: one.name, at, n: n + 1, value: value * 100 })));
  const ends = spreadLabels(seats.map((one, at) => ({ name: one.name, at, n: one.count, value: one.percentile * 100 })));
  const draw = (Plot) => ({
    height: 250, marginBottom: 40, marginRight: marginFor(seats), x: { label: t("luck.nth"), tickFormat: (n) => (Number.isInteger(n) ? String(n) : "") },
    y: { domain: [0, 100], label: t("luck.axis"), grid: true },
    marks: [
      Plot.ruleY([50], { strokeDasharray: "4 3" }),
      ...seats.map((one, at) => Plot.line(points.filter((point) => point.at === at),
        { x: "n", y: "value", stroke: series(at).colour, strokeDasharray: series(at).dash, strokeWidth: 2 })),
      ...seats.map((one, at) => Plot.dot(points.filter((point) => point.at === at),
        { x: "n", y: "value", stroke: series(at).colour, symbol: series(at).symbol, r: 3,
          title: (point) => `${point.name} ${point.n}: ${percentile(point.value / 100)}` })),
      Plot.text(ends, { x: "n", y: "value", text: (one) => short(one.name), dx: 8, textAnchor: "start",
        fill: (one) => series(one.at).colour }),
    ],
  });
  const most = Math.max(...seats.map((one) => one.count));
  return html`<${Plotted} label=${t("luck.course")} data=${found} draw=${draw} words=${t("luck.course_says")}
    columns=${[t("luck.nth"), ...seats.map((one) => one.name)]}
    rows=${Array.from({ length: most }, (_, n) => [n + 1, ...seats.map((one) =>
      one.course[n] === undefined ? "" : percentile(one.course[n]))])} />`;
}

function Rolls({ of }) {
  const result = (one) => html`${formatNumber(one.result)}${one.by_hand ? ` (${t("die.by_hand")})` : ""}`;
  return html`
    <details><summary>${tn("luck.rolls_of", of.count, { who: of.name })}</summary>
      <div class="sideways" tabindex="0" role="group" aria-label=${of.name}><table class="figures">
        <thead><tr><th scope="col">${t("luck.check")}</th><th scope="col">${t("luck.result")}</th>
          <th scope="col">${t("luck.mean")}</th><th scope="col">${t("luck.percentile")}</th></tr></thead>
        <tbody>${of.rolls.map((one) => html`<tr key=${one.roll}><th scope="row">${checkTitle(one.check)}</th>
          <td>${result(one)}</td><td>${mean(one.mean)}</td><td>${percentile(fractionToNumber(one.percentile))}</td></tr>`)}</tbody>
      </table></div>
    </details>`;
}

const mean = (fraction) => formatDecimal(fractionToNumber(fraction), 2);
/** Labels at line ends, spread so that they do not overlap. */
function spreadLabels(ends, gap = 8) {
  const placed = [];
  for (const one of [...ends].sort((a, b) => b.value - a.value)) {
    const above = placed.filter((other) => other.n === one.n).at(-1);
    placed.push({ ...one, value: above ? Math.min(one.value, above.value - gap) : one.value });
  }
  return placed;
}

const short = (name) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);
const marginFor = (all) => 20 + 7 * Math.max(...all.map((one) => short(one.name).length), 4);
