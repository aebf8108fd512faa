// A draft: the roll form's data before the roll is declared, as plain values.

import { game, view } from "./state.js";
import { checkOf, characterOf } from "./format.js";

/**
 * @import { Check, CheckParam, Param, Values } from "./types.js"
 * @typedef {{as: string, values: Record<string, any>}} Side
 * @typedef {{check: string, whole: Record<string, any>, sides: Side[], mode: import("./types.js").Mode, title: string,
 *   hidden: string[], off: number[], add: object[], for: string, own: boolean,
 *   deed?: Record<string, string>}} Draft
 */

/** A new draft, for the seat's own character if it has one. @returns {Draft} */
export function newDraft(check = game.value.checks[0].name, as = ownCharacter()) {
  const blank = { whole: {}, mode: /** @type {const} */ ("public"), title: "", hidden: [], off: [], add: [], for: "", own: false };
  return { ...blank, check, sides: sidesFor(check, [{ as, values: {} }]) };
}

function ownCharacter() {
  const { characters, seat, role } = view.value;
  const own = characters.find((one) => one.owner === seat && one.sheet && one.kind === "pc");
  return role === "gm" ? "" : own?.character ?? "";
}

/** @param {string} check @param {Side[]} sides */
function sidesFor(check, sides) {
  const found = checkOf(check);
  const blank = (found?.sides?.max ?? 1) > 1 && !parametersOf(check).each.some((one) => one.required);
  const least = Math.max(blank ? 2 : 1, found?.sides?.min ?? 1);
  const made = [...sides];
  while (made.length < least) made.push({ as: "", values: {} });
  return made;
}

/**
 * The draft for another check; values of parameters that both checks have are carried over.
 * @param {Draft} draft @param {string} check @returns {Draft}
 */
export function withCheck(draft, check) {
  const several = checkOf(check)?.sides;
  const { whole, each } = parametersOf(check);
  /** @param {Param[]} params @param {Values} values */
  const only = (params, values) =>
    Object.fromEntries(params.filter((one) => one.name in values).map((one) => [one.name, values[one.name]]));
  const all = { ...draft.sides[0].values, ...draft.whole };
  if (bringsGoal(check, draft.deed)) for (const one of targetsOf(check)) delete all[one];
  const sides = (several ? draft.sides : draft.sides.slice(0, 1))
    .map((side, at) => ({ ...side, values: only(each, at ? side.values : all) }));
  return { ...draft, check, whole: only(whole, all), sides: sidesFor(check, sides), off: [], add: [] };
}

/** @param {Draft} draft @param {number} at @param {Partial<Side>} changes @returns {Draft} */
export function withSide(draft, at, changes) {
  const sides = draft.sides.map((side, number) => (number === at ? { ...side, ...changes } : side));
  return { ...draft, sides, off: [] };
}

/** Parameters of the check as a whole, and those of each side. @param {string} check */
export function parametersOf(check) {
  const found = checkOf(check);
  const all = found?.parameters ?? [];
  if (!found?.sides) return { whole: [], each: all };
  return { whole: all.filter((one) => one.whole), each: all.filter((one) => !one.whole) };
}

/**
 * True for parameters shown at once: the pool and the target. The others are one tap away.
 * @param {string} check @param {Param} param
 */
export function isPrimary(check, param) {
  if (param.type === "text") return false; // names that are picked elsewhere in the form
  const picks = game.value.sheet?.picks ?? {};
  const kind = game.value.sheet?.rounds?.kinds[check]; // the kind of attack decides how the target defends
  return Boolean(picks[param.name] || param.required || param.name === kind || isTarget(checkOf(check), param));
}

/** True if a parameter is a target number or a difficulty. @param {Check|undefined} check @param {Param} param */
export const isTarget = (check, param) => param.ladder || param.unit === check?.main;

/** Names of the target parameters of a check. @param {string} check */
export const targetsOf = (check) => (checkOf(check)?.parameters ?? []).filter((one) => isTarget(checkOf(check), one))
  .map((one) => one.name);

