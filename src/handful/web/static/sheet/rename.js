// Give a character another name. It stays the same character: its rolls and its history go on.

import { html, useState } from "../app/lib.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { characterOf } from "../app/format.js";
import { Dialog } from "../ui/dialog.js";
import { FaultAt } from "../ui/fault.js";
import { Text } from "../ui/textField.js";

/** @param {{character: string, close: () => void}} props */
export function RenameWindow({ character, close }) {
  const it = characterOf(character);
  const [name, setName] = useState(it?.name ?? "");
  if (!it) return null;
  async function save(/** @type {Event} */ event) {
    event.preventDefault();
    if (await act("rename", { character, name: name.trim() }, "rename")) close();
  }
  return html`
    <${Dialog} kind="short" title=${t("rename.title", { name: it.name })} close=${close}>
      <form class="stack" onSubmit=${save}>
        <${Text} label=${t("sheet.name")} value=${name} set=${setName} required maxlength="80" autocomplete="off" autofocus
          onFocus=${(/** @type {any} */ event) => event.target.select()} />
        <p class="small muted">${t("rename.why")}</p>
        <${FaultAt} place="rename" />
        <button class="primary" disabled=${!name.trim() || name.trim() === it.name}>${t("rename.do")}</button>
      </form>
    <//>`;
}
