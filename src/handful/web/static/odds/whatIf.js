// What if: the same check with one thing changed, and what that does to the chance.

import { html, signal, useEffect } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { fractionToNumber } from "../app/format.js";
import { difference, minus, percent } from "./format.js";
import { askWithRetry } from "./requests.js";
import { checkIn, isPrimary, paramsOf, toQuery, valueText } from "./series.js";
import { updateSeries } from "./state.js";

/**
 * @import { CheckParam, Game } from "../app/types.js"
 * @import { Series } from "./series.js"
 * @typedef {{says: string, series: Series}} Variation
 */

const MOST = 6; // variations shown
const REST = 350; // milliseconds without a change before they are computed

/** The values that are varied: those of the check, or of its first side. @param {Series} one */
const valuesOf = (one) => (one.sides.length ? one.sides[0] : one.whole);

/** @param {Series} one @param {string} name @param {any} value @returns {Series} */
function withValue(one, name, value) {
  if (!one.sides.length) return { ...one, whole: { ...one.whole, [name]: value } };
  return { ...one, sides: one.sides.map((side, at) => (at ? side : { ...side, [name]: value })) };
}

/** The values one step up and one step down. @param {Game} game @param {CheckParam} param @param {any} value @returns {any[]} */
function neighbours(game, param, value) {
  if (param.ladder) {
    const at = game.ladder.findIndex((one) => one.name === value);
    return at < 0 ? [] : [game.ladder[at + 1]?.name, game.ladder[at - 1]?.name];
  }
  const found = /^(\d+)(\.5)?\s*([dD].*)?$/.exec(String(value ?? "").trim());
  if (!found || !["number", "halves", "die_code"].includes(param.type)) return [];
  const number = Number(found[1] + (found[2] ?? "")), rest = found[3] ?? "";
  return [number + 1, number - 1].map((next) =>
    (next >= (param.min ?? 0) && next <= (param.max ?? Infinity) ? `${next}${rest}` : undefined));
}

/**
 * The same check with one parameter a step higher or lower; more of everything first.
 * @param {Game} game @param {Series} one @returns {Variation[]}
 */
export function variations(game, one) {
  const check = checkIn(game, one.check);
  if (!check) return [];
  const { whole, each } = paramsOf(check), values = valuesOf(one);
  const params = (one.sides.length ? each : whole).filter((param) => isPrimary(game, check, param, values));
  const steps = params.map((param) => ({ param, next: neighbours(game, param, values[param.name]) }));
  return [0, 1].flatMap((direction) => steps.filter(({ next }) => next[direction] !== undefined).map(({ param, next }) => ({
    says: valueText(game, check, param, next[direction]), series: withValue(one, param.name, next[direction]),
  }))).slice(0, MOST);
}

/** The chance of success, or that the first side wins. @param {any} odds @returns {string|null} */
export const chanceOf = (odds) => (typeof odds?.success === "string" ? odds.success : odds?.wins?.[0] ?? null);

/** Answers by question; a check is asked for once. */
const known = signal(/** @type {Record<string, string|null>} */ ({}));

/** @param {Series} one */
const questionOf = (one) => JSON.stringify([one.game, { ...toQuery(one), policy: one.policy }]);

/** @param {Series} one @param {AbortSignal} stopped */
async function work(one, stopped) {
  const key = questionOf(one);
  if (key in known.peek()) return;
  const [game, question] = JSON.parse(key);
  const found = await askWithRetry(`/api/games/${encodeURIComponent(game)}/odds`, question, stopped).catch(() => null);
  if (!stopped.aborted) known.value = { ...known.peek(), [key]: chanceOf(found) };
}

/** @param {{game: Game, one: Series, chance: string}} props */
export function WhatIf({ game, one, chance }) {
  const all = variations(game, one);
  const key = questionOf(one);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      for (const { series } of all) if (!controller.signal.aborted) await work(series, controller.signal);
    }, REST);
    return () => { clearTimeout(timer); controller.abort(); };
  }, [key]);
  if (!all.length) return null;
  return html`
    <section class="panel whatif"><h2>${t("odds.what_if")}</h2>
      <ul class="stack">${all.map(({ says, series }) => html`<li key=${says}>
        <button type="button" onClick=${() => updateSeries(series)}><span>${says}</span>
          <${Changed} was=${chance} is=${known.value[questionOf(series)]} /></button></li>`)}</ul>
    </section>`;
}

/** A chance and its distance from another. @param {{was: string, is: string|null|undefined}} props */
function Changed({ was, is }) {
  if (typeof is !== "string") return html`<span class="change muted">${is === null ? "–" : "…"}</span>`;
  const by = minus(is, was), step = Math.sign(fractionToNumber(by));
  return html`<span class="change"><strong>${percent(is)}</strong>
    <span class=${step > 0 ? "good" : step < 0 ? "bad" : "muted"}>${difference("success", by)}</span></span>`;
}
