// Formats names, values and chances in the game's wording, which comes from the server.

import { expressionOf, isFree } from "./freeDice.js";
import { effect } from "./lib.js";
import { LANGUAGE, setRoleNames, t, formatDecimal, withMinus } from "./i18n.js";
import { game, view } from "./state.js";

/**
 * @import { Check, CheckParam, Exact, Game, Option, Roll, Rung, Texts } from "./types.js"
 */

/** Pick the reader's language from a text with translations. @param {Texts|string|null|undefined} texts */
export function localize(texts, otherwise = "") {
  if (typeof texts === "string") return texts;
  return texts?.[LANGUAGE] ?? texts?.en ?? Object.values(texts ?? {})[0] ?? otherwise;
}

/**
 * A name of the rules in words, in the singular for an `amount` of one; without a wording the name itself.
 * @param {string} name @param {Exact|null} [amount] @param {Game} rules
 */
export function wordFor(name, amount, rules = game.value) {
  const one = String(amount) === "1" || String(amount) === "-1";
  const known = (one && rules?.singular?.[name]) || rules?.words?.[name];
  if (known) return localize(known);
  const own = t(`word.${name}`);
  return own === `word.${name}` ? String(name).replaceAll(/[_-]/g, " ") : own;
}

/**
 * A result with its word: "3 successes" where the game counts them, else "total 17".
 * @param {string} name @param {Exact} value @param {Game} rules
 */
export function resultText(name, value, rules = game.value) {
  const number = formatNumber(value);
  return rules?.singular?.[name] ? `${number} ${wordFor(name, value, rules)}` : `${wordFor(name, null, rules)} ${number}`;
}

/**
 * A difficulty with the number it asks for: "Difficult (2 successes)", "Moderate (11)".
 * @param {Rung} rung @param {string} main @param {Game} rules
 */
export function rungText(rung, main, rules = game.value) {
  const needed = rung.target ?? rung.value;
  if (needed === undefined) return localize(rung.title);
  const counts = rung.target !== undefined && rules?.singular?.[main];
  return `${localize(rung.title)} (${counts ? resultText(main, needed, rules) : formatNumber(needed)})`;
}

/**
 * A parameter with its value: "Skill: 3"; a difficulty speaks for itself.
 * @param {string} check @param {string} name @param {any} value
 */
export function parameterText(check, name, value, separator = ": ") {
  const rung = paramOf(check, name)?.ladder && game.value.ladder.find((one) => one.name === value);
  return rung ? rungText(rung, checkOf(check)?.main ?? "") : `${paramLabel(check, name)}${separator}${valueWord(check, name, value)}`;
}

/**
 * The wording of a value of a house rule or a choice.
 * @param {Option|CheckParam|undefined} of @param {any} value @returns {string}
 */
export function choiceWord(of, value) {
  if (value === true) return t("yes");
  if (value === false) return t("no");
  if (Array.isArray(value)) return value.map((one) => choiceWord(of, one)).join(", ");
  return localize(of?.says?.[value], typeof value === "string" ? wordFor(value) : formatNumber(value));
}

effect(() => {
  const { gm, the_gm: the } = game.value?.words ?? {};
  setRoleNames({ gm: localize(gm), the_gm: localize(the) });
});

/** The wording of a role; a game may have its own word for GM. @param {string} role */
export const roleName = (role) => t(role === "gm" ? "role.is_gm" : `role.${role}`);

/** A check of this game; undefined for the name of another game's. @param {string} name @returns {Check} */
export const checkOf = (name) => /** @type {Check} */ (game.value?.checks.find((one) => one.name === name));
/** @param {string} name */
export const checkTitle = (name) => (isFree(name) ? t("free.check", { dice: expressionOf(name) }) : localize(checkOf(name)?.title, name));
/** @param {string} check @param {string} name */
export const paramOf = (check, name) => checkOf(check)?.parameters.find((one) => one.name === name);
/** @param {string} check @param {string} name */
export const paramLabel = (check, name) => localize(paramOf(check, name)?.label, wordFor(name));
/** A character that the seat sees; undefined for others. @param {string} id @returns {import("./types.js").Character} */
export const characterOf = (id) => /** @type {any} */ (view.value?.characters.find((one) => one.character === id));
/** @param {string} id */
export const characterName = (id) => characterOf(id)?.name ?? id.split("/").slice(1).join("/");

