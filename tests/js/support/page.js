// A page without a browser: what the modules of src/handful/web/static read while they are loaded.

import { register } from "node:module";
import { webcrypto } from "node:crypto";

register("./hooks.js", import.meta.url);

const STATIC = new URL("../../../src/handful/web/static/", import.meta.url);
export const LANGUAGES = ["en", "de"];

/** A storage that forgets everything at the end of the test. */
function newStorage() {
  const kept = new Map();
  return {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => kept.set(name, String(value)),
    removeItem: (name) => kept.delete(name),
  };
}

globalThis.crypto ??= webcrypto;
globalThis.navigator ??= { languages: ["en"] };
globalThis.localStorage = newStorage();
globalThis.sessionStorage = newStorage();
globalThis.location = new URL("http://localhost/t/table");
globalThis.matchMedia ??= () => ({ matches: false, addEventListener() {} });
globalThis.addEventListener ??= () => {};
globalThis.document ??= {
  documentElement: { dataset: {}, style: { setProperty() {} } },
  addEventListener() {},
  getElementById: () => null,
  querySelector: () => null,
};

/** Import a module of the pages as a reader of a language gets it: load("app/format.js", "de"). */
export async function load(name, language = "en") {
  return import(new URL(`${name}?language=${language}`, STATIC).href);
}

/** The HTML of a component. */
export async function render(Component, props, language = "en") {
  const { renderToString } = await import(`./render.js?language=${language}`);
  const { html } = await load("app/lib.js", language);
  return renderToString(html`<${Component} ...${props} />`);
}
