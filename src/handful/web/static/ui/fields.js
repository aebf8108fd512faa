// An input for a parameter of a check, by the parameter's type.

import { html, useId, useState } from "../app/lib.js";
import { game } from "../app/state.js";
import { t } from "../app/i18n.js";
import { ANYBODY, sheetChoices } from "../app/rollDraft.js";
import { choiceWord, formatNumber, localize, rungText, sheetWord, formatForInput } from "../app/format.js";

const TYPED = "\u0000typed"; // a value no game uses: switches from the list to typing

/**
 * @param {{param: import("../app/types.js").CheckParam, as?: string, value: any, set: (value: any) => void, hints?: boolean,
 *   extra?: any}} props
 */
export function Field({ param, as = "", value, set, hints = false, extra = null }) {
  const id = useId();
  const help = localize(param.help);
  const Kind = kindOf(param, as);
  const label = html`${localize(param.label)}${param.required && as !== ANYBODY
    ? html` <span class="muted">${t("field.required")}</span>` : ""}`;
  if (Kind === Truth) {
    return html`<div class="field check"><${Truth} ...${{ id, param, value, set, label }} />
      ${hints && html`<small id=${`${id}h`}>${help}</small>`}${extra}</div>`;
  }
  return html`
    <div class="field" title=${hints ? "" : help}>
      <div class="row between"><label for=${id}>${label}</label>${extra}</div>
      <${Kind} ...${{ id, param, as, value, set }} />
      <small id=${`${id}h`} class=${hints ? "" : "hidden"}>${help}</small>
    </div>`;
}

function kindOf(param, as) {
  if (param.type === "truth") return Truth;
  if (sheetChoices(param, as).length) return Pick;
  if (param.ladder) return Ladder;
  if (param.type === "choice" && param.list) return param.default === null ? Several : Mixed;
  if (param.type === "choice") return Choice;
  if ((param.type === "number" || param.type === "halves") && !param.list) return Stepper;
  return Typed;
}

/** The default as an author writes it: a list without brackets. */
const usual = (param) => param.default === null || param.default === "" ? ""
  : formatForInput(String(param.default).replaceAll(/[[\]']/g, ""));

function Typed({ id, param, value, set }) {
  return html`<input id=${id} value=${value ?? ""} placeholder=${usual(param)} autocomplete="off"
    aria-describedby=${`${id}h`} onInput=${(event) => set(event.target.value)} />`;
}

function Stepper({ id, param, value, set }) {
  const step = param.type === "halves" ? 0.5 : 1;
  const base = Number(value === "" || value === undefined ? param.default ?? 0 : value) || 0;
  const to = (next) => set(String(Math.min(param.max ?? next, Math.max(param.min ?? 0, next))));
  return html`
    <div class="stepper">
      <button type="button" onClick=${() => to(base - step)}
        aria-label=${t("field.less", { what: localize(param.label) })}>−</button>
      <input id=${id} value=${value ?? ""} placeholder=${usual(param) || "–"} inputmode="decimal"
        autocomplete="off" aria-describedby=${`${id}h`}
        onInput=${(event) => set(event.target.value.replace(",", "."))} />
      <button type="button" onClick=${() => to(base + step)}
        aria-label=${t("field.more", { what: localize(param.label) })}>+</button>
    </div>`;
}

function Truth({ id, param, value, set, label }) {
  return html`<label for=${id}><input id=${id} type="checkbox" checked=${value === true}
    aria-describedby=${`${id}h`} onChange=${(event) => set(event.target.checked || "")} /> ${label}</label>`;
}

function Choice({ id, param, value, set }) {
  const first = usual(param);
  return html`
    <select id=${id} value=${value ?? ""} aria-describedby=${`${id}h`} onChange=${(event) => set(event.target.value)}>
      <option value="">${param.follows ? t("field.follows") : first ? choiceWord(param, first) : "–"}</option>
      ${param.values.filter((one) => param.follows || one !== first).map((one) => html`
        <option key=${one} value=${one} selected=${one === value}>${choiceWord(param, one)}</option>`)}
    </select>`;
}

/** A select for one value; several values are typed, as the help says. */
function Mixed({ id, param, value, set }) {
  const entries = param.values.map((one) => ({ value: one, says: choiceWord(param, one) }));
  return html`<${ChooseOrType} ...${{ id, param, value, set }} first=${choiceWord(param, usual(param))}
    groups=${[[localize(param.label), entries]]} />`;
}

function Several({ id, param, value, set }) {
  const has = new Set(Array.isArray(value) ? value : []);
  const flip = (one) => set(param.values.filter((other) => (other === one) !== has.has(other)));
  return html`
    <div class="chips" role="group" id=${id} aria-label=${localize(param.label)}>
      ${param.values.map((one) => html`
        <button type="button" key=${one} aria-pressed=${has.has(one)} onClick=${() => flip(one)}>
          ${choiceWord(param, one)}</button>`)}
    </div>`;
}

/** A select that can switch to typing. */
function ChooseOrType({ id, value, set, groups, param, first = "–" }) {
  const known = groups.some(([, entries]) => entries.some((one) => one.value === value));
  const [typing, setTyping] = useState(!known && Boolean(value));
  const choose = (event) => {
    const chosen = event.target.value;
    setTyping(chosen === TYPED);
    set(chosen === TYPED ? "" : chosen);
  };
  return html`
    <div class="choose">
      <select id=${id} value=${typing ? TYPED : value ?? ""} aria-describedby=${`${id}h`} onChange=${choose}>
        <option value="">${first}</option>
        ${groups.map(([title, entries]) => html`
          <optgroup key=${title} label=${title}>
            ${entries.map((one) => html`
              <option key=${one.value} value=${one.value} selected=${!typing && one.value === value}>
                ${one.says}</option>`)}
          </optgroup>`)}
        <option value=${TYPED} selected=${typing}>${t("field.type")}</option>
      </select>
      ${typing && html`<input value=${value ?? ""} autocomplete="off" autofocus
        placeholder=${usual(param)} aria-label=${localize(param.label)}
        onInput=${(event) => set(event.target.value)} />`}
    </div>`;
}

function Pick({ id, param, as, value, set }) {
  const all = sheetChoices(param, as);
  const says = (one) => one.value === null ? sheetWord(one.name) : `${sheetWord(one.name)}  ${formatNumber(one.value)}`;
  const entries = (own) => all.filter((one) => one.own === own)
    .map((one) => ({ value: one.name, says: says(one) }))
    .sort((one, other) => one.says.localeCompare(other.says));
  const groups = [[t("field.on_sheet"), entries(true)],
    [t(as === ANYBODY ? "field.on_sheet" : "field.not_on_sheet"), entries(false)]];
  return html`<${ChooseOrType} ...${{ id, param, value, set }} groups=${groups.filter(([, one]) => one.length)} />`;
}

function Ladder({ id, param, value, set }) {
  const { main = "" } = game.value.checks.find((one) => one.parameters.includes(param)) ?? {};
  const entries = game.value.ladder.map((rung) => ({ value: rung.name, says: rungText(rung, main) }));
  return html`<${ChooseOrType} ...${{ id, param, value, set }} groups=${[[localize(param.label), entries]]} />`;
}
