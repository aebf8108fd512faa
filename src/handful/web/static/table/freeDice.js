// Dice outside the rules: type "3d6+2", see the odds, roll. The last ones are kept in this browser.

import { html, signal, useEffect, useState } from "../app/lib.js";
import { ask, newKey } from "../app/api.js";
import { act } from "../app/socket.js";
import { may, seatPath, shownPart, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { freeCheck, looksWhole } from "../app/freeDice.js";
import { keep, readKept } from "../app/kept.js";
import { focusCard } from "../ui/focus.js";
import { FaultAt } from "../ui/fault.js";
import { Text } from "../ui/textField.js";
import { Chance } from "./chance.js";
import { ModeField } from "./visibility.js";

const DEBOUNCE = 150; // milliseconds without typing before a request
const MOST = 6; // expressions that are kept
const typed = signal("");
const mode = signal("public");
const last = signal(readKept("free", /** @type {string[]} */ ([])));

/** Roll an expression, and keep it. */
async function rollFree(text) {
  const key = newKey();
  if (!(await act("declare", { check: freeCheck(text), mode: /** @type {import("../app/types.js").Mode} */ (mode.value), throw: {} }, "free", key))) return;
  last.value = [text.trim(), ...last.value.filter((one) => one !== text.trim())].slice(0, MOST);
  keep("free", last.value);
  shownPart.value = "feed";
  focusCard(`${view.value.seat}/${key}`);
}

/** The odds of an expression, while it is typed. */
function useOdds(text) {
  const [found, setFound] = useState(/** @type {{odds: any, problem: any, busy: boolean}} */ ({ odds: null, problem: null, busy: false }));
  useEffect(() => {
    setFound({ odds: null, problem: null, busy: false });
    if (!looksWhole(text)) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(() => ask(seatPath("sketch"), { data: { check: freeCheck(text) } }, stop.signal)
      .then(({ odds }) => setFound({ odds, problem: null, busy: false }), (problem) => {
        if (problem.name !== "AbortError") setFound({ odds: null, problem, busy: false });
      }), DEBOUNCE);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [text]);
  return found;
}

export function FreeDice() {
  const text = typed.value, found = useOdds(text);
  const main = found.odds?.distribution && />|<|=|≥|≤/.test(text) && found.odds.success === null ? "hits" : "total";
  const send = (event) => {
    event.preventDefault();
    rollFree(text);
  };
  return html`
    <details class="box free"><summary>${t("free.title")}</summary>
      <form class="stack" onSubmit=${send}>
        <p class="small muted">${t("free.why")}</p>
        <${Text} label=${t("free.dice")} value=${text} set=${(value) => { typed.value = value; }} placeholder="3d6+2"
          hint=${t("free.hint")} maxlength="50" autocapitalize="off" spellcheck="false" required />
        ${last.value.length > 0 && html`<div class="chips" role="group" aria-label=${t("free.last")}>
          ${last.value.map((one) => html`<button type="button" key=${one} onClick=${() => { typed.value = one; rollFree(one); }}>${one}</button>`)}</div>`}
        <${ModeField} modes=${may("declare").modes} value=${mode.value} set=${(one) => { mode.value = one; }} />
        <div class="row between">
          ${looksWhole(text) && html`<${Chance} found=${found} main=${main} />`}
          <button disabled=${!looksWhole(text)}>${t("free.roll")}</button>
        </div>
        <${FaultAt} place="free" />
      </form>
    </details>`;
}
