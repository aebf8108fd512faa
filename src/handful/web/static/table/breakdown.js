// The breakdown of a roll: sources of its dice and points, and the decisions made.

import { html } from "../app/lib.js";
import { may } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { paramLabel, formatNumber, localize, valueWord, wordFor } from "../app/format.js";

export function Breakdown({ roll }) {
  const entries = roll.sources ?? (roll.modifiers ?? []).map((one) => ({
    source: wordFor(one.source), amount: one.value, unit: one.unit, side: one.side || null, by: "rules", on: true }));
  const spoken = (roll.decisions ?? []).filter((one) => one.words);
  if (!entries.length && !spoken.length) return null;
  const sides = new Set(entries.map((one) => one.side));
  return html`
    <details class="breakdown">
      <summary>${t("roll.breakdown")}</summary>
      <table class="sources">
        <caption class="hidden">${t("roll.breakdown")}</caption>
        <tbody>
          ${entries.map((one, at) => html`
            <tr key=${at} class=${one.on ? "" : "off"}>
              <th scope="row">${sides.size > 1 && one.side
                ? html`<span class="muted">${t("roll.side", { n: one.side })}: </span>` : ""}${localize(one.words, one.source)
                  || paramLabel(roll.asked.check, one.parameter)}
                ${!one.on && html` <span class="badge">${t("roll.off", { who: one.switched_by ?? "" })}</span>`}</th>
              <td>${formatNumber(one.amount)} ${one.unit ? localize(one.units, wordFor(one.unit)) : ""}</td>
              <td class="muted">${one.by === "rules" ? t("by.rules") : one.by === "sheet" ? t("by.sheet") : one.by}</td>
            </tr>`)}
        </tbody>
      </table>
      ${spoken.map((one, at) => html`<p key=${at} class="small"><strong>${one.by}</strong>: ${one.words}</p>`)}
      ${may("switch", roll.roll) && html`<${Lines} roll=${roll} />`}
    </details>`;
}

/** Lines the GM may switch on and off before the first throw. */
function Lines({ roll }) {
  const { check } = roll.asked;
  return html`
    <fieldset class="lines"><legend>${t("roll.lines")}</legend>
      ${(roll.lines ?? []).map((line) => html`
        <label key=${line.number} class="check"><input type="checkbox" checked=${line.on}
          onChange=${(event) => act("switch", { roll: roll.roll, line: line.number, on: event.target.checked },
            roll.roll)} />
          ${localize(line.words, line.says) || paramLabel(check, line.parameter)} <strong>${valueWord(check, line.parameter,
            line.value)}</strong></label>`)}
    </fieldset>`;
}
