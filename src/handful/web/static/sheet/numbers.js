// Numbers of a sheet as people step through them: whole numbers, halves, and die codes such as 3D+1.
// Pure: no page, no game.

const CODE = /^\s*(\d{1,4})\s*d\s*(?:\+\s*(\d{1,2}))?\s*$/i;

/**
 * A value as a count of its smallest steps; null if it cannot be read.
 * @param {import("../app/types.js").Exact|undefined} value
 * @param {{type: string}} param
 * @param {number} pips to a die
 */
export function toSteps(value, param, pips = 3) {
  if (value === undefined || value === null || value === "") return null;
  const text = String(value).replace(",", ".");
  if (param.type === "die_code") {
    const found = CODE.exec(text);
    return found ? Number(found[1]) * pips + Number(found[2] ?? 0) : null;
  }
  const [top, bottom = "1"] = text.split("/");
  const number = Number(top) / Number(bottom);
  const steps = param.type === "halves" ? number * 2 : number;
  return Number.isInteger(steps) && text.trim() ? steps : null;
}

/** @param {number} steps @param {{type: string}} param @param {number} pips */
export function fromSteps(steps, param, pips = 3) {
  if (param.type === "die_code") return `${Math.floor(steps / pips)}D${steps % pips ? `+${steps % pips}` : ""}`;
  return param.type === "halves" ? steps / 2 : steps;
}

/** How many steps are in a 1 of the value: of a die its pips. @param {{type: string}} param @param {number} pips */
const perOne = (param, pips) => (param.type === "die_code" ? pips : param.type === "halves" ? 2 : 1);

/** The lowest and the highest value, in steps. @param {{type: string, min: number|null, max: number|null}} param */
export function bounds(param, pips = 3) {
  const one = perOne(param, pips);
  return [(param.min ?? 0) * one, param.max === null ? Infinity : param.max * one];
}

/**
 * The value after one step up (1) or down (-1), within its range.
 * An entry that need not be there (`optional`) begins at 1 and ends below its lowest value: undefined.
 * @param {import("../app/types.js").Exact|undefined} value
 * @param {number} by
 * @param {{type: string, min: number|null, max: number|null}} param
 */
export function stepped(value, by, param, { pips = 3, optional = false } = {}) {
  const [least, most] = bounds(param, pips);
  const now = toSteps(value, param, pips);
  const first = Math.max(least, optional ? Math.min(perOne(param, pips), most) : least);
  if (now === null) return by > 0 ? fromSteps(first, param, pips) : undefined;
  const next = Math.min(most, now + by);
  if (optional && next < Math.max(least, 1)) return undefined;
  return fromSteps(Math.max(least, next), param, pips);
}

/** A share of a whole as two fractions, such as ["58/3", "19"], between 0 and 100. @param {string[]} share */
export function percentOf([spent, whole]) {
  const number = (text) => { const [top, bottom = "1"] = text.split("/"); return Number(top) / Number(bottom); };
  const all = number(whole);
  return all > 0 ? Math.max(0, Math.min(100, (100 * number(spent)) / all)) : number(spent) > 0 ? 100 : 0;
}
