// Save what the composer holds under a name.

import { html, useState } from "../app/lib.js";
import { game, rollDraft } from "../app/state.js";
import { t } from "../app/i18n.js";
import { checkTitle, sheetWord } from "../app/format.js";
import { Text } from "../ui/textField.js";
import { saved, setSaved } from "./savedRolls.js";

/** A name for a draft: its title, what it picks from the sheet, or its check. */
function nameOf(draft) {
  const picked = Object.values(draft.sides?.[0]?.values ?? {}).filter((one) => typeof one === "string" && one && Number.isNaN(Number(one)));
  return draft.title || picked.map((one) => sheetWord(one)).join(" + ") || checkTitle(draft.check);
}

export function SaveRoll() {
  const [name, setName] = useState("");
  const send = () => {
    const draft = rollDraft.value, title = name.trim() || nameOf(draft);
    setSaved([{ name: title, rules: game.value.hash, draft }, ...saved.value.filter((one) => one.name !== title)]);
    setName("");
  };
  return html`
    <details class="more"><summary>${t("saved.save")}</summary>
      <div class="row"><${Text} grow label=${t("saved.name")} value=${name} set=${setName} maxlength="40"
          placeholder=${rollDraft.value ? nameOf(rollDraft.value) : ""} />
        <button type="button" onClick=${send}>${t("saved.do")}</button></div>
    </details>`;
}
