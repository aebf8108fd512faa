// A combatant without a sheet: a name, optionally an initiative, optionally hidden.

import { html, useState } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { roundRules } from "./state.js";
import { Text } from "../ui/textField.js";

/** @param {{add: (one: any) => any, children?: any}} props resolves to true if it was added */
export function NewCombatant({ add, children = null }) {
  const [name, setName] = useState("");
  const [initiative, setInitiative] = useState("");
  const [hidden, setHidden] = useState(false);
  const send = async (event) => {
    event.preventDefault();
    const one = { name: name.trim(), ...(initiative ? { initiative: Number(initiative) } : {}),
      ...(hidden ? { hidden } : {}) };
    if (await add(one)) { setName(""); setInitiative(""); setHidden(false); }
  };
  return html`
    <details><summary>${t("fight.nameless")}</summary>
      <form class="stack" onSubmit=${send}>
        <div class="row">
          <${Text} grow label=${t("seats.name")} value=${name} set=${setName} maxlength="60" required />
          ${roundRules() && html`<${Text} label=${t("fight.its_initiative")} value=${initiative} set=${setInitiative}
            inputmode="numeric" pattern="-?[0-9]+" />`}
        </div>
        <label class="check"><input type="checkbox" checked=${hidden}
          onChange=${(event) => setHidden(event.target.checked)} /> ${t("fight.only_gm")}</label>
        ${children}
        <button>${t("line.add")}</button>
      </form></details>`;
}
