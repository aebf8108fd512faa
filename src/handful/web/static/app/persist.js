// What somebody has filled in and not sent outlives the page: a reload, another language.
// This tab keeps it, for this seat alone; what the server told is never kept.

import { batch } from "./lib.js";

const drafts = new Map(); // name -> signal
let rules = ""; // what was filled in for other rules may mean nothing any more

const place = (what) => `handful-${what} ${location.pathname}`;

/** What was put there; nothing where the browser keeps nothing. */
export function taken(what) {
  try {
    return JSON.parse(sessionStorage.getItem(place(what)));
  } catch {
    return null;
  }
}

/** Put it there; whatever is empty is taken away. */
export function put(what, data) {
  try {
    if (data) sessionStorage.setItem(place(what), JSON.stringify(data));
    else sessionStorage.removeItem(place(what));
  } catch {
    // a browser that keeps nothing, or is full: then it is as it was before
  }
}

/** A signal with something filled in, which is kept from now on. */
export function keep(name, draft) {
  drafts.set(name, draft);
  const before = taken("drafts");
  if (rules && before?.rules === rules && name in before.drafts) draft.value = before.drafts[name];
  return draft;
}

/** Everything as it was filled in by these rules, before it is shown for the first time. */
export function begin(hash) {
  const first = !rules;
  rules = hash;
  const before = first && taken("drafts");
  if (before?.rules !== hash) return;
  batch(() => {
    for (const [name, draft] of drafts) if (name in before.drafts) draft.value = before.drafts[name];
  });
}

addEventListener("pagehide", () => {
  if (!rules) return;
  const before = taken("drafts"); // parts that were not opened again have theirs there
  const now = Object.fromEntries([...drafts].map(([name, draft]) => [name, draft.value]));
  put("drafts", { rules, drafts: { ...(before?.rules === rules ? before.drafts : {}), ...now } });
});
