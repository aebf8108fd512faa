// A series: one check with its parameters, as plain data. Up to six are compared side by side.

import { filledIn, isTarget, firstMissing } from "../app/rollDraft.js";
import { t, formatDecimal } from "../app/i18n.js";
import { localize, rungText, wordFor } from "../app/format.js";

export const MAX_SERIES = 6;
export const LETTERS = "ABCDEF";

/**
 * @import { Check, CheckParam, Game, Option, Param, Values } from "../app/types.js"
 * @typedef {{id: number, game: string, check: string, whole: Record<string, any>,
 *   sides: Record<string, any>[], options: Record<string, any>, policy: string}} Series
 */

let last = 0;
export const nextId = () => (last += 1);

/** A check of a game; undefined for the name of another game's. @param {Game} game @param {string} name */
export const checkIn = (game, name) => /** @type {Check} */ (game.checks.find((one) => one.name === name));

/** Parameters of the check as a whole, and those of each side. @param {Check} check */
export function paramsOf(check) {
  if (!check.sides) return { whole: check.parameters, each: [] };
  return { whole: check.parameters.filter((one) => one.whole), each: check.parameters.filter((one) => !one.whole) };
}

/**
 * True for parameters shown at once: pool, target, and any with a value.
 * @param {Game} game @param {Check} check @param {Param} param @param {Values} values
 */
export function isPrimary(game, check, param, values) {
  if (param.type === "text") return false;
  const known = values[param.name];
  return Boolean(game.sheet?.picks[param.name] || param.required || isTarget(check, param)
    || check.parameters.length < 7 || (known !== undefined && known !== "" && known !== false));
}

/** An example value, so that a new series has a chart at once. @param {Game} game @param {Param} param */
function firstValue(game, param) {
  /** @param {number} number */
  const within = (number) => Math.min(param.max ?? number, Math.max(param.min ?? number, number));
  if (param.ladder) return game.ladder[Math.floor(game.ladder.length / 2)]?.name;
  if (param.type === "die_code") return `${within(4)}D`;
  if (param.type === "choice") {
    const middle = param.values[Math.floor(param.values.length / 2)];
    return param.list ? `${middle},${middle}` : middle;
  }
  if (param.type === "number" || param.type === "halves") {
    return String(within(!param.unit && (param.max ?? 0) >= 100 ? 50 : 4));
  }
  return undefined;
}

/** @param {Game} game @param {Check} check @param {CheckParam[]} params @returns {Values} */
function begun(game, check, params) {
  const picked = params.filter((one) => game.sheet?.picks[one.name] && one.type !== "text").slice(0, 1);
  const ladder = params.filter((one) => one.ladder && one.default === null);
  const wanted = params.filter((one) => one.required || picked.includes(one) || ladder.includes(one));
  const any = wanted.length ? wanted : params.filter((one) => one.default === 0 && one.unit === "dice").slice(0, 1);
  return Object.fromEntries(any.map((one) => [one.name, firstValue(game, one)]).filter(([, value]) => value !== undefined));
}

/** A new series of a game. @param {Game} game @returns {Series} */
export function newSeries(game, name = game.checks[0].name) {
  const check = checkIn(game, name);
  const { whole, each } = paramsOf(check);
  const count = check.sides ? Math.max(check.sides.min, Math.min(2, check.sides.max)) : 0;
  return {
    id: nextId(), game: game.id, check: check.name, whole: begun(game, check, whole),
    sides: Array.from({ length: count }, () => begun(game, check, each)), options: {}, policy: "usual",
  };
}

/**
 * The series for another check; shared parameters keep their values.
 * @param {Game} game @param {Series} series @param {string} name @returns {Series}
 */
export function withCheck(game, series, name) {
  const fresh = newSeries(game, name);
  const { whole, each } = paramsOf(checkIn(game, name));
  const all = { ...(series.sides[0] ?? {}), ...series.whole };
  /** @param {Param[]} params */
  const kept = (params) => Object.fromEntries(params.filter((one) => one.name in all).map((one) => [one.name, all[one.name]]));
  const sides = fresh.sides.map((side, at) => ({ ...side, ...(at ? {} : kept(each)) }));
  return { ...fresh, id: series.id, whole: { ...fresh.whole, ...kept(whole) }, sides,
    options: series.options, policy: series.policy };
}

