// A short note at the foot of the screen about something that was done, with a button that undoes it.
// What cannot be undone waits until the note goes; then it is really done.

import { html, signal } from "../app/lib.js";
import { t } from "../app/i18n.js";

const SHOWN = 6000; // milliseconds

/** The note that is shown; `finish` is done when it goes. @typedef {{says: string, undo: () => any, finish?: () => any}} Note */
const shown = signal(/** @type {Note|null} */ (null));
let timer = 0;

/** End the note; what waited for it is done now. */
function end() {
  clearTimeout(timer);
  const was = shown.value;
  shown.value = null;
  was?.finish?.();
}

function show(note) {
  end();
  shown.value = note;
  timer = setTimeout(end, SHOWN);
}

addEventListener("pagehide", end);

/** Say what was done. @param {string} says @param {() => any} undo */
export const toastUndo = (says, undo) => show({ says, undo });

/**
 * Say what will be done, and do it when the note goes, unless it is undone.
 * @param {string} says @param {() => any} work @param {() => any} [undo] what else undoing takes
 */
export const toastLater = (says, work, undo = () => {}) => show({ says, undo, finish: work });

function undo() {
  clearTimeout(timer);
  const was = shown.value;
  shown.value = null;
  was?.undo();
}

/** Time stands still while the pointer or the focus is on the note. */
const hold = () => clearTimeout(timer);
const release = () => { clearTimeout(timer); timer = setTimeout(end, SHOWN); };

export function Toast() {
  const note = shown.value;
  return html`<div role="status" class="toasts">${note && html`
    <div class="toast" onPointerEnter=${hold} onPointerLeave=${release} onFocusIn=${hold} onFocusOut=${release}>
      <span>${note.says}</span><button type="button" onClick=${undo}>${t("toast.undo")}</button>
    </div>`}</div>`;
}
