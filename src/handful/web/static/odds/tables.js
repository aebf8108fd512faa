// Sweeps over one or two parameters as curves or a heat map, and the value that reaches a chance.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { t, formatDecimal } from "../app/i18n.js";
import { fractionToNumber, localize, wordFor } from "../app/format.js";
import { Fault } from "../ui/fault.js";
import { Select } from "../ui/select.js";
import { Text } from "../ui/textField.js";
import { Plotted, series as looks } from "../ui/plot.js";
import { CopyRow } from "./export.js";
import { Editor } from "./seriesEditor.js";
import { Progress, useStream } from "./stream.js";
import { percent, shownAs } from "./format.js";
import { toQuery, checkIn, paramsOf, title } from "./series.js";
import { current, solveFor, gameOf, sweep } from "./state.js";

const MAX_CURVES = 6; // beyond that, a heat map
const DEBOUNCE = 200; // milliseconds without a change before a new request
const MAX_ROWS = 400; // rows shown; the CSV has all

/** Parameters that can vary: "name" for the whole check, "name 2" for a side. */
function places(game, one) {
  const check = checkIn(game, one.check);
  const { whole, each } = paramsOf(check);
  const vary = (param) => !["text", "share"].includes(param.type);
  return [...whole.filter(vary).map((param) => ({ key: param.name, param, side: 0, says: localize(param.label) })),
    ...one.sides.flatMap((_, at) => each.filter(vary).map((param) => ({ key: `${param.name} ${at + 1}`, param, side: at + 1,
      says: `${localize(param.label)} (${t("roll.side", { n: at + 1 })})` })))];
}

/** A default range by the parameter's type. */
function usualRange(param) {
  if (param.ladder || param.values.length) return "..";
  if (param.type === "die_code") return "2D..8D";
  if (param.type === "truth") return "no|yes";
  const least = Math.max(param.min ?? 0, param.min < 0 ? -3 : 0, param.unit === "dice" && !(param.min < 0) ? 1 : -3);
  return `${least}..${Math.min(param.max ?? 10, least + 9)}`;
}

export function TableTab() {
  const one = current.value, game = gameOf(one);
  if (!game) return null;
  return html`
    <div class="twocolumns">
      <section class="panel controls"><h2>${t("odds.check")}</h2><${Editor} one=${one} /></section>
      <div class="stack"><${Ranges} key=${one.game + one.check} ...${{ one, game }} />
        <${Inverse} key=${`${one.game} ${one.check}`} ...${{ one, game }} /></div>
    </div>`;
}

function Ranges({ one, game }) {
  const all = places(game, one);
  const long = useStream();
  const state = sweep.value;
  const first = all.find((place) => place.key === state.down) ?? all[0];
  const second = all.find((place) => place.key === state.across) ?? null;
  const set = (changes) => { sweep.value = { ...sweep.value, ...changes }; };
  const down = state.range ?? usualRange(first.param), across = second && (state.range2 ?? usualRange(second.param));
  const go = (event) => {
    event?.preventDefault();
    const question = toQuery(one);
    for (const [place, range] of [[first, down], [second, across]]) {
      if (!place) continue;
      const part = place.side ? question.sides[place.side - 1] : question.parameters;
      delete part[place.param.name]; // ranges come last, in order: the first makes the rows
      part[place.param.name] = range;
    }
    long.ask(`/api/games/${encodeURIComponent(one.game)}/table`, { ...question, policy: one.policy, shows: state.shows ?? "" });
  };
  useEffect(() => {
    if (!state.down) return undefined;
    const timer = setTimeout(go, long.answer ? DEBOUNCE : 0); // a visible table follows changes of its check
    return () => clearTimeout(timer);
  }, [JSON.stringify([toQuery(one), one.policy])]);
  return html`
    <section class="panel stack">
      <h2>${t("odds.ranges")}</h2>
      <p class="small muted">${title(game, one)}</p>
      <form class="ranges" onSubmit=${go}>
        <${Select} label=${t("odds.down")} value=${first.key} set=${(key) => set({ down: key, range: undefined })}
          options=${all.map((place) => [place.key, place.says])} />
        <${Text} label=${t("odds.range")} value=${down} set=${(range) => set({ down: first.key, range })} maxlength="100" />
        <${Select} label=${t("odds.across")} value=${second?.key ?? ""} set=${(key) => set({ down: first.key, across: key, range2: undefined })}
          options=${[["", t("odds.nothing")], ...all.filter((place) => place !== first).map((place) => [place.key, place.says])]} />
        ${second && html`<${Text} label=${t("odds.range2")} value=${across} set=${(range2) => set({ range2 })} maxlength="100" />`}
        <${Select} label=${t("odds.shows")} value=${state.shows ?? ""} set=${(shows) => set({ down: first.key, shows })}
          options=${[["", t("odds.shows.usual")], ["success", t("odds.shows.success")], ["mean", t("odds.mean")],
            ...(one.sides.length ? [["wins:1", t("odds.shows.wins")], ["tie", t("odds.shows.tie")]] : [])]} />
        <button class="primary" onClick=${() => set({ down: first.key })}>${t("odds.make_table")}</button>
      </form>
      <p class="small muted">${t("odds.range_hint")}</p>
      <${Progress} long=${long} />
      <${Fault} problem=${long.problem} />
      ${long.answer && html`<${Swept} answer=${long.answer} places=${all} game=${game} />`}
    </section>`;
}

