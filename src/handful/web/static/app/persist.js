// Keeps unsent input in sessionStorage, per seat, so that it survives a reload or a change of language.
// Data from the server is never stored.

import { batch } from "./lib.js";

/** @type {Map<string, import("./types.js").Signal<any>>} name -> signal */
const drafts = new Map();
let rules = ""; // hash; drafts made under other rules are dropped

/** @param {string} what */
const storageKey = (what) => `handful-${what} ${location.pathname}`;

/** Read a stored value; null if there is none or storage is disabled. @param {string} what */
export function load(what) {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey(what)) ?? "null");
  } catch {
    return null;
  }
}

/** Store a value; an empty one is removed. @param {string} what @param {any} data */
export function save(what, data) {
  try {
    if (data) sessionStorage.setItem(storageKey(what), JSON.stringify(data));
    else sessionStorage.removeItem(storageKey(what));
  } catch {
    // storage is disabled or full: the page works without it
  }
}

/**
 * Register a signal to be stored and restored.
 * @template {import("./types.js").Signal<any>} T
 * @param {string} name @param {T} draft
 */
export function persist(name, draft) {
  drafts.set(name, draft);
  const before = load("drafts");
  if (rules && before?.rules === rules && name in before.drafts) draft.value = before.drafts[name];
  return draft;
}

/** Restore all drafts made under these rules; call before the first render. @param {string} hash */
export function restore(hash) {
  const first = !rules;
  rules = hash;
  const before = first && load("drafts");
  if (before?.rules !== hash) return;
  batch(() => {
    for (const [name, draft] of drafts) if (name in before.drafts) draft.value = before.drafts[name];
  });
}

addEventListener("pagehide", () => {
  if (!rules) return;
  const before = load("drafts"); // keep drafts of parts not opened since
  const now = Object.fromEntries([...drafts].map(([name, draft]) => [name, draft.value]));
  save("drafts", { rules, drafts: { ...(before?.rules === rules ? before.drafts : {}), ...now } });
});
