// A character that is being made: its draft, and what the server says about it.
// A draft survives closing the dialog and loading the page again; nothing is sent before it is added.

import { signal, useEffect, useRef, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { persist } from "../app/persist.js";
import { seatPath } from "../app/state.js";

const DEBOUNCE = 120; // milliseconds without a change before a request

/**
 * @typedef {{sheet: any, from: string}} NewCharacter what it began with: a quick start, a sample, a copy
 * @type {import("../app/types.js").Signal<Record<string, NewCharacter>>}
 */
const drafts = persist("create", signal({}));

/** @param {string} key */
export const draftOf = (key) => drafts.value[key];

/** @param {string} key @param {NewCharacter|null} draft */
export function setDraft(key, draft) {
  const { [key]: _, ...others } = drafts.value;
  drafts.value = draft ? { ...others, [key]: draft } : others;
}

/** A number for chance on the server. */
export const newSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

/**
 * The sheet of a new character, with a random name.
 * @param {{kind: string, start?: string, quick?: boolean}} asked
 */
export const beginWith = (asked) => ask(seatPath("new-character"), { ...asked, seed: newSeed() })
  .then((found) => found.sheet);

/**
 * What a sheet comes to: derived numbers, points left, what does not fit yet.
 * The last good answer stays while somebody types.
 * @param {any} sheet @param {string} owner
 */
export function useComesTo(sheet, owner) {
  const [found, setFound] = useState(/** @type {any} */ ({}));
  const [changed, setChanged] = useState(/** @type {string[]} */ ([]));
  const before = useRef(null);
  useEffect(() => {
    if (!sheet) return undefined;
    const stop = new AbortController();
    const named = { ...sheet, name: sheet.name.trim() || "?" }; // a name may come last
    const timer = setTimeout(() => ask(seatPath("preview"), { sheet: named, owner, partial: true }, stop.signal).then((now) => {
      setFound((had) => (now.problem ? { ...had, problem: now.problem } : now));
      const derived = now.comes_to?.derived ?? before.current ?? {};
      if (before.current) setChanged(Object.keys(derived).filter((name) => derived[name] !== before.current[name]));
      before.current = derived;
    }, (problem) => {
      if (problem.name !== "AbortError") setFound((had) => ({ ...had, problem }));
    }), DEBOUNCE);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [sheet, owner]);
  return { found, changed };
}

/** A name that none of these have: Mira, Mira 2, Mira 3. @param {string} name @param {string[]} taken */
export function freeName(name, taken) {
  const bare = name.replace(/ \d+$/, "");
  let made = name;
  for (let n = 2; taken.includes(made); n += 1) made = `${bare} ${n}`;
  return made;
}
