// A small table of a game's odds: its first check by pool size.

import { html } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { percent, localize, fractionToNumber } from "../app/format.js";

/** @param {{glance: {of: object, against: object, chances: [any, string][]}|null}} props */
export function Glance({ glance }) {
  if (!glance) return html`<div></div>`;
  return html`
    <table class="glance">
      <caption>${t("glance.title", { what: localize(glance.of), goal: localize(glance.against) })}</caption>
      <tbody>
        <tr>${glance.chances.map(([value]) => html`<th scope="col" key=${value}>${value}</th>`)}</tr>
        <tr>${glance.chances.map(([value, chance]) => html`<td key=${value}>
          <span class="bar" style=${`--share:${fractionToNumber(chance)}`}
            aria-hidden="true"></span>${percent(chance)}</td>`)}</tr>
      </tbody>
    </table>`;
}
