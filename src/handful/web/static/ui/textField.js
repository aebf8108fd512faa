// A labelled text input.

import { html } from "../app/lib.js";

/**
 * @param {{label: string, value: string, set: (value: string) => void, hint?: string,
 *   grow?: boolean}} props and those of an input
 */
export function Text({ label, value, set, hint = "", grow = false, ...more }) {
  return html`
    <label class=${grow ? "field grow" : "field"}>
      <span>${label}</span>
      <input maxlength="500" ...${more} value=${value} onInput=${(event) => set(event.target.value)} />
      ${hint && html`<small>${hint}</small>`}
    </label>`;
}
