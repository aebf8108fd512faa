// The chart of all series, with a summary and a data table.

import { fractionToNumber, wordFor } from "../app/format.js";
import { html, useMemo, useRef } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { Plotted, series as looks } from "../ui/plot.js";
import { percent } from "./format.js";
import { LETTERS, checkIn } from "./series.js";
import { summary, rows } from "./figures.js";
import { CURVES } from "./urlState.js";
import { curve } from "./state.js";

const COLUMN = { exactly: 1, at_least: 2, at_most: 3 };
const MAX_VALUES = 200; // values shown in a chart
const MOST_BARS = 60;

const valueOf = (value) => (typeof value === "number" ? value : fractionToNumber(value));

/** The points of all series: value, chance, tooltip. */
function points(found, which) {
  return found.flatMap(({ at, survey }) => survey.curves.slice(...survey.window).slice(0, MAX_VALUES).map((one) => ({
    at, letter: LETTERS[at], value: valueOf(one[0]), chance: fractionToNumber(one[COLUMN[which]]) * 100,
    says: `${LETTERS[at]} ${String(one[0])}: ${percent(one[COLUMN[which]])}`,
  })));
}

/** The label of the value axis: the main results of all checks. */
const resultName = (found) => [...new Set(found.map(({ game, one }) => wordFor(checkIn(game, one.check).main, null, game)))].join(", ");

/** Position of a series' letter: at its peak, or in the middle of a curve. */
function named(own, which) {
  const far = (one) => (which === "exactly" ? -one.chance : Math.abs(one.chance - 50));
  return own.reduce((best, one, n) => (far(one) < far(own[best]) ? n : best), 0);
}

/** Plot options: bars for one series, lines with symbols and letters for several. */
function options(Plot, found, which, width) {
  const data = points(found, which);
  const values = [...new Set(data.map((one) => one.value))].sort((a, b) => a - b);
  const alone = found.length === 1 && which === "exactly" && values.length <= MOST_BARS;
  const every = Math.ceil(values.length / (width < 500 ? 8 : 16));
  const x = { label: resultName(found), ticks: values.filter((_, n) => n % every === 0), tickFormat: String };
  const place = { x: "value", y: "chance", title: "says" };
  const scale = { height: Math.round(Math.max(220, Math.min(360, width * 0.5))), marginLeft: 44, marginBottom: 38, marginTop: 36,
    y: { label: t("odds.axis"), grid: true, ...(which === "exactly" ? { zero: true } : { domain: [0, 100] }) } };
  if (alone) {
    return { ...scale, x: { ...x, type: "band", domain: values }, marks: [
      Plot.barY(data, { ...place, fill: looks(found[0].at).colour }), Plot.ruleY([0])] };
  }
  const tops = [];
  return { ...scale, x, marks: [Plot.ruleY([0]), ...found.flatMap(({ at }) => {
    const own = data.filter((one) => one.at === at), look = looks(at), top = named(own, which);
    const beside = tops.filter((one) => one.value === own[top].value && Math.abs(one.chance - own[top].chance) < 4).length;
    tops.push(own[top]);
    return [Plot.lineY(own, { x: "value", y: "chance", stroke: look.colour, strokeDasharray: look.dash, strokeWidth: 2 }),
      Plot.dot(own, { ...place, fill: look.colour, stroke: look.colour, symbol: look.symbol, r: values.length > 40 ? 2.5 : 4 }),
      Plot.text(own.slice(top, top + 1), { x: "value", y: "chance", text: "letter", dx: (which === "exactly" ? 0 : 8) + 12 * beside, dy: -12, fontWeight: "bold" })];
  })] };
}

/** Reuse the previous rows if they are equal, so that dragging a slider redraws only new answers. */
function useSame(found) {
  const kept = useRef([]);
  const same = (one, other) => one.survey === other?.survey && one.at === other.at && one.one.check === other.one.check;
  if (found.length !== kept.current.length || !found.every((row, n) => same(row, kept.current[n]))) kept.current = found;
  return kept.current;
}

export function OddsChart() {
  const which = curve.value;
  const found = useSame(rows().filter((row) => row.survey && !row.problem && row.survey.curves.length));
  const data = useMemo(() => [found, which], [found, which]);
  return html`
    <section class="panel picture">
      <div class="row wrap between"><h2>${t("odds.picture")}</h2>
        <div class="chips" role="group" aria-label=${t("odds.curve")}>
          ${CURVES.map((one) => html`<button type="button" key=${one} aria-pressed=${which === one}
            onClick=${() => { curve.value = one; }}>${t(`odds.curve.${one}`)}</button>`)}
        </div></div>
      ${found.length > 0 && html`
        <${Plotted} data=${data} draw=${(Plot, width) => options(Plot, found, which, width)}
          label=${t("odds.picture_label", { curve: t(`odds.curve.${which}`), what: found.map(({ at }) => LETTERS[at]).join(", ") })}
          words=${found.map(summary).join(" ")} columns=${columns(found)}
          rows=${grid(found).map(({ value, cells }) => [String(value), ...cells.flatMap((cell) =>
            CURVES.map((one) => (cell ? percent(cell[COLUMN[one]]) : "–")))])} />`}
    </section>`;
}

const columns = (found) => [resultName(found), ...found.flatMap(({ at }) =>
  CURVES.map((which) => `${LETTERS[at]} ${t(`odds.curve.${which}`)}`))];

/** All relevant values, with the three chances of each series. */
export function grid(found) {
  const values = [...new Map(found.flatMap(({ survey }) => survey.curves.slice(...survey.window)
    .map((one) => [valueOf(one[0]), one[0]]))).entries()].sort(([a], [b]) => a - b).map(([, value]) => value);
  const known = found.map(({ survey }) => new Map(survey.curves.map((one) => [String(one[0]), one])));
  return values.map((value) => ({ value, cells: known.map((own) => own.get(String(value)) ?? null) }));
}
