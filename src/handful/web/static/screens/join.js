// An open invitation: enter a name, get a seat.

import { html, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { t } from "../app/i18n.js";
import { Fault } from "../ui/fault.js";
import { Text } from "../ui/textField.js";

export function JoinScreen({ token }) {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);

  async function sit(event) {
    event.preventDefault();
    setBusy(true);
    try {
      const { link } = await ask("/api/sit", { token, name: name.trim() });
      location.assign(link);
    } catch (error) {
      setProblem(error);
      setBusy(false);
    }
  }

  return html`
    <main class="page narrow">
      <h1>${t("join.title")}</h1>
      <p>${t("join.why")}</p>
      <form class="stack" onSubmit=${sit}>
        <${Text} label=${t("join.name")} value=${name} set=${setName} required maxlength="60" autocomplete="nickname"
          autofocus />
        <${Fault} problem=${problem} />
        <button class="primary" disabled=${busy}>${t("join.sit")}</button>
      </form>
    </main>`;
}
