// Select a game: shipped games first, then the families.

import { html, useId } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { localize } from "../app/format.js";

/**
 * @param {{label: string, value: string, set: (id: string) => void, families?: boolean,
 *   shelf: {games: import("../app/server.js").GameSummary[], families: import("../app/server.js").GameSummary[]}}} props
 */
export function GameSelect({ label, value, set, shelf, families = true }) {
  const id = useId();
  const group = (title, list) => html`
    <optgroup label=${title}>
      ${list.map((one) => html`<option key=${one.id} value=${one.id} selected=${one.id === value}>${localize(one.title)}</option>`)}
    </optgroup>`;
  return html`
    <div class="field"><label for=${id}>${label}</label>
      <select id=${id} value=${value} onChange=${(event) => set(event.target.value)}>
        ${group(t("odds.games"), shelf.games)}
        ${families && group(t("odds.families"), shelf.families)}
      </select></div>`;
}
