// Join a fight in progress.

import { html, useState } from "../app/lib.js";
import { view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { Select } from "../ui/select.js";
import { NewCombatant } from "./newCombatant.js";

export function JoinFight() {
  const [name, setName] = useState("");
  const [behind, setBehind] = useState("");
  const order = view.value.fight?.order ?? [];
  const there = new Set(order.map((one) => one.combatant));
  const others = view.value.characters.filter((one) => one.sheet && !there.has(one.character));
  const join = async (who) => {
    const done = await act("join", { who, ...(behind ? { behind } : {}) }, "fight");
    if (done) { setName(""); setBehind(""); }
    return done;
  };
  return html`
    <details><summary>${t("fight.join")}</summary>
      <div class="stack">
        <${Select} label=${t("fight.behind")} value=${behind} set=${setBehind}
          options=${[["", t("fight.by_initiative")], ...order.map((one) => [one.combatant, one.name])]} />
        ${others.length > 0 && html`<div class="row"><${Select} grow label=${t("panel.character")} value=${name}
          set=${setName} options=${[["", "–"], ...others.map((one) => [one.character, one.name])]} />
          <button type="button" disabled=${!name} onClick=${() => join({ character: name })}>${t("line.add")}</button>
        </div>`}
        <${NewCombatant} add=${join} />
      </div></details>`;
}
