// Start editing: from a commented template, a shipped game, or a file.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { t } from "../app/i18n.js";
import { localize } from "../app/format.js";
import { Fault } from "../ui/fault.js";
import { Select } from "../ui/select.js";
import { Text } from "../ui/textField.js";
import { startWith } from "./model.js";

export function StartEditing({ back }) {
  const [bases, setBases] = useState(/** @type {import("../app/server.js").BaseRuleset[]} */ ([]));
  const [base, setBase] = useState("");
  const [name, setName] = useState("my-game");
  const [problem, setProblem] = useState(null);
  useEffect(() => { ask("/api/brews/bases").then(setBases, setProblem); }, []);
  const start = async (event) => {
    event.preventDefault();
    try {
      const made = await ask(`/api/brews/start?${new URLSearchParams({ name: name.trim(), base })}`);
      startWith(made.ruleset, made.cases);
      back?.();
    } catch (error) {
      setProblem(error);
    }
  };
  const chosen = bases.find((one) => one.id === base);
  return html`
    <form class="stack narrow" onSubmit=${start}>
      <h2>${t("edit.begin")}</h2>
      <p class="muted">${t("edit.begin_why")}</p>
      <${Select} label=${t("edit.base")} value=${base} set=${setBase} hint=${localize(chosen?.about)}
        options=${[["", t("edit.empty")], ...bases.map((one) => [one.id, localize(one.title)])]} />
      <${Text} label=${t("edit.name")} value=${name} set=${setName} required maxlength="40"
        pattern="[a-z][a-z0-9\\-]*" hint=${t("edit.name_hint")} />
      <${Fault} problem=${problem} onClose=${() => setProblem(null)} />
      <div class="row wrap"><button class="primary">${t("edit.start")}</button>
        <${OpenFile} opened=${back} />
        ${back && html`<button type="button" onClick=${back}>${t("back")}</button>`}</div>
    </form>`;
}

/** Open a local file: a ruleset or its cases. */
export function OpenFile({ opened }) {
  const read = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    startWith(await file.text(), "");
    event.target.value = "";
    opened?.();
  };
  return html`<label class="button">${t("edit.open")}
    <input type="file" class="hidden" accept=".toml,text/plain" onChange=${read} /></label>`;
}
