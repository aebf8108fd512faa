// A game's odds at a glance: its first check, by how large the pool is.

import { html } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { percent, say, share } from "../app/format.js";

/** @param {{glance: {of: object, against: object, chances: [any, string][]}|null}} props */
export function Glance({ glance }) {
  if (!glance) return html`<div></div>`;
  return html`
    <table class="glance">
      <caption>${t("glance.title", { what: say(glance.of), goal: say(glance.against) })}</caption>
      <tbody>
        <tr>${glance.chances.map(([value]) => html`<th scope="col" key=${value}>${value}</th>`)}</tr>
        <tr>${glance.chances.map(([value, chance]) => html`<td key=${value}>
          <span class="bar" style=${`--share:${share(chance)}`}
            aria-hidden="true"></span>${percent(chance)}</td>`)}</tr>
      </tbody>
    </table>`;
}
