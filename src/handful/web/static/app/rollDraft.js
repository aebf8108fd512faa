// A check as somebody fills it in, before anything is declared: plain data, and what it comes to.

import { game, view } from "./state.js";
import { checkOf, characterOf } from "./format.js";

/**
 * @typedef {{as: string, values: Record<string, any>}} Side
 * @typedef {{check: string, whole: Record<string, any>, sides: Side[], mode: string, title: string,
 *   hidden: string[], off: number[], add: object[], for: string, own: boolean,
 *   deed?: Record<string, string>}} Draft
 */

/** A fresh draft; with the seat's own character, if it has one. @returns {Draft} */
export function newDraft(check = game.value.checks[0].name, as = ownCharacter()) {
  const blank = { whole: {}, mode: "public", title: "", hidden: [], off: [], add: [], for: "", own: false };
  return { ...blank, check, sides: sidesFor(check, [{ as, values: {} }]) };
}

function ownCharacter() {
  const { characters, seat, role } = view.value;
  const own = characters.find((one) => one.owner === seat && one.sheet && one.kind === "pc");
  return role === "gm" ? "" : own?.character ?? "";
}

function sidesFor(check, sides) {
  const found = checkOf(check);
  const blank = found?.sides?.max > 1 && !parametersOf(check).each.some((one) => one.required);
  const least = Math.max(blank ? 2 : 1, found?.sides?.min ?? 1);
  const made = [...sides];
  while (made.length < least) made.push({ as: "", values: {} });
  return made;
}

/** The same for another check: what both of them ask is kept, where it belongs now. */
export function withCheck(draft, check) {
  const several = checkOf(check).sides;
  const { whole, each } = parametersOf(check);
  const only = (params, values) =>
    Object.fromEntries(params.filter((one) => one.name in values).map((one) => [one.name, values[one.name]]));
  const all = { ...draft.sides[0].values, ...draft.whole };
  if (bringsGoal(check, draft.deed)) for (const one of goalsOf(check)) delete all[one];
  const sides = (several ? draft.sides : draft.sides.slice(0, 1))
    .map((side, at) => ({ ...side, values: only(each, at ? side.values : all) }));
  return { ...draft, check, whole: only(whole, all), sides: sidesFor(check, sides), off: [], add: [] };
}

export function withSide(draft, at, changes) {
  const sides = draft.sides.map((side, number) => (number === at ? { ...side, ...changes } : side));
  return { ...draft, sides, off: [] };
}

/** Parameters of the whole check, and those of each side. */
export function parametersOf(check) {
  const found = checkOf(check);
  const all = found?.parameters ?? [];
  if (!found?.sides) return { whole: [], each: all };
  return { whole: all.filter((one) => one.whole), each: all.filter((one) => !one.whole) };
}

/** Whether a parameter is asked first: what is rolled, and against what. */
export function comesFirst(check, param) {
  if (param.type === "text") return false; // names of what is picked elsewhere
  const picks = game.value.sheet?.picks ?? {};
  const kind = game.value.sheet?.rounds?.kinds[check]; // what decides what a target sets against it
  return Boolean(picks[param.name] || param.required || param.name === kind || isGoal(checkOf(check), param));
}

/** Whether a parameter says what is to be reached. */
export const isGoal = (check, param) => param.ladder || param.unit === check.main;

/** The names of those that do. */
export const goalsOf = (check) => checkOf(check).parameters.filter((one) => isGoal(checkOf(check), one))
  .map((one) => one.name);

/** Whether a target says by its sheet what is to be reached. */
const bringsGoal = (check, deed) => Boolean(deed?.target && game.value.sheet?.rounds?.targets.includes(check));

/** The same with another deed; what its target brings is not asked twice. */
export function withDeed(draft, deed) {
  if (!bringsGoal(draft.check, deed) || deed.target === draft.deed?.target) return { ...draft, off: [], deed };
  const without = (values) => Object.fromEntries(Object.entries(values).filter(([name]) =>
    !goalsOf(draft.check).includes(name)));
  return { ...draft, off: [], deed, whole: without(draft.whole),
    sides: draft.sides.map((side) => ({ ...side, values: without(side.values) })) };
}

/** What was filled in, numbers as numbers: the rest is left to the game. */
export function given(values) {
  const made = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === "" || value === null || value === undefined) continue;
    if (Array.isArray(value) && !value.length) continue;
    made[name] = typeof value === "string" && /^-?\d{1,9}$/.test(value.trim()) ? Number(value) : value;
  }
  return made;
}

const trimmed = (deed) => Object.fromEntries(Object.entries(deed ?? {}).map(([name, one]) => [name, one.trim()]));

const some = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) =>
  Array.isArray(value) ? value.length : value));

/** The first of some parameters that must be given and is not. */
export const lacks = (params, values) => params.find((one) => one.required && given(values)[one.name] === undefined);

/** The first parameter of a draft that must be given and is not. */
export function missing(draft) {
  const { whole, each } = parametersOf(draft.check);
  return lacks(whole, draft.whole)
    ?? draft.sides.map((side) => lacks(each, { ...draft.whole, ...side.values })).find(Boolean);
}

/** What `declare` takes. @param {Draft} draft */
export function declared(draft) {
  const several = checkOf(draft.check)?.sides;
  const who = draft.sides.map((side) => side.as);
  const parameters = several ? given(draft.whole) : { ...given(draft.whole), ...given(draft.sides[0].values) };
  const known = draft.hidden.filter((name) => name in parameters);
  return {
    check: draft.check,
    ...(Object.keys(parameters).length ? { parameters } : {}),
    ...(several ? { sides: draft.sides.map((side) => given(side.values)) } : {}),
    ...(who.some(Boolean) ? { as: several ? who : who[0] } : {}),
    ...some({ title: draft.title.trim(), hidden: known, off: draft.off, add: draft.add, for: draft.for,
      ...trimmed(draft.deed) }),
    ...(draft.mode === "public" ? {} : { mode: draft.mode }),
  };
}

export const ANYBODY = "*"; // whoever is asked: names from the game's sheet, without values

/** What a character's sheet offers for a parameter: names with their values. */
export function picksOf(param, as) {
  const pick = game.value.sheet?.picks[param.name];
  const found = as === ANYBODY ? { sheet: {} } : characterOf(as);
  if (!pick || !found?.sheet) return [];
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
