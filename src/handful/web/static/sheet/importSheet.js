// Import a sheet: a sample, a file or a text, JSON or TOML, with a preview of the changes.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { seatPath, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { Fault, FaultAt } from "../ui/fault.js";
import { textButton } from "../ui/button.js";
import { changeText } from "./format.js";

const DEBOUNCE = 200; // milliseconds without typing before a request

/**
 * Import a sheet, with a preview of what it would change.
 * @param {{owner: string, shown?: string, samples?: any[]}} props
 */
export function ImportSheet({ owner, shown = "", samples = [] }) {
  const [text, setText] = useState("");
  const [wanted, setWanted] = useState(null); // the sheet to preview: a text, or data
  const [found, setFound] = useState(null);
  const [problem, setProblem] = useState(null);
  const own = owner === view.value.seat;

  useEffect(() => {
    setProblem(null);
    setFound(null);
    if (!wanted) return undefined;
    const stop = new AbortController();
    const body = { sheet: wanted.sheet, partial: true, ...(own ? {} : { owner }) };
    const take = (now) => (now.problem ? setProblem(now.problem) : setFound(now));
    const timer = setTimeout(() => ask(seatPath("preview"), body, stop.signal).then(take, (error) => {
      if (error.name !== "AbortError") setProblem(error);
    }), DEBOUNCE);
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
    if (await act("bring", /** @type {any} */ (data), "bring")) read("");
    else if (replaces) look(sheet); // the current sheet may have changed since
  }
  return html`
    <div class="stack">
      ${samples.length > 0 && html`<fieldset class="field"><legend>${t("bring.sample")}</legend>
        <div class="chips">${samples.map((one) =>
          textButton(one.name, () => look(one), { key: one.name }))}</div></fieldset>`}
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
            <ul class="small">${found.changes.map((one, at) => html`<li key=${at}>${changeText(one)}</li>`)}</ul>`}
          <button type="button" class="primary" disabled=${!found.new && !found.changes.length && !shown}
            onClick=${bring}>${t(found.new ? "bring.do" : "bring.replace")}</button>
        </div>`}
      <${FaultAt} place="bring" />
    </div>`;
}
