// The roll panel: fill in a check, see the exact chance, roll.

import { html, useEffect, useMemo } from "../app/lib.js";
import { isGM, may, pending, rollDraft as draft, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { newDraft } from "../app/rollDraft.js";
import { previewDraft } from "../app/preview.js";
import { checkOf, paramLabel, paramOf, localize, valueWord } from "../app/format.js";
import { declare } from "./declare.js";
import { keepDraft } from "./again.js";
import { Chance, Spread } from "./chance.js";
import { CheckForm } from "./checkForm.js";
import { ActionFields, Target } from "../fight/actionContext.js";
import { FaultAt } from "../ui/fault.js";
import { lazy } from "../ui/lazy.js";
import { SavedRolls } from "./savedRolls.js";
import { ModeField } from "./visibility.js";
import { Select } from "../ui/select.js";
import { Text } from "../ui/textField.js";

const SaveRoll = lazy(() => import("./saveRoll.js").then((one) => one.SaveRoll));
const FreeDice = lazy(() => import("./freeDice.js").then((one) => one.FreeDice));

export function RollPanel() {
  if (!draft.value) draft.value = newDraft();
  const { found, stop } = useMemo(() => previewDraft(draft), []);
  useEffect(() => stop, []);
  const now = draft.value;
  const set = (next) => { draft.value = next; };
  const { checks, modes } = may("declare");
  const { main } = checkOf(now.check);
  return html`
    <${SavedRolls} />
    <form class="panel stack" onSubmit=${roll} aria-label=${t("panel.title")}>
      <${Target} draft=${now} set=${set} />
      <${CheckForm} draft=${now} set=${set} checks=${checks} hide=${true} />
      <${Sources} draft=${now} set=${set} lines=${found.value.lines} />
      <${ActionFields} draft=${now} set=${set} />
      <details class="more"><summary>${t("panel.how", { mode: t(`mode.${now.mode}`),
        dice: t(now.own ? "panel.dice.own" : "panel.dice.table") })}</summary>
        <div class="fields">
          <${ModeField} modes=${modes} value=${now.mode} set=${(mode) => set({ ...now, mode })} />
          <fieldset class="field choice"><legend>${t("panel.dice")}</legend>
            ${[false, true].map((own) => html`<label key=${own}><input type="radio" name="dice"
              checked=${now.own === own}
              onChange=${() => set({ ...now, own })} /> ${t(own ? "panel.dice.own" : "panel.dice.table")}</label>`)}
          </fieldset>
          <${Text} label=${t("panel.what")} value=${now.title} set=${(value) => set({ ...now, title: value })} />
          ${isGM.value && html`<${ForWhom} draft=${now} set=${set} />`}
        </div>
      </details>
      <div class="go">
        <${Chance} found=${found.value} main=${main} />
        <button class="primary big" disabled=${Boolean(found.value.cannot) || [...pending.value.values()].some((one) =>
          one.do === "declare")} aria-describedby=${found.value.cannot ? "panel-cannot" : null}>
          ${found.value.cannot ? t("panel.cannot") : now.own ? t("panel.declare") : t("panel.roll")}</button>
      </div>
      ${(found.value.unknown?.length ?? 0) > 0 && html`<p class="small muted">${t("roll.unknown", {
        what: found.value.unknown?.map((one) => paramLabel(now.check, one)).join(", ") })}</p>`}
      <${FaultAt} place="panel" />
      <${Spread} odds=${found.value.odds} main=${main} />
      <${SaveRoll} />
    </form>
    <${FreeDice} />`;
}

/** Roll the draft; what was about this one roll alone is cleared. */
export async function roll(event) {
  event.preventDefault();
  const now = draft.value;
  if (!now || !(await declare(now, keepDraft))) return;
  draft.value = { ...now, title: "", off: [], add: [], deed: { ...now.deed, answers: "" } };
}

/** Breakdown of the draft; the GM may switch lines off. */
function Sources({ draft: now, set, lines }) {
  if (!lines.length) return null;
  const says = (line) => localize(line.words, line.says) || paramLabel(now.check, line.parameter);
  const shown = (line) => (line.by === "sheet" || line.cannot) && paramOf(now.check, line.parameter)?.type !== "text"
    && (line.on || isGM.value);
  const flip = (number) => set({ ...now, off: now.off.includes(number) ? now.off.filter((one) => one !== number)
    : [...now.off, number] });
  return html`
    <ul class="sources-list" aria-label=${t("roll.breakdown")}>
      ${lines.filter(shown).map((line) => html`
        <li key=${line.number} class=${line.on ? "" : "off"}>
          ${isGM.value && (line.on || now.off.includes(line.number))
            ? html`<label><input type="checkbox" checked=${line.on}
              onChange=${() => flip(line.number)} /> ${says(line)}</label>`
            : html`<span>${says(line)}</span>`}
          <strong>${localize(line.why) || valueWord(now.check, line.parameter, line.value)}</strong>
        </li>`)}
    </ul>`;
}

function ForWhom({ draft: now, set }) {
  const seats = view.value.seats.filter((one) => one.role === "player");
  if (!seats.length) return null;
  return html`
    <${Select} label=${t("panel.for")} value=${now.for} set=${(name) => set({ ...now, for: name })}
      options=${[["", t("panel.for_me")], ...seats.map((one) => [one.name, one.name])]} />`;
}
