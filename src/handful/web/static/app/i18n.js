// The texts of the pages in the language of whoever reads them, and how it writes numbers.
// What games say comes from the server, in every language that they know.

/** Each with its own name; a catalogue of that name is in texts/. */
export const LANGUAGES = { en: "English", de: "Deutsch" };
const KEPT = "handful-language";

/** What was chosen here before, else what the browser likes best, else English. */
function chosen() {
  const liked = [kept(), ...(navigator.languages ?? [])].map((one) => String(one).split("-")[0].toLowerCase());
  return liked.find((one) => Object.hasOwn(LANGUAGES, one)) ?? "en";
}

function kept() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return ""; // a browser that keeps nothing
  }
}

/** Show the page in another language, here and from now on. */
export function speak(language) {
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    return;
  }
  location.reload();
}

export const LANGUAGE = chosen();
/** Only the catalogue that is read is fetched. */
const TEXTS = (await import(`../texts/${LANGUAGE}.js`)).default;

/** A text by its key; the key itself where there is none. */
export function t(key, values = {}) {
  const text = TEXTS[key];
  if (text === undefined) return key;
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? "").trim();
}

const plural = new Intl.PluralRules(LANGUAGE);

/** A text that counts; `otherwise` is the key where the first has no text. */
export function tn(key, n, values = {}, otherwise = key) {
  const form = plural.select(n);
  const found = [`${key}.${form}`, `${key}.other`, `${otherwise}.${form}`, `${otherwise}.other`];
  return t(found.find((one) => one in TEXTS) ?? key, { n, ...values });
}

/** A number as it is read: 3.5 is 3,5 in German. `digits` after the point, where they are asked for. */
export function written(number, digits) {
  const after = digits === undefined ? { maximumFractionDigits: 12 }
    : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(LANGUAGE, { useGrouping: false, ...after }).format(number);
}

/** A time of the day. */
export const clock = (time) => new Date(time).toLocaleTimeString(LANGUAGE, { hour: "2-digit", minute: "2-digit" });