/** True if the target's sheet provides the number to beat. @param {string} check @param {Draft["deed"]} deed */
const bringsGoal = (check, deed) => Boolean(deed?.target && game.value.sheet?.rounds?.targets.includes(check));

/**
 * The draft with another action context; values that the target's sheet provides are cleared.
 * @param {Draft} draft @param {Record<string, string>} deed @returns {Draft}
 */
export function withActionContext(draft, deed) {
  if (!bringsGoal(draft.check, deed) || deed.target === draft.deed?.target) return { ...draft, off: [], deed };
  /** @param {Values} values */
  const without = (values) => Object.fromEntries(Object.entries(values).filter(([name]) =>
    !targetsOf(draft.check).includes(name)));
  return { ...draft, off: [], deed, whole: without(draft.whole),
    sides: draft.sides.map((side) => ({ ...side, values: without(side.values) })) };
}

/** The values that were filled in, with numbers parsed; the server parses everything else. @param {Values} values */
export function filledIn(values) {
  /** @type {Values} */
  const made = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === "" || value === null || value === undefined) continue;
    if (Array.isArray(value) && !value.length) continue;
    made[name] = typeof value === "string" && /^-?\d{1,9}$/.test(value.trim()) ? Number(value) : value;
  }
  return made;
}

/** @param {Draft["deed"]} deed */
const trimmed = (deed) => Object.fromEntries(Object.entries(deed ?? {}).map(([name, one]) => [name, one.trim()]));

/** @param {Values} fields */
const some = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) =>
  Array.isArray(value) ? value.length : value));

/**
 * The first required parameter without a value.
 * @template {Param} P
 * @param {P[]} params @param {Values} values
 */
export const firstMissing = (params, values) => params.find((one) => one.required && filledIn(values)[one.name] === undefined);

/** The first required parameter of a draft without a value. @param {Draft} draft */
export function missingParameter(draft) {
  const { whole, each } = parametersOf(draft.check);
  return firstMissing(whole, draft.whole)
    ?? draft.sides.map((side) => firstMissing(each, { ...draft.whole, ...side.values })).find(Boolean);
}

/**
 * The fields of the `declare` command.
 * @param {Draft} draft @returns {import("./types.js").Commands["declare"]}
 */
export function declareFields(draft) {
  const several = checkOf(draft.check)?.sides;
  const who = draft.sides.map((side) => side.as);
  const parameters = several ? filledIn(draft.whole) : { ...filledIn(draft.whole), ...filledIn(draft.sides[0].values) };
  const known = draft.hidden.filter((name) => name in parameters);
  return {
    check: draft.check,
    ...(Object.keys(parameters).length ? { parameters } : {}),
    ...(several ? { sides: draft.sides.map((side) => filledIn(side.values)) } : {}),
    ...(who.some(Boolean) ? { as: several ? who : who[0] } : {}),
    ...some({ title: draft.title.trim(), hidden: known, off: draft.off, add: draft.add, for: draft.for,
      ...trimmed(draft.deed) }),
    ...(draft.mode === "public" ? {} : { mode: draft.mode }),
  };
}

export const ANYBODY = "*"; // whoever is asked: names from the game's sheet, without values

/** Names on a character's sheet that fit a parameter, with their values. @param {Param} param @param {string} as */
export function sheetChoices(param, as) {
  const pick = game.value.sheet?.picks[param.name];
  const found = as === ANYBODY ? { sheet: {}, skills: {} } : characterOf(as);
  if (!pick || !found?.sheet || !game.value.sheet) return [];
  const { attributes, skills } = game.value.sheet;
  const own = [
    ...(pick.attributes ? Object.entries(found.sheet.attributes ?? {}) : []),
    ...(pick.skills ? Object.entries(found.skills ?? {}) : []),
  ].map(([name, value]) => ({ name, value: typeof value === "object" ? value.level : value, own: true }));
  const has = new Set(own.map((one) => one.name));
  const others = [...(pick.attributes ? Object.keys(attributes) : []), ...(pick.skills ? Object.keys(skills) : [])]
    .filter((name) => !has.has(name)).map((name) => ({ name, value: null, own: false }));
  return [...own, ...others];
}
