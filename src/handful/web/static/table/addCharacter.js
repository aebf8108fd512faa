// Add a character: a new one, or one that is ready. The latter's form is loaded when it is opened.

import { html, useState } from "../app/lib.js";
import { game, isGM, may, openDialog, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { Select } from "../ui/select.js";
import { icon } from "../ui/icons.js";

export function AddCharacter() {
  const [owner, setOwner] = useState(view.value.seat);
  const [shown, setShown] = useState("");
  const [Form, setForm] = useState(/** @type {any} */ (null));
  const load = () => import("../sheet/importSheet.js").then((one) => setForm(() => one.ImportSheet));
  const hasOne = view.value.characters.some((one) => one.owner === view.value.seat);
  return html`
    <div class="stack">
      <button type="button" class=${hasOne ? "wide" : "wide primary"} aria-haspopup="dialog"
        onClick=${() => { openDialog.value = { name: "create" }; }}>${icon("plus")} ${t("create.open")}</button>
      <details class="box" onToggle=${load}><summary>${t("bring.title")}</summary>
        <div class="stack">
          ${isGM.value && html`<${Select} label=${t("bring.for")} value=${owner} set=${setOwner}
            options=${view.value.seats.filter((one) => one.role !== "watcher").map((one) => [one.name, one.name])} />`}
          <${Select} label=${t("sheet.shown")} value=${shown} set=${setShown}
            options=${[["", t("shown.usual")], ...may("bring").shown.map((one) => [one, t(`shown.${one}`)])]} />
          ${Form && html`<${Form} key=${owner} owner=${owner} shown=${shown} samples=${game.value.characters} />`}
        </div>
      </details>
    </div>`;
}
