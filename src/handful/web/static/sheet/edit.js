// Editing a sheet.  What its numbers come to, what would change and what is wrong is asked of the
// server while it is typed; nothing is worked out here.
//
// An edit begins with the sheet as it is then, its base.  If that has changed when it is saved, the
// server refuses, and both come together: what was changed meanwhile is shown and taken over.

import { html, signal, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { keep } from "../app/persist.js";
import { seatPath, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { Fault } from "../ui/error.js";
import { press } from "../ui/button.js";
import { SheetForm } from "./form.js";
import { changeSays, conditionTitle, valueSays } from "./format.js";

const PAUSE = 200; // milliseconds without typing, before the server is asked

/** Edits under way, by character: closing the window loses nothing. */
const edits = keep("edits", signal({}));

const begun = (it) => ({ sheet: it.sheet, base: it.sheet, mark: it.mark });

function setEdit(character, edit) {
  const { [character]: _, ...others } = edits.value;
  edits.value = edit ? { ...others, [character]: edit } : others;
}

export function SheetEdit({ it, done }) {
  const edit = edits.value[it.character] ?? begun(it);
  const set = (changed) => setEdit(it.character, { ...edit, ...changed });
  const found = usePreview(it, edit);
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
      ${others && html`<${Meanwhile} found=${found} take=${(sheet) =>
        set({ sheet, base: found.now, mark: found.replaces })} />`}
      <div class="go">
        <details class="grow"><summary>${found.changes?.length ? t("edit.changes", { n: found.changes.length })
          : t("edit.unchanged")}</summary>
          <ul class="small">${(found.changes ?? []).map((one, at) => html`<li key=${at}>${changeSays(one)}</li>`)}</ul>
        </details>
        <span class="row">${press(t("edit.drop"), () => { setEdit(it.character, null); done(); })}
          <button class="primary">${t("edit.save")}</button></span>
      </div>
    </form>`;
}

/** What the sheet comes to, and what came between; the last good answer stays while it is typed. */
function usePreview(it, edit) {
  const [found, setFound] = useState({});
  useEffect(() => {
    const stop = new AbortController();
    const body = { sheet: edit.sheet, owner: it.owner, base: edit.base };
    const timer = setTimeout(() => ask(seatPath("preview"), body, stop.signal).then(setFound, (problem) => {
      if (problem.name !== "AbortError") setFound((had) => ({ ...had, problem }));
    }), PAUSE);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [edit.sheet, edit.base, it.mark]);
  return found;
}

/** Somebody else has changed the sheet since this edit began. */
function Meanwhile({ found, take }) {
  return html`
    <div class="fault meanwhile" role="alert">
      <span aria-hidden="true">⚠</span>
      <div class="stack grow">
        <p><strong>${t("edit.meanwhile")}</strong></p>
        <ul>${found.meanwhile.map((one, at) => html`<li key=${at}>${changeSays(one)}</li>`)}</ul>
        ${found.clashes.length > 0 && html`
          <p><strong>${t("edit.clashes")}</strong></p>
          <ul>${found.clashes.map((one, at) => html`<li key=${at}>${changeSays(one)}: ${t("edit.yours",
            { what: one.mine === null ? t("log.none") : valueSays(one.mine) })}</li>`)}</ul>`}
        <p class="row wrap">${press(t("edit.merge"), () => take(found.merged), { class: "primary" })}
          ${press(t("edit.theirs"), () => take(found.now))}</p>
      </div>
    </div>`;
}
