// A labelled select.

import { html, useId } from "../app/lib.js";

/**
 * @param {{label: string, value: string, set: (value: string) => void,
 *   options: [string, string][], hint?: string, grow?: boolean}} props
 */
export function Select({ label, value, set, options, hint = "", grow = false }) {
  const id = useId();
  const change = (event) => {
    const next = event.target.value;
    event.target.value = value; // show the confirmed value until the server accepts the new one
    set(next);
  };
  return html`
    <div class=${grow ? "field grow" : "field"}>
      <label for=${id}>${label}</label>
      <select id=${id} value=${value} aria-describedby=${hint ? `${id}h` : null}
        onChange=${change}>
        ${options.map(([name, says]) =>
          html`<option key=${name} value=${name} selected=${name === value}>${says}</option>`)}
      </select>
      ${hint && html`<small id=${`${id}h`}>${hint}</small>`}
    </div>`;
}
