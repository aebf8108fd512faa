// The sheet editor. Derived numbers, changes and mistakes come from the server while you type.
//
// An edit starts from the current sheet, its base. If the sheet changed before saving, the server
// refuses, shows the other edit, and merges both.

import { html, signal, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { persist } from "../app/persist.js";
import { seatPath, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t, tn } from "../app/i18n.js";
import { Fault } from "../ui/fault.js";
import { textButton } from "../ui/button.js";
import { SheetForm } from "./form.js";
import { changeText, conditionTitle, valueText } from "./format.js";

const DEBOUNCE = 200; // milliseconds without typing before a request

/** Unsaved edits by character; closing the dialog keeps them. */
const edits = persist("edits", signal(/** @type {Record<string, any>} */ ({})));

const begun = (it) => ({ sheet: it.sheet, base: it.sheet, mark: it.mark });

/** @param {string} character @param {any} edit */
function setEdit(character, edit) {
  const { [character]: _, ...others } = edits.value;
  edits.value = edit ? { ...others, [character]: edit } : others;
}

export function SheetEdit({ it, done }) {
  const edit = edits.value[it.character] ?? begun(it);
  const set = (changed) => setEdit(it.character, { ...edit, ...changed });
  const found = /** @type {Record<string, any>} */ (usePreview(it, edit));
  const comesTo = found.comes_to ?? it;
  const others = found.meanwhile?.length > 0;

  async function save(event) {
    event.preventDefault();
    const whose = it.owner === view.value.seat ? {} : { for: it.owner };
    if (await act("bring", { sheet: edit.sheet, replaces: edit.mark, ...whose }, it.character)) {
      setEdit(it.character, null);
      done();
    }
  }
  return html`
    <form class="stack sheetedit" onSubmit=${save} aria-label=${t("sheet.edit")}>
      <p class="row wrap conditionsnow" role="status">${comesTo.conditions.map((one) => html`
        <span key=${one.condition} class="event">✦ ${conditionTitle(one)}</span>`)}</p>
      <${SheetForm} sheet=${edit.sheet} comesTo=${comesTo} set=${(sheet) => set({ sheet })} />
      ${found.problem && html`<${Fault} problem=${found.problem} />`}
      ${others && html`<${ChangedNotice} found=${found} take=${(sheet) =>
        set({ sheet, base: found.now, mark: found.replaces })} />`}
      <div class="go">
        <details class="grow"><summary>${found.changes?.length ? tn("edit.changes", found.changes.length)
          : t("edit.unchanged")}</summary>
          <ul class="small">${(found.changes ?? []).map((one, at) => html`<li key=${at}>${changeText(one)}</li>`)}</ul>
        </details>
        <span class="row">${textButton(t("edit.drop"), () => { setEdit(it.character, null); done(); })}
          <button class="primary">${t("edit.save")}</button></span>
      </div>
    </form>`;
}

/** Derived numbers and concurrent changes; the last good answer stays visible while you type. */
function usePreview(it, edit) {
  const [found, setFound] = useState({});
  useEffect(() => {
    const stop = new AbortController();
    const body = { sheet: edit.sheet, owner: it.owner, base: edit.base, partial: true };
    const take = (now) => setFound((had) => (now.problem ? { ...had, problem: now.problem } : now));
    const timer = setTimeout(() => ask(seatPath("preview"), body, stop.signal).then(take, (problem) => {
      if (problem.name !== "AbortError") setFound((had) => ({ ...had, problem }));
    }), DEBOUNCE);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [edit.sheet, edit.base, it.mark]);
  return found;
}

/** Notice: another person changed the sheet since this edit began. */
function ChangedNotice({ found, take }) {
  return html`
    <div class="fault meanwhile" role="alert">
      <span aria-hidden="true">⚠</span>
      <div class="stack grow">
        <p><strong>${t("edit.meanwhile")}</strong></p>
        <ul>${found.meanwhile.map((one, at) => html`<li key=${at}>${changeText(one)}</li>`)}</ul>
        ${found.clashes.length > 0 && html`
          <p><strong>${t("edit.clashes")}</strong></p>
          <ul>${found.clashes.map((one, at) => html`<li key=${at}>${changeText(one)}: ${t("edit.yours",
            { what: one.mine === null ? t("log.none") : valueText(one.mine) })}</li>`)}</ul>`}
        <p class="row wrap">${textButton(t("edit.merge"), () => take(found.merged), { class: "primary" })}
          ${textButton(t("edit.theirs"), () => take(found.now))}</p>
      </div>
    </div>`;
}
