// An error message with its hint, shown at the place it is about.

import { html } from "../app/lib.js";
import { faults, setFault } from "../app/state.js";
import { t } from "../app/i18n.js";

export function Fault({ problem, onClose }) {
  if (!problem) return null;
  return html`
    <div class="fault" role="alert">
      <span aria-hidden="true">⚠</span>
      <p>${problem.message}${problem.hint && html`<br /><small>${problem.hint}</small>`}</p>
      ${onClose && html`
        <button type="button" class="ghost" onClick=${onClose} aria-label=${t("close")}>×</button>`}
    </div>`;
}

/** The error of a place: a card, a form, the table. */
export function FaultAt({ place }) {
  return html`<${Fault} problem=${faults.value[place]} onClose=${() => setFault(place, null)} />`;
}
