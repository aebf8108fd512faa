// Keeps the page's state in the URL fragment, which never reaches a server: a copied link shows the
// same picture.

import { MAX_SERIES, nextId } from "./series.js";
import { t } from "../app/i18n.js";

const LONGEST = 100, VERSION = 1;
export const TABS = ["odds", "table", "diff", "claims"];
export const CURVES = ["exactly", "at_least", "at_most"];
const POLICIES = ["usual", "best", "never"];

class Broken extends Error {}

const plainValue = (value) => typeof value === "boolean" || Number.isFinite(value)
  || (typeof value === "string" && value.length <= LONGEST)
  || (Array.isArray(value) && value.length <= LONGEST && value.every((one) => typeof one !== "object" && plainValue(one)));

function record(given) {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw new Broken();
  if (Object.keys(given).length > LONGEST || !Object.values(given).every(plainValue)) throw new Broken();
  return { ...given };
}

const short = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== "" && value !== undefined
  && value !== null));
const some = (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) =>
  Array.isArray(value) ? value.length : typeof value === "object" ? Object.keys(value).length : value));

const text = (given, most = LONGEST) => {
  if (given === undefined) return "";
  if (typeof given !== "string" || given.length > most) throw new Broken();
  return given;
};

function listed(given, most) {
  if (given === undefined) return [];
  if (!Array.isArray(given) || given.length > most) throw new Broken();
  return given;
}

function among(given, known) {
  if (given === undefined) return known[0];
  if (!known.includes(given)) throw new Broken();
  return given;
}

function readSeries(given) {
  if (typeof given !== "object" || given === null) throw new Broken();
  return {
    id: nextId(), game: text(given.g), check: text(given.c), whole: record(given.p),
    sides: listed(given.s, 20).map(record), options: record(given.o), policy: among(given.d, POLICIES),
    fresh: given.p === undefined && given.s === undefined, // the link names a check without parameters
  };
}

const shortSeries = (one) => ({ ...some({ g: one.game, c: one.check, s: one.sides.map(short), o: one.options,
  d: one.policy === "usual" ? "" : one.policy }), p: short(one.whole) });

/** Encode a state as a fragment; draft texts are left out. */
export function encodeState(state) {
  const data = { v: VERSION, ...some({ t: state.tab === TABS[0] ? "" : state.tab, k: state.curve === CURVES[0] ? "" : state.curve,
    a: state.active, s: state.series.map(shortSeries), w: some(state.sweep), n: some(state.find), b: some(state.before),
    f: some(state.after), g: state.claims }) };
  return `#${encodeJson(JSON.stringify(data))}`;
}

/** JSON with the characters replaced that browsers would percent-encode. */
const STANDS = { "'": "%22", "(": "%7B", ")": "%7D" };
export const encodeJson = (json) => encodeURIComponent(json).replaceAll(/['()]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)
  .replaceAll("%22", "'").replaceAll("%7B", "(").replaceAll("%7D", ")").replaceAll("%2C", ",").replaceAll("%3A", ":");
const unwritten = (fragment) => decodeURIComponent(fragment.slice(1).replaceAll(/['()]/g, (one) => STANDS[one]));

/** Decode a fragment; null if empty, a message if broken. */
export function decodeState(fragment) {
  if (fragment.length < 2) return { state: null, problem: null };
  try {
    const data = JSON.parse(unwritten(fragment));
    if (typeof data !== "object" || data === null || data.v !== VERSION) throw new Broken();
    const series = listed(data.s, MAX_SERIES).map(readSeries);
    const active = data.a ?? 0;
    if (!Number.isInteger(active) || active < 0 || active >= Math.max(1, series.length)) throw new Broken();
    return { problem: null, state: {
      tab: among(data.t, TABS), curve: among(data.k, CURVES), active, series, sweep: record(data.w), find: record(data.n),
      before: edition(data.b), after: edition(data.f), claims: text(data.g),
    } };
  } catch (error) {
    if (!(error instanceof Broken || error instanceof SyntaxError || error instanceof URIError)) throw error;
    return { state: null, problem: { message: t("odds.broken_link"), hint: t("odds.broken_link_hint") } };
  }
}

function edition(given) {
  if (given === undefined) return {};
  const { options, ...rest } = given ?? {};
  return { ...record(rest), ...(options === undefined ? {} : { options: record(options) }) };
}
