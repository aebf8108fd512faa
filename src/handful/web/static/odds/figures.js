// Results of all series: a sentence and a row each, success per difficulty, value of decisions.

import { html } from "../app/lib.js";
import { t, formatDecimal } from "../app/i18n.js";
import { fractionToNumber, localize, wordFor } from "../app/format.js";
import { difference, number, percent, shownAs } from "./format.js";
import { LETTERS, checkIn, title } from "./series.js";
import { series as looks } from "../ui/plot.js";
import { found } from "./requests.js";
import { gameOf, series } from "./state.js";

/** Line sample and letter of a series. */
export function Swatch({ at }) {
  const { colour, dash } = looks(at);
  return html`
    <span class="swatch"><svg viewBox="0 0 24 8" width="24" height="8" aria-hidden="true">
      <line x1="0" y1="4" x2="24" y2="4" stroke=${colour} stroke-width="3" stroke-dasharray=${dash} /></svg>
      <strong>${LETTERS[at]}</strong></span>`;
}

/** The main figure of a check and its name. */
export function mainFigure(survey) {
  if (Array.isArray(survey.success)) return [survey.success.map(percent).join(" · "), t("chance.each")];
  if (survey.shows === "success") return [percent(survey.success), t("chance.success")];
  if (survey.shows === "wins:1") return [percent(survey.wins[0]), t("chance.win")];
  return [survey.mean === null ? "–" : number(survey.mean), t("odds.mean")];
}

/** The results of each series, with its game. */
export function rows() {
  return series.value.map((one, at) => ({ one, at, game: gameOf(one), ...(found.value[one.id] ?? {}) }))
    .filter((row) => row.game);
}

export function Figures() {
  return html`
    <div class="scroll"><table class="figures overview">
      <caption class="hidden">${t("odds.figures")}</caption>
      <thead><tr><th scope="col">${t("odds.series")}</th><th scope="col">${t("odds.chance")}</th>
        <th scope="col">${t("odds.mean")}</th><th scope="col">${t("odds.spread")}</th></tr></thead>
      <tbody>${rows().map((row) => html`<${Row} key=${row.one.id} row=${row} />`)}</tbody>
    </table></div>`;
}

function Row({ row }) {
  const { one, at, game, survey, problem, busy } = row;
  const head = html`<th scope="row"><${Swatch} at=${at} /> <span class="what">${title(game, one)}</span></th>`;
  if (problem) {
    return html`<tr>${head}<td colspan="3" class="error" role="alert">⚠ ${problem.message}
      ${problem.hint && html` <small>${problem.hint}</small>`}</td></tr>`;
  }
  if (!survey) return html`<tr>${head}<td colspan="3">…</td></tr>`;
  const [figure, name] = mainFigure(survey);
  const main = checkIn(game, one.check) ? wordFor(checkIn(game, one.check).main, null, game) : "";
  return html`
    <tr aria-busy=${busy}>${head}
      <td class="figure"><strong title=${survey.figure}>${figure}</strong> <small>${name}</small></td>
      <td title=${survey.mean}>${survey.mean === null ? "–" : number(survey.mean)} <small>${main}</small></td>
      <td>${survey.deviation === null ? "–" : `± ${formatDecimal(survey.deviation, 2)}`}</td></tr>`;
}

/** One sentence per series. */
export function summary(row) {
  const { at, survey, game, one } = row;
  const likely = survey.curves.reduce((best, now) => (fractionToNumber(now[1]) > fractionToNumber(best[1]) ? now : best), survey.curves[0]);
  const [figure, name] = mainFigure(survey);
  const main = wordFor(checkIn(game, one.check).main, null, game);
  const said = [`${LETTERS[at]}: ${figure} ${name}.`];
  if (survey.mean !== null && likely) {
    said.push(t("odds.words", { main, mean: number(survey.mean), spread: formatDecimal(survey.deviation ?? 0, 2),
      likely: String(likely[0]), chance: percent(likely[1]) }));
  }
  return said.join(" ");
}

/** Success at every difficulty: one table per ladder, one column per series. */
export function Rungs() {
  const known = rows().filter((row) => row.survey?.rungs.length && !row.problem);
  const ladders = new Map();
  for (const row of known) {
    const key = JSON.stringify(row.game.ladder.map((one) => [one.name, one.title]));
    ladders.set(key, [...(ladders.get(key) ?? []), row]);
  }
  if (!known.length) return null;
  return html`
    <section class="panel"><h2>${t("odds.ladder")}</h2>
      <div class="ladders">${[...ladders.entries()].map(([key, those]) => html`
        <div class="scroll" key=${key}><table class="figures rungs">
          <caption class="hidden">${those.map((row) => localize(row.game.title)).join(", ")}</caption>
          <thead><tr><th scope="col">${t("odds.difficulty")}</th>
            ${those.map((row) => html`<th scope="col" key=${row.one.id}><${Swatch} at=${row.at} /></th>`)}</tr></thead>
          <tbody>${those[0].game.ladder.map((rung, n) => html`
            <tr key=${rung.name}><th scope="row">${localize(rung.title)}</th>
              ${those.map((row) => html`<td key=${row.one.id}><${Chance} chance=${row.survey.rungs[n]?.[1] ?? null}
                at=${row.at} /></td>`)}</tr>`)}</tbody>
        </table></div>`)}</div>
    </section>`;
}

/** A chance with a bar. */
export function Chance({ chance, at = 0 }) {
  if (chance === null) return "–";
  return html`<span class="barred" style=${`--share:${fractionToNumber(chance)};--colour:${looks(at).colour}`}
    title=${chance}>${percent(chance)}</span>`;
}

/** The value of decisions, if the check has any. */
export function Decisions() {
  const known = rows().filter((row) => row.worth && row.survey && !row.problem);
  if (!known.length) return null;
  return html`
    <section class="panel"><h2>${t("odds.decisions")}</h2>
      <p class="small muted">${t("odds.decisions_why")}</p>
      <div class="scroll"><table class="figures weighed">
        <thead><tr><th scope="col">${t("odds.series")}</th>
          ${["usual", "best", "never"].map((one) => html`<th scope="col" key=${one}>${t(`odds.policy.${one}`)}</th>`)}
          <th scope="col">${t("odds.worth")}</th><th scope="col">${t("odds.better")}</th></tr></thead>
        <tbody>${known.map(({ one, at, game, worth }) => html`
          <tr key=${one.id}><th scope="row"><${Swatch} at=${at} /> <span class="what">${Object.keys(worth.decides.usual)
            .map((name) => wordFor(name, null, game)).join(", ")}</span></th>
            ${["usual", "best", "never"].map((policy) => html`<td key=${policy}
              title=${Object.values(worth.decides[policy] ?? {}).join("; ")}>${worth.figures[policy] === null
                ? t("odds.too_much") : shownAs(worth.shows, worth.figures[policy])}</td>`)}
            <td><strong>${difference(worth.shows, worth.deciding)}</strong></td>
            <td>${difference(worth.shows, worth.better)}</td></tr>`)}</tbody>
      </table></div>
      <ul class="small muted">${known.map(({ one, at, worth }) => html`<li key=${one.id}>
        ${LETTERS[at]}: ${Object.values(worth.decides.usual).join("; ")}</li>`)}</ul>
    </section>`;
}
