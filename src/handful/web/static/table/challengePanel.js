// A player challenges something: the GM approves the skill, the player rolls, the GM settles it.

import { html, signal } from "../app/lib.js";
import { act } from "../app/socket.js";
import { shownPart } from "../app/state.js";
import { t } from "../app/i18n.js";
import { declareFields, newDraft } from "../app/rollDraft.js";
import { persist } from "../app/persist.js";
import { CheckForm } from "./checkForm.js";
import { FaultAt } from "../ui/fault.js";
import { Text } from "../ui/textField.js";

const draft = persist("call", signal(null));

export function ChallengePanel() {
  if (!draft.value) draft.value = newDraft();
  const now = draft.value;
  const set = (next) => { draft.value = next; };
  async function send(event) {
    event.preventDefault();
    const { check, parameters, as, title } = declareFields(now);
    const data = { check, ...(parameters ? { parameters } : {}), ...(as ? { as } : {}), ...(title ? { title } : {}) };
    if (!(await act("call", /** @type {any} */ (data), "call"))) return;
    set({ ...now, title: "" });
    shownPart.value = "feed";
  }
  return html`
    <form class="panel stack" onSubmit=${send} aria-label=${t("act.call")}>
      <p class="small muted">${t("call.why")}</p>
      <${Text} label=${t("call.what")} value=${now.title} set=${(value) => set({ ...now, title: value })} />
      <${CheckForm} draft=${now} set=${set} simple=${true} />
      <${FaultAt} place="call" />
      <button class="primary big">${t("call.do")}</button>
    </form>`;
}