/** Arrange the figures in a grid of the first two axes. */
function gridOf(answer) {
  const made = new Map(answer.cells.map((cell) => [cell.slice(0, -1).join(" "), cell.at(-1)]));
  const [down, across] = answer.axes;
  return down.values.map((_, y) => (across?.values ?? [null]).map((_, x) => made.get(across ? `${y} ${x}` : `${y}`) ?? null));
}

const nameOf = (axis, places) => places.find((one) => one.param.name === axis.parameter && (one.side === axis.side || !one.side))?.says
  ?? axis.parameter;

function Swept({ answer, places: all, game }) {
  const grid = gridOf(answer), [down, across] = answer.axes;
  const label = t("odds.swept", { what: answer.axes.map((one) => nameOf(one, all)).join(", ") });
  const columns = [nameOf(down, all), ...(across?.values ?? [""]).map((value) => (across ? `${nameOf(across, all)} ${value}`
    : t("odds.chance")))];
  const rows = grid.slice(0, MAX_ROWS).map((row, y) => [String(down.values[y]), ...row.map((one) => shownAs(answer.shows, one))]);
  return html`
    <div class="stack swept">
      <${Plotted} data=${answer} draw=${(Plot, width) => drawing(Plot, answer, grid, all, width)} ...${{ label, columns, rows }} open
        words=${rangeSentence(answer, grid, all)} />
      ${Object.entries(answer.assumed).map(([name, how]) => html`<p class="small muted" key=${name}>
        ${t("chart.policy", { what: wordFor(name, null, game), how })}</p>`)}
      <${CopyRow} things=${[
        ["CSV", () => ["table.csv", "text/csv", answer.csv]],
        ["JSON", () => ["table.json", "application/json", JSON.stringify(answer, null, 2)]],
        ["Markdown", () => ["table.md", "text/markdown", answer.markdown]],
        [t("odds.command"), () => ["table.txt", "text/plain", answer.command]],
      ]} />
    </div>`;
}

/** A sentence with the lowest and the highest figure. */
function rangeSentence(answer, grid, all) {
  const cells = answer.cells.filter((cell) => cell.at(-1) !== null).sort((a, b) => fractionToNumber(a.at(-1)) - fractionToNumber(b.at(-1)));
  if (!cells.length) return "";
  const at = (cell) => answer.axes.map((axis, n) => `${nameOf(axis, all)} ${axis.values[cell[n]]}`).join(", ");
  const [low, high] = [cells[0], cells.at(-1)];
  return t("odds.swept_words", { low: shownAs(answer.shows, low.at(-1)), where: at(low),
    high: shownAs(answer.shows, high.at(-1)), there: at(high) });
}

