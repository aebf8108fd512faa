// The GM calls for a check: from one, several or all.  What is left open the players propose.

import { html, signal } from "../app/lib.js";
import { act } from "../app/socket.js";
import { may, shownPart } from "../app/state.js";
import { t } from "../app/i18n.js";
import { declared, newDraft } from "../app/rollDraft.js";
import { keep } from "../app/persist.js";
import { CheckForm } from "./checkForm.js";
import { FaultAt } from "../ui/error.js";
import { ModeField } from "./visibility.js";
import { People, players } from "./seatPicker.js";
import { Text } from "../ui/textField.js";

const draft = keep("ask", signal(null));
const asked = keep("asked", signal(null));

export function AskPanel() {
  if (!draft.value) draft.value = newDraft(undefined, "");
  const now = draft.value;
  const names = players();
  const to = (asked.value ?? names).filter((one) => names.includes(one));
  const set = (next) => { draft.value = next; };
  if (!names.length) return html`<p class="panel muted">${t("ask.nobody")}</p>`;

  async function send(event) {
    event.preventDefault();
    if (!(await act("request", { ...declared(now), to }, "ask"))) return;
    set({ ...now, title: "" });
    shownPart.value = "feed";
  }
  return html`
    <form class="panel stack" onSubmit=${send} aria-label=${t("act.ask")}>
      <${People} label=${t("ask.whom")} names=${names} chosen=${to} set=${(chosen) => { asked.value = chosen; }} />
      <${Text} label=${t("panel.what")} value=${now.title} set=${(value) => set({ ...now, title: value })} />
      <${CheckForm} draft=${now} set=${set} hide=${true} simple=${true} anybody=${true} />
      <details class="more"><summary>${t("panel.mode")}: ${t(`mode.${now.mode}`)}</summary>
        <${ModeField} modes=${may("declare").modes} value=${now.mode}
          set=${(mode) => set({ ...now, mode })} /></details>
      <p class="small muted">${t("ask.open")}</p>
      <${FaultAt} place="ask" />
      <button class="primary big" disabled=${!to.length}>${t("ask.do")}</button>
    </form>`;
}
