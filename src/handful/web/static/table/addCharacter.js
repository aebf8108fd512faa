// Bringing a character: a sample of the game, or a sheet as JSON or TOML, with what it would change.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { game, isGM, may, seatPath, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { Fault, FaultAt } from "../ui/error.js";
import { Select } from "../ui/select.js";
import { press } from "../ui/button.js";
import { changeSays } from "../sheet/format.js";

const PAUSE = 200; // milliseconds without typing, before the server is asked

export function Bring() {
  const [owner, setOwner] = useState(view.value.seat);
  const [shown, setShown] = useState("");
  return html`
    <details class="box"><summary>${t("bring.title")}</summary>
      <div class="stack">
        ${isGM.value && html`<${Select} label=${t("bring.for")} value=${owner} set=${setOwner}
          options=${view.value.seats.filter((one) => one.role !== "watcher").map((one) => [one.name, one.name])} />`}
        <${Select} label=${t("sheet.shown")} value=${shown} set=${setShown}
          options=${[["", t("shown.usual")], ...may("bring").shown.map((one) => [one, t(`shown.${one}`)])]} />
        <${Import} key=${owner} owner=${owner} shown=${shown} samples=${game.value.characters} />
      </div>
    </details>`;
}

/**
 * A sheet from outside, with what it would change before it does.
 * @param {{owner: string, shown?: string, samples?: object[]}} props
 */
export function Import({ owner, shown = "", samples = [] }) {
  const [text, setText] = useState("");
  const [wanted, setWanted] = useState(null); // the sheet to look at: a text, or data
  const [found, setFound] = useState(null);
  const [problem, setProblem] = useState(null);
  const own = owner === view.value.seat;

  useEffect(() => {
    setProblem(null);
    setFound(null);
    if (!wanted) return undefined;
    const stop = new AbortController();
    const body = { sheet: wanted.sheet, ...(own ? {} : { owner }) };
    const timer = setTimeout(() => ask(seatPath("preview"), body, stop.signal).then(setFound, (error) => {
      if (error.name !== "AbortError") setProblem(error);
    }), PAUSE);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [wanted]);
  const look = (sheet) => setWanted({ sheet });
  function read(typed) {
    setText(typed);
    setWanted(typed.trim() ? { sheet: typed } : null);
  }
  async function bring() {
    const { sheet, replaces } = found;
    const data = { sheet, ...(own ? {} : { for: owner }), ...(shown ? { shown } : {}), ...(replaces ? { replaces } : {}) };
    if (await act("bring", data, "bring")) read("");
    else if (replaces) look(sheet); // what is there may have changed since
  }
  return html`
    <div class="stack">
      ${samples.length > 0 && html`<fieldset class="field"><legend>${t("bring.sample")}</legend>
        <div class="chips">${samples.map((one) =>
          press(one.name, () => look(one), { key: one.name }))}</div></fieldset>`}
      <label class="field"><span>${t("bring.file")}</span>
        <input type="file" accept=".json,.toml,application/json"
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
            <ul class="small">${found.changes.map((one, at) => html`<li key=${at}>${changeSays(one)}</li>`)}</ul>`}
          <button type="button" class="primary" disabled=${!found.new && !found.changes.length && !shown}
            onClick=${bring}>${t(found.new ? "bring.do" : "bring.replace")}</button>
        </div>`}
      <${FaultAt} place="bring" />
    </div>`;
}
