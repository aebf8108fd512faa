// The sheet dialog: read, print, edit, history, import.

import { html, useEffect, useState } from "../app/lib.js";
import { may, seatPath } from "../app/state.js";
import { t } from "../app/i18n.js";
import { characterOf } from "../app/format.js";
import { ImportSheet } from "./importSheet.js";
import { Dialog } from "../ui/dialog.js";
import { FaultAt } from "../ui/fault.js";
import { badge } from "../ui/button.js";
import { characterActions } from "./characterActions.js";
import { SheetEdit } from "./edit.js";
import { SheetHistory } from "./history.js";
import { SheetPoints } from "./points.js";
import { SheetView } from "./view.js";
import { Tabs } from "../ui/tabs.js";

export function SheetWindow({ character, close }) {
  const [tab, setTab] = useState("view");
  const it = characterOf(character);
  const there = Boolean(it?.sheet);
  useEffect(() => { if (!there) close(); }, [there]); // the character was removed or hidden
  if (!there) return null;
  const tabs = [
    { name: "view", title: t("sheet.view"), body: () => html`<${Reading} it=${it} />` },
    ...(may("bring", character) ? [
      { name: "edit", title: t("sheet.edit"), body: () => html`<${SheetEdit} it=${it} done=${() => setTab("view")} />` },
      { name: "import", title: t("sheet.import"), body: () => html`<${ImportSheet} owner=${it.owner} />` },
    ] : []),
    { name: "history", title: t("sheet.history"), body: () => html`<${SheetHistory} it=${it} />` },
  ];
  const title = html`${it.name} <small>${it.owner}</small> ${badge(t(`kind.${it.kind}`))}`;
  return html`
    <${Dialog} kind="sheet" title=${title} close=${close}>
      <${Tabs} tabs=${tabs} now=${tab} set=${setTab} label=${t("sheet.parts")} />
      <${FaultAt} place=${character} />
    <//>`;
}

function Reading({ it }) {
  return html`
    <div class="stack">
      <${SheetView} it=${it} />
      <${SheetPoints} it=${it} />
      <p class="row wrap noprint">
        <a class="button" download href=${seatPath(`sheet?character=${encodeURIComponent(it.character)}`)}>${t("sheet.export")}</a>
        <button type="button" onClick=${() => print()}>${t("sheet.print")}</button>
        ${characterActions(it)}
      </p>
    </div>`;
}