/** The seat that has to continue a roll; in a contest, the owner of the current side. @param {Roll} roll */
export const nextRoller = (roll) => roll.parts?.[(roll.question?.side ?? 0) - 1]?.roller ?? roll.roller;

/** True if this seat has to continue a roll; the GM also acts for seats that left. @param {Roll} roll */
export function isMyMove(roll) {
  const { seats, seat, role } = view.value;
  const who = nextRoller(roll);
  if (who === seat || (roll.question?.by === "gm" && role === "gm")) return true;
  return role === "gm" && seats.some((one) => one.name === who && one.left);
}

/** The name of a side: its character, else its roller. @param {Roll} roll @param {number} side */
export function sideName(roll, side) {
  const as = roll.as?.[side - 1];
  return as ? characterName(as) : roll.parts?.[side - 1]?.roller ?? t("roll.side", { n: side });
}

/** The title of an item of the game; other items keep their names. @param {string} name */
export const itemTitle = (name) => localize(game.value?.sheet?.form.items[name]?.title, name);

/** The title of an attribute, skill or derived value. @param {string} name */
export function sheetWord(name) {
  const sheet = game.value?.sheet;
  return localize(sheet?.attributes[name] ?? sheet?.skills[name] ?? sheet?.derived?.[name], wordFor(name));
}

/**
 * A parameter's value in words: a difficulty, a skill, yes or no.
 * @param {string} check @param {string} name @param {any} value @returns {string}
 */
export function valueWord(check, name, value) {
  if (value === true) return t("yes");
  if (value === false) return t("no");
  if (Array.isArray(value)) return value.map((one) => valueWord(check, name, one)).join(", ");
  const param = paramOf(check, name);
  if (param?.ladder && typeof value === "string") {
    const rung = game.value.ladder.find((one) => one.name === value);
    if (rung) return localize(rung.title);
  }
  if (typeof value === "string" && game.value?.sheet?.picks[name]) return sheetWord(value);
  return typeof value === "string" && param?.values.includes(value) ? choiceWord(param, value) : formatNumber(value);
}

/** An exact number for an input field: 7/2 is 3.5. @param {any} value */
export function formatForInput(value) {
  if (typeof value !== "string" || !/^-?\d+\/\d+$/.test(value)) return String(value);
  const [top, bottom] = value.split("/").map(Number);
  const made = top / bottom;
  return Number.isInteger(made * 100) ? String(made) : value;
}

/** An exact number for display: 7/2 is 3.5, in German 3,5; -2 is −2. @param {any} value */
export function formatNumber(value) {
  const said = formatForInput(value);
  return /^-?\d+\.\d+$/.test(said) ? formatDecimal(Number(said)) : withMinus(said);
}

/** Convert a fraction of any size to a float. @param {Exact} fraction */
export function fractionToNumber(fraction) {
  const [top, bottom = "1"] = String(fraction).split("/");
  return Number((BigInt(top) * 10n ** 12n) / BigInt(bottom)) / 1e12;
}

/** Format a chance in percent; only certainty is shown as 100, only impossibility as 0. @param {Exact} fraction */
export function percent(fraction) {
  const exact = fractionToNumber(fraction);
  const parts = String(fraction).split("/");
  if (exact === 1 || (parts.length > 1 && parts[0] === parts[1])) return t("percent", { n: 100 });
  if (String(fraction) === "0") return t("percent", { n: 0 });
  if (exact < 0.001) return t("percent.less", { n: formatDecimal(0.1) });
  if (exact > 0.999) return t("percent.more", { n: formatDecimal(99.9) });
  const shown = exact * 100;
  return t("percent", { n: formatDecimal(shown, shown < 10 || shown > 90 ? 1 : 0) });
}
