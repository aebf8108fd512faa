// Bringing a character: a sample of the game, or a sheet as JSON, with what it would change.

import { html, useState } from "../lib.js";
import { ask, Problem } from "../api.js";
import { game, isGM, may, seatPath, view } from "../state.js";
import { act } from "../wire.js";
import { t } from "../texts.js";
import { say } from "../words.js";
import { Fault, FaultAt } from "./fault.js";
import { Select } from "./select.js";
import { press } from "./press.js";

export function Bring() {
  const samples = game.value.characters;
  const [owner, setOwner] = useState(view.value.seat);
  const [shown, setShown] = useState("");
  const [text, setText] = useState("");
  const [found, setFound] = useState(null);
  const [problem, setProblem] = useState(null);
  const whose = isGM.value && owner !== view.value.seat ? { for: owner } : {};

  async function look(sheet) {
    setProblem(null);
    setFound(null);
    try {
      const path = seatPath("preview");
      setFound({ sheet, ...(await ask(path, { sheet, ...(whose.for ? { owner } : {}) })) });
    } catch (error) {
      setProblem(error);
    }
  }
  function read(json) {
    setText(json);
    setFound(null);
    if (!json.trim()) return setProblem(null);
    try {
      return look(JSON.parse(json));
    } catch (error) {
      return setProblem(new Problem({ code: "bad", message: t("bring.no_json"), hint: error.message }));
    }
  }
  async function bring() {
    const { sheet, replaces } = found;
    const data = { sheet, ...whose, ...(shown ? { shown } : {}), ...(replaces ? { replaces } : {}) };
    if (await act("bring", data, "bring")) { setFound(null); setText(""); }
  }
  return html`
    <details class="box"><summary>${t("bring.title")}</summary>
      <div class="stack">
        ${isGM.value && html`<${Select} label=${t("bring.for")} value=${owner}
          set=${(name) => { setOwner(name); setFound(null); }}
            options=${view.value.seats.filter((one) => one.role !== "watcher").map((one) => [one.name, one.name])} />`}
        <${Select} label=${t("sheet.shown")} value=${shown} set=${setShown}
          options=${[["", t("shown.usual")], ...may("bring").shown.map((one) => [one, t(`shown.${one}`)])]} />
        ${samples.length > 0 && html`<fieldset class="field"><legend>${t("bring.sample")}</legend>
          <div class="chips">${samples.map((one) =>
            press(one.name, () => look(one), { key: one.name }))}</div></fieldset>`}
        <label class="field"><span>${t("bring.file")}</span>
          <input type="file" accept=".json,application/json"
            onChange=${async (event) => event.target.files[0] && read(await event.target.files[0].text())} /></label>
        <label class="field"><span>${t("bring.paste")}</span>
          <textarea rows="4" spellcheck="false" value=${text}
            onInput=${(event) => read(event.target.value)}></textarea></label>
        <${Fault} problem=${problem} />
        ${found && html`
          <div class="box stack" role="status">
            <p><strong>${found.sheet.name}</strong> ${t(found.new ? "bring.new" : found.changes.length
              ? "bring.changes" : "bring.same")}</p>
            ${found.changes.length > 0 && html`
              <ul class="small">${found.changes.map((one) => html`<li key=${one.says}>${say(one.words, one.says)}</li>`)}</ul>`}
            <button type="button" class="primary"
              onClick=${bring}>${t(found.new ? "bring.do" : "bring.replace")}</button>
          </div>`}
        <${FaultAt} place="bring" />
      </div>
    </details>`;
}
