// A character's sheet as a window: to read and print, to edit, its history, an import.

import { html, useEffect, useState } from "../lib.js";
import { may, seatPath } from "../state.js";
import { t } from "../texts.js";
import { characterOf } from "../words.js";
import { Import } from "./bring.js";
import { Dialog } from "./dialog.js";
import { FaultAt } from "./fault.js";
import { badge } from "./press.js";
import { SheetEdit } from "./sheetedit.js";
import { SheetHistory } from "./sheethistory.js";
import { SheetPoints } from "./sheetpoints.js";
import { SheetView } from "./sheetview.js";
import { Tabs } from "./tabs.js";

export function SheetWindow({ character, close }) {
  const [tab, setTab] = useState("view");
  const it = characterOf(character);
  const there = Boolean(it?.sheet);
  useEffect(() => { if (!there) close(); }, [there]); // sent away, or hidden meanwhile
  if (!there) return null;
  const tabs = [
    { name: "view", title: t("sheet.view"), body: () => html`<${Reading} it=${it} />` },
    ...(may("bring", character) ? [
      { name: "edit", title: t("sheet.edit"), body: () => html`<${SheetEdit} it=${it} done=${() => setTab("view")} />` },
      { name: "import", title: t("sheet.import"), body: () => html`<${Import} owner=${it.owner} />` },
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
      <p class="row wrap noprint">
        <a class="button" download href=${seatPath(`sheet?character=${encodeURIComponent(it.character)}`)}>${t("sheet.export")}</a>
        <button type="button" onClick=${() => print()}>${t("sheet.print")}</button>
      </p>
      <${SheetView} it=${it} />
      <${SheetPoints} it=${it} />
    </div>`;
}
