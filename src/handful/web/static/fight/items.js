// A combatant's items, which may overheat, and the tasks it failed at.

import { html, useState } from "../app/lib.js";
import { may } from "../app/state.js";
import { act } from "../app/socket.js";
import { t, tn } from "../app/i18n.js";
import { characterOf, formatNumber, itemTitle } from "../app/format.js";
import { FaultAt } from "../ui/fault.js";
import { textButton } from "../ui/button.js";
import { Text } from "../ui/textField.js";

export function Items({ combatant }) {
  const it = characterOf(combatant);
  if (!it?.sheet) return null;
  const items = Object.entries(it.items ?? {}), tasks = Object.entries(it.tasks ?? {});
  const gm = may("equip", combatant);
  if (!items.length && !tasks.length && !gm) return null;
  const body = html`
    <ul class="items">
      ${items.map(([item, one]) => html`<li key=${item} class="row between wrap">
        <span>${itemTitle(item)}: ${one.hot ? html`<strong>⚠ ${t("things.hot")}</strong>` : tn("things.uses", one.uses)}</span>
        ${gm && textButton(t(one.hot ? "things.cool" : "things.heat"), () =>
          act("equip", { character: combatant, item, hot: !one.hot }, `things ${combatant}`), { class: "ghost" })}</li>`)}
      ${tasks.map(([task, tries]) => html`<li key=${task} class="row between wrap">
        <span>${t("things.failed", { task, what: tries.map(formatNumber).join(", ") })}</span>
        ${may("forget", combatant) && textButton(t("do.forget", { task }), () =>
          act("forget", { character: combatant, task }, `things ${combatant}`), { class: "ghost" })}</li>`)}
    </ul>
    ${gm && html`<${Equip} combatant=${combatant} />`}
    <${FaultAt} place=${`things ${combatant}`} />`;
  if (!gm) return body;
  return html`<details><summary>${t("things.title")}${items.length + tasks.length
    ? ` (${items.length + tasks.length})` : ""}</summary>${body}</details>`;
}

/** Form that gives a combatant an item, with its uses per round. */
function Equip({ combatant }) {
  const [item, setItem] = useState("");
  const [uses, setUses] = useState("1");
  const send = async (event) => {
    event.preventDefault();
    const data = { character: combatant, item: item.trim(), uses: Number(uses) };
    if (await act("equip", data, `things ${combatant}`)) setItem("");
  };
  return html`
    <form class="row wrap equip" onSubmit=${send}>
      <${Text} grow label=${t("things.item")} value=${item} set=${setItem} maxlength="60" required />
      <${Text} label=${t("things.often")} value=${uses} set=${setUses} inputmode="numeric" pattern="[0-9]+" required />
      <button>${t("things.equip")}</button>
    </form>`;
}
