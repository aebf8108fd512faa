// Roll the same again: the drafts of this browser's own rolls, by the roll's name.

import { signal } from "../app/lib.js";
import { persist } from "../app/persist.js";
import { may, rollDraft } from "../app/state.js";
import { declare } from "./declare.js";

const MOST_KEPT = 30;
const drafts = persist("again", signal({}));

/** Keep the draft of a roll, so that it can be rolled again. */
export function keepDraft(name, draft) {
  drafts.value = Object.fromEntries([...Object.entries(drafts.value), [name, draft]].slice(-MOST_KEPT));
}

/** True if this browser declared the roll, and its check may be rolled now. */
export const canRepeat = (name) => may("declare")?.checks.includes(drafts.value[name]?.check);

/** Throw the same check once more; virtual dice, unless the draft was for the reader's own. */
export function rollAgain(name) {
  return declare(drafts.value[name], keepDraft);
}

/** Put the draft of an earlier roll into the composer. */
export function editAgain(name) {
  rollDraft.value = drafts.value[name];
}
