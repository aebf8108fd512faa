// Module resolution of the tests: one instance of every module per language, and one Preact for all.

const VENDOR = new URL("../../../src/handful/web/static/vendor/", import.meta.url);
const VENDORED = { preact: "preact.mjs", "preact/hooks": "hooks.mjs", "@preact/signals": "signals.mjs" };

export async function resolve(specifier, context, next) {
  const own = VENDORED[specifier];
  const found = own ? { url: new URL(own, VENDOR).href, shortCircuit: true } : await next(specifier, context);
  const query = context.parentURL?.split("?")[1];
  const isFile = found.url.startsWith("file:") && !found.url.includes("?");
  return query && isFile ? { ...found, url: `${found.url}?${query}` } : found;
}

/** The module that reads the reader's choice is given it at that very moment: two languages load at once. */
export async function load(url, context, next) {
  const found = await next(url, context);
  const language = /app\/i18n\.js\?language=(\w+)$/.exec(url)?.[1];
  if (!language) return found;
  return { ...found, source: `localStorage.setItem("handful-language", "${language}");${found.source}` };
}
