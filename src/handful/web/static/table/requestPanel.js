// The GM requests a check from one, several or all players, who propose what the GM leaves open.

import { html, signal } from "../app/lib.js";
import { act } from "../app/socket.js";
import { may, shownPart } from "../app/state.js";
import { t } from "../app/i18n.js";
import { declareFields, newDraft } from "../app/rollDraft.js";
import { persist } from "../app/persist.js";
import { CheckForm } from "./checkForm.js";
import { FaultAt } from "../ui/fault.js";
import { ModeField } from "./visibility.js";
import { SeatPicker, players } from "./seatPicker.js";
import { Text } from "../ui/textField.js";

const draft = persist("ask", signal(null));
const asked = persist("asked", signal(null));

export function RequestPanel() {
  if (!draft.value) draft.value = newDraft(undefined, "");
  const now = draft.value;
  const names = players();
  const to = (asked.value ?? names).filter((one) => names.includes(one));
  const set = (next) => { draft.value = next; };
  if (!names.length) return html`<p class="panel muted">${t("ask.nobody")}</p>`;

  async function send(event) {
    event.preventDefault();
    if (!(await act("request", /** @type {any} */ ({ ...declareFields(now), to }), "ask"))) return;
    set({ ...now, title: "" });
    shownPart.value = "feed";
  }
  return html`
    <form class="panel stack" onSubmit=${send} aria-label=${t("act.ask")}>
      <${SeatPicker} label=${t("ask.whom")} names=${names} chosen=${to} set=${(chosen) => { asked.value = chosen; }} />
      <${Text} label=${t("panel.what")} value=${now.title} set=${(value) => set({ ...now, title: value })} />
      <${CheckForm} draft=${now} set=${set} hide=${true} simple=${true} anybody=${true} />
      <details class="more"><summary>${t(`mode.${now.mode}`)}</summary>
        <${ModeField} modes=${may("declare").modes} value=${now.mode}
          set=${(mode) => set({ ...now, mode })} /></details>
      <p class="small muted">${t("ask.open")}</p>
      <${FaultAt} place="ask" />
      <button class="primary big" disabled=${!to.length}>${t(names.length > 1 && to.length === names.length ? "ask.everybody" : "ask.do")}</button>
    </form>`;
}