/** The query for the server. @param {Series} series */
export const toQuery = (series) => ({
  check: series.check, parameters: filledIn(series.whole), sides: series.sides.map(filledIn), options: series.options,
});

/** The first required parameter without a value. @param {Game} game @param {Series} series */
export function missingParameter(game, series) {
  const check = checkIn(game, series.check);
  const { whole, each } = paramsOf(check);
  return firstMissing(whole, series.whole) ?? series.sides.map((side) => firstMissing(each, side)).find(Boolean);
}

// -- wording

/**
 * The wording of a value of a choice or house rule: its own, else the game's general one.
 * @param {Game} game @param {CheckParam|Option|undefined} of @param {string} value
 */
export const choiceIn = (game, of, value) => (of?.says?.[value] ? localize(of.says[value]) : wordFor(value, null, game));

/** @param {Game} game @param {CheckParam|undefined} param @param {any} value @returns {string} */
export function valueIn(game, param, value) {
  if (value === true || value === "yes") return t("yes");
  if (value === false) return t("no");
  if (Array.isArray(value)) return value.map((one) => valueIn(game, param, one)).join(", ");
  if (param?.ladder) {
    const rung = game.ladder.find((one) => one.name === value);
    if (rung) return localize(rung.title);
  }
  if (typeof value === "string" && param?.values?.includes(value)) return choiceIn(game, param, value);
  const number = Number(value);
  return value !== "" && Number.isFinite(number) ? formatDecimal(number) : String(value);
}

/**
 * A parameter with its value: "Attribute 4", "Hard (3 hits)".
 * @param {Game} game @param {Check} check @param {CheckParam} param @param {any} value
 */
export function valueText(game, check, param, value) {
  const rung = param.ladder && game.ladder.find((own) => own.name === value);
  return rung ? rungText(rung, check.main, game) : `${localize(param.label)} ${valueIn(game, param, value)}`;
}

/** The parameters that have a value, each with its text. @param {Game} game @param {Check} check @param {Values} values */
const filledParts = (game, check, values) => check.parameters.filter((one) => filledIn(values)[one.name] !== undefined)
  .map((one) => ({ name: one.name, says: valueText(game, check, one, values[one.name]) }));

/** @param {Game} game @param {Check} check @param {Values} values */
const pairs = (game, check, values) => filledParts(game, check, values).map((one) => one.says).join(", ");

/** What a series says, part by part: parameters of the check, then those of each side. @param {Game} game @param {Series} series */
export function partsOf(game, series) {
  const check = checkIn(game, series.check);
  return [series.whole, ...series.sides].flatMap((values) => filledParts(game, check, values));
}

/** @param {Game} game @param {Option|undefined} option @param {any} value */
export const optionWord = (game, option, value) => (option?.says?.[String(value)] ? localize(option.says[String(value)])
  : value === true ? t("yes") : value === false ? t("no") : typeof value === "string" ? wordFor(value, null, game) : Array.isArray(value) ? value.join(", ") : formatDecimal(value));

/** A one-line title of a series. @param {Game} game @param {Series} series */
export function title(game, series) {
  const check = checkIn(game, series.check);
  const sides = series.sides.map((side) => pairs(game, check, side) || "–").join(` ${t(`contest.${check.sides?.word ?? "vs"}`)} `);
  const house = Object.entries(series.options).map(([name, value]) => {
    const option = game.options.find((one) => one.name === name);
    return `${localize(option?.label, name)}: ${optionWord(game, option, value)}`;
  });
  const parts = [pairs(game, check, series.whole), sides, ...house,
    series.policy === "usual" ? "" : t(`odds.policy.${series.policy}`)];
  return `${localize(game.title)}, ${localize(check.title)}: ${parts.filter(Boolean).join("; ") || "–"}`;
}
