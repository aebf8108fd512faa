// Page texts and number formats in the reader's language.
// The wording of games comes from the server, in every language the game has.

/** Language codes and their native names; texts/ has a catalogue for each. */
export const LANGUAGES = { en: "English", de: "Deutsch" };
const KEPT = "handful-language";

/** The stored choice, else the browser's preference, else English. */
function chosen() {
  const liked = [kept(), ...(navigator.languages ?? [])].map((one) => String(one).split("-")[0].toLowerCase());
  return liked.find((one) => Object.hasOwn(LANGUAGES, one)) ?? "en";
}

function kept() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return ""; // storage is disabled
  }
}

/** Switch the page to another language and remember the choice. @param {string} language */
export function setLanguage(language) {
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    return;
  }
  location.reload();
}

export const LANGUAGE = chosen();
/** Only the catalogue in use is fetched. @type {Record<string, string>} */
const TEXTS = (await import(`../texts/${LANGUAGE}.js`)).default;

/** What the GM is called, with and without an article; a game may have its own words. */
const NAMES = { gm: TEXTS["role.gm"], the_gm: TEXTS["role.the_gm"] };

/** @param {Partial<typeof NAMES>} names of a game; without them the usual ones */
export function setRoleNames({ gm = "", the_gm: the = "" } = {}) {
  NAMES.gm = gm || TEXTS["role.gm"];
  NAMES.the_gm = the || (gm ? t("role.the", { name: gm }) : TEXTS["role.the_gm"]);
}

/** The text of {the_gm}; {The_gm} begins a sentence. @param {string} name */
function roleName(name) {
  const found = NAMES[/** @type {"gm"} */ (name.toLowerCase())] ?? "";
  return /^[A-Z]/.test(name) ? found.charAt(0).toUpperCase() + found.slice(1) : found;
}

/**
 * The text of a key, or the key itself if it has none. Every text may name the GM.
 * @param {string} key @param {Record<string, any>} values
 */
export function t(key, values = {}) {
  const text = TEXTS[key];
  if (text === undefined) return key;
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? roleName(name)).trim();
}

/**
 * Fetch texts that only some pages or dialogs need: texts/PART/LANGUAGE.js.
 * @param {string} part
 */
export async function loadTexts(part) {
  Object.assign(TEXTS, (await import(`../texts/${part}/${LANGUAGE}.js`)).default);
}

const plural = new Intl.PluralRules(LANGUAGE);

/**
 * A text with a plural form; `otherwise` is the fallback key.
 * @param {string} key @param {number} n @param {Record<string, any>} values
 */
export function tn(key, n, values = {}, otherwise = key) {
  const form = plural.select(n);
  const found = [`${key}.${form}`, `${key}.other`, `${otherwise}.${form}`, `${otherwise}.other`];
  return t(found.find((one) => one in TEXTS) ?? key, { n, ...values });
}

/** A number or die code with a minus sign instead of a hyphen: −2, 3D−1. @param {string} number */
export const withMinus = (number) => number.replace(/^(\d+D)?-(?=[\d.])/, "$1−");

/**
 * Format a decimal: 3.5 is 3,5 in German. `digits` fixes the number of decimals.
 * @param {number} number @param {number} [digits]
 */
export function formatDecimal(number, digits) {
  const after = digits === undefined ? { maximumFractionDigits: 12 }
    : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return withMinus(new Intl.NumberFormat(LANGUAGE, { useGrouping: false, ...after }).format(number));
}

/** Format a day: "Wed, 18 Nov 2026". @param {string|number} time */
export const formatDay = (time) => new Date(time).toLocaleDateString(LANGUAGE,
  { weekday: "short", day: "numeric", month: "short", year: "numeric" });

/** Format a time of day. @param {string|number} time */
export const formatTime = (time) => new Date(time).toLocaleTimeString(LANGUAGE, { hour: "numeric", minute: "2-digit" });
