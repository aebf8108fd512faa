// The ruleset as a form, for people who do not program. Each field edits its own place in the text and
// leaves the rest untouched.

import { html, useEffect, useId, useState } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { localize, wordFor } from "../app/format.js";
import { Fault } from "../ui/fault.js";
import { Add, addRow, addRung, AddOption, AddParam } from "./addEntry.js";
import { checked, fill, form, mistakes, wantsForm } from "./model.js";

const KINDS = ["game", "rung", "option", "check", "table"];

export function Form() {
  useEffect(() => {
    wantsForm.value = true;
    return () => { wantsForm.value = false; };
  }, []);
  const { groups, problem } = form.value;
  const of = (kind) => groups.filter((one) => one.kind === kind);
  return html`
    <div class="form stack">
      <p class="small muted">${t("form.why")}</p>
      <${Fault} problem=${problem} />
      <p role="status" class=${mistakes.value.length ? "" : "hidden"}>${mistakes.value.slice(0, 1).map((one) => html`
        ⚠ ${one.line ? `${t("edit.line", { n: one.line })} ` : ""}${one.message} <small>${one.hint}</small>`)}</p>
      ${KINDS.filter((kind) => of(kind).length || kind === "option").map((kind) => html`
        <details key=${kind} open=${kind === "game"} class="box"><summary>${t(`form.${kind}`)}</summary>
          <div class="stack">
            ${of(kind).map((one) => html`<${Group} key=${one.name} group=${one}
              inner=${kind === "check" ? of("param").filter((each) => each.of === one.name) : []} />`)}
            ${kind === "rung" && html`<${Add} label=${t("form.new_rung")} there=${of("rung")} add=${addRung(of("rung"))} />`}
            ${kind === "option" && html`<${AddOption} there=${of("option")} />`}
          </div></details>`)}
    </div>`;
}

function Group({ group, inner }) {
  const title = localize(group.title) || group.name;
  const own = group.added && ["rung", "option", "param"].includes(group.kind);
  const fields = html`<div class="fields">${group.fields.map((one) =>
    html`<${Field} key=${one.path.join(".")} field=${one} />`)}</div>`;
  if (group.kind === "game") return fields;
  return html`
    <fieldset class="sidefields"><legend>${title}</legend>${fields}
      ${own && html`<div><button type="button" class="ghost small" onClick=${() => fill(group.path, null)}>
        ${t("form.take_out", { what: title })}</button></div>`}
      ${group.kind === "table" && html`<${Add} label=${t("form.new_row")} there=${group.fields.map((one) => ({ name: one.path.at(-1) }))}
        add=${addRow(group)} />`}
      ${group.kind === "check" && html`<details><summary>${t("form.params")}</summary><div class="stack">
        ${inner.map((one) => html`<${Group} key=${one.name} group=${one} inner=${[]} />`)}
        <${AddParam} path=${group.path} there=${inner} /></div></details>`}
    </fieldset>`;
}

/** The label of a field: the last part of its path in words, with the language of a translation. */
function nameOf({ path, kind }) {
  const last = path.at(-1);
  if (kind === "text") return t("form.in", { what: partWord(path.at(-2)), language: last });
  return partWord(last);
}

function partWord(name) {
  const own = t(`form.part.${name}`);
  return own === `form.part.${name}` ? wordFor(name) : own;
}

/** Changes apply on blur, so that a half-typed number is never applied. */
function Field({ field }) {
  const id = useId();
  const [typed, setTyped] = useState(null);
  const [wrong, setWrong] = useState("");
  const put = (value) => {
    setTyped(null);
    setWrong("");
    if (JSON.stringify(value) !== JSON.stringify(field.value)) fill(field.path, value);
  };
  const leave = (event) => {
    if (typed === null) return;
    const value = read(field, event.target.value);
    if (value === undefined) setWrong(t(field.kind === "numbers" ? "form.numbers" : "form.number"));
    else put(value);
  };
  const name = nameOf(field);
  if (field.kind === "truth") {
    return html`<div class="field check"><label for=${id}><input id=${id} type="checkbox" checked=${field.value}
      onChange=${(event) => put(event.target.checked)} /> ${name}</label><${Own} field=${field} name=${name} /></div>`;
  }
  const shown = typed ?? (Array.isArray(field.value) ? field.value.join(", ") : field.value);
  return html`
    <div class="field">
      <label for=${id}>${name}</label>
      ${field.kind === "choice"
        ? html`<select id=${id} value=${String(field.values.indexOf(field.value))}
            onChange=${(event) => put(field.values[Number(event.target.value)])}>
            ${field.values.map((one, at) => html`<option key=${at} value=${String(at)}
              selected=${one === field.value}>${one === true ? t("yes") : one === false ? t("no") : wordFor(one)}</option>`)}</select>`
        : html`<input id=${id} value=${shown} inputmode=${field.kind === "number" ? "decimal" : null} autocomplete="off"
            aria-invalid=${Boolean(wrong)} onInput=${(event) => setTyped(event.target.value)} onBlur=${leave}
            onKeyDown=${(event) => event.key === "Enter" && leave(event)} />`}
      ${wrong && html`<small role="alert">⚠ ${wrong}</small>`}
      <${Own} field=${field} name=${name} />
    </div>`;
}

/** A reset button for values the file overrides; it restores the base game's value. */
function Own({ field, name }) {
  if (!field.own) return html`<small>${t("form.inherited", { game: checked.value.base })}</small>`;
  if (field.added && field.path[0] === "tables") {
    return html`<div><button type="button" class="ghost small" onClick=${() => fill(field.path, null)}>
      ${t("form.take_out", { what: name })}</button></div>`;
  }
  if (field.path.length < 3 || field.added) return null;
  return html`<div><button type="button" class="ghost small" aria-label=${t("form.leave", { what: name })}
    onClick=${() => fill(field.path, null)}>↺ ${t("form.back")}</button></div>`;
}

function read({ kind }, typed) {
  if (kind === "text") return typed;
  const whole = (one) => (/^\s*[+-]?\d{1,9}([.,]5)?\s*$/.test(one) ? Number(one.replace(",", ".")) : NaN);
  if (kind === "number") {
    const number = whole(typed);
    return Number.isNaN(number) ? undefined : number;
  }
  const numbers = typed.split(/[;,]|\s+/).filter(Boolean).map(whole);
  return numbers.some((one) => !Number.isInteger(one)) ? undefined : numbers;
}
