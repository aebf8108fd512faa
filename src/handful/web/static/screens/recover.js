// A GM who lost every link types the recovery code and gets a new one.

import { html, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { t } from "../app/i18n.js";
import { Dialog } from "../ui/dialog.js";
import { Fault } from "../ui/fault.js";
import { Text } from "../ui/textField.js";

/** @param {{close: () => void}} props */
export function Recover({ close }) {
  const [code, setCode] = useState("");
  const [problem, setProblem] = useState(null);
  const send = async (event) => {
    event.preventDefault();
    try {
      location.assign((await ask("/api/recover", { code })).link);
    } catch (error) {
      setProblem(error);
    }
  };
  return html`
    <${Dialog} title=${t("recover.title")} close=${close} kind="short">
      <form class="stack" onSubmit=${send}>
        <p>${t("recover.why")}</p>
        <${Text} label=${t("recover.code")} value=${code} set=${setCode} required maxlength="60" autofocus autocomplete="off"
          autocapitalize="characters" spellcheck=${false} placeholder="XXXX-XXXX-XXXX-XXXX-XXXX" />
        <${Fault} problem=${problem} />
        <button class="primary big">${t("recover.do")}</button>
        <p class="small muted">${t("recover.else")} <code>handful link</code></p>
      </form>
    <//>`;
}