function drawing(Plot, answer, grid, all, width) {
  const [down, across] = answer.axes;
  const scale = answer.shows === "mean" ? 1 : 100;
  const data = grid.flatMap((row, y) => row.map((figure, x) => ({ down: String(down.values[y]), across: String(across?.values[x] ?? ""),
    at: x, figure: figure === null ? null : fractionToNumber(figure) * scale,
    says: `${down.values[y]}${across ? `, ${across.values[x]}` : ""}: ${shownAs(answer.shows, figure)}` })))
    .filter((one) => one.figure !== null);
  const y = { label: scale === 1 ? t("odds.mean") : t("odds.axis"), grid: true, ...(scale === 100 ? { domain: [0, 100] } : { zero: true }) };
  const x = { label: nameOf(down, all), type: "point", domain: down.values.map(String) };
  const thin = (values) => values.map(String).filter((_, n, own) => n % Math.ceil(own.length / (width < 500 ? 9 : 20)) === 0);
  if (across && across.values.length > MAX_CURVES) {
    return { height: Math.min(600, 60 + 26 * down.values.length), marginLeft: 70, marginBottom: 38, padding: 0,
      x: { label: nameOf(across, all), type: "band", domain: across.values.map(String), ticks: thin(across.values) },
      y: { label: nameOf(down, all), type: "band", domain: down.values.map(String), ticks: thin(down.values) },
      color: { scheme: "cividis", ...(scale === 100 ? { domain: [0, 100] } : {}) },
      marks: [Plot.cell(data, { x: "across", y: "down", fill: "figure", title: "says" }),
        ...(across.values.length <= 16 ? [Plot.text(data, { x: "across", y: "down", text: (one) => formatDecimal(one.figure, scale === 1 ? 1 : 0),
          fill: (one) => (one.figure > (scale === 100 ? 60 : 1e9) ? "black" : "white") })] : [])] };
  }
  return { height: Math.round(Math.max(220, Math.min(360, width * 0.5))), marginLeft: 44, marginBottom: 38, marginRight: 60, marginTop: 36,
    x: { ...x, ticks: thin(down.values) }, y,
    marks: [Plot.ruleY([0]), ...(across?.values ?? [""]).flatMap((_, at) => {
      const own = data.filter((one) => one.at === at), look = looks(at);
      return [Plot.lineY(own, { x: "down", y: "figure", stroke: look.colour, strokeDasharray: look.dash, strokeWidth: 2 }),
        Plot.dot(own, { x: "down", y: "figure", stroke: look.colour, fill: look.colour, symbol: look.symbol, title: "says" }),
        Plot.text(own.slice(-1), { x: "down", y: "figure", text: "across", dx: 10, textAnchor: "start" })];
    })] };
}

/** Inverse question: how many dice for 80%? */
function Inverse({ one, game }) {
  const all = places(game, one);
  const state = solveFor.value;
  const place = all.find((own) => own.key === state.of) ?? all[0];
  const [found, setFound] = useState(/** @type {{answer: any, problem: any}} */ ({ answer: null, problem: null }));
  const set = (changes) => { solveFor.value = { ...solveFor.value, ...changes }; };
  const go = async (event) => {
    event?.preventDefault();
    try {
      const answer = await ask(`/api/games/${encodeURIComponent(one.game)}/solve`, { ...without(toQuery(one), place), policy: one.policy,
        find: place.param.name, side: place.side, chance: state.chance || "80%", within: state.within ?? "" });
      setFound({ answer, problem: null });
    } catch (problem) {
      setFound({ answer: null, problem });
    }
  };
  useEffect(() => { if (state.of) go(); }, []);
  return html`
    <section class="panel stack inverse">
      <h2>${t("odds.inverse")}</h2>
      <form class="ranges" onSubmit=${go}>
        <${Select} label=${t("odds.find")} value=${place.key} set=${(of) => set({ of, within: undefined })}
          options=${all.map((own) => [own.key, own.says])} />
        <${Text} label=${t("odds.at_chance")} value=${state.chance ?? "80%"} set=${(chance) => set({ of: place.key, chance })} maxlength="20" />
        <${Text} label=${t("odds.within")} value=${state.within ?? ""} set=${(within) => set({ of: place.key, within })} placeholder="1..20"
          maxlength="60" />
        <button onClick=${() => set({ of: place.key })}>${t("odds.find_it")}</button>
      </form>
      <${Fault} problem=${found.problem} />
      ${found.answer && html`<${Found} answer=${found.answer} place=${place} />`}
    </section>`;
}

function without(question, place) {
  const bare = structuredClone(question);
  delete (place.side ? bare.sides[place.side - 1] : bare.parameters)[place.param.name];
  return bare;
}

function Found({ answer, place }) {
  const at = answer.tried.findIndex(([value]) => value === answer.value);
  const around = answer.tried.slice(Math.max(0, at - 3), at + 4);
  return html`
    <p role="status"><strong>${answer.value === null ? t("odds.none_gives", { chance: percent(answer.chance) })
      : t(answer.rising ? "odds.at_least" : "odds.at_most", { what: place.says, value: String(answer.value), chance: percent(answer.figure) })}</strong></p>
    ${answer.value !== null && html`<table class="figures"><tbody>${around.map(([value, figure]) => html`
      <tr key=${value} class=${value === answer.value ? "chosen" : ""}><th scope="row">${value === answer.value ? "→ " : ""}${String(value)}</th>
        <td>${figure === null ? "–" : percent(figure)}</td></tr>`)}</tbody></table>`}
    <${CopyRow} things=${[[t("odds.command"), () => ["solve.txt", "text/plain", answer.command]]]} />`;
}
