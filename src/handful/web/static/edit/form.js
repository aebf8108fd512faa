// The game as a form, for people who do not program.  Each field is a place in the text; whoever
// fills one in changes the text there, and nothing else.

import { html, useEffect, useId, useState } from "../lib.js";
import { t } from "../texts.js";
import { say, word } from "../words.js";
import { Fault } from "../parts/fault.js";
import { checked, fill, form, wantsForm } from "./brew.js";

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
      ${KINDS.filter((kind) => of(kind).length || kind === "rung").map((kind) => html`
        <details key=${kind} open=${kind === "game"} class="box"><summary>${t(`form.${kind}`)}</summary>
          <div class="stack">
            ${of(kind).map((one) => html`<${Group} key=${one.name} group=${one}
              inner=${kind === "check" ? of("param").filter((each) => each.of === one.name) : []} />`)}
            ${kind === "rung" && of("rung").length > 0 && html`<${AddRung} rungs=${of("rung")} />`}
          </div></details>`)}
    </div>`;
}

function Group({ group, inner }) {
  const title = say(group.title) || group.name;
  const own = group.kind === "rung" && group.fields.every((one) => one.own);
  const fields = html`<div class="fields">${group.fields.map((one) =>
    html`<${Field} key=${one.path.join(".")} field=${one} />`)}</div>`;
  if (group.kind === "game") return fields;
  return html`
    <fieldset class="sidefields"><legend>${title}</legend>${fields}
      ${own && html`<div><button type="button" class="quiet small" onClick=${() => fill(group.fields[0].path.slice(0, 2), null)}>
        ${t("form.take_out", { what: title })}</button></div>`}
      ${inner.length > 0 && html`<details><summary>${t("form.params")}</summary><div class="stack">
        ${inner.map((one) => html`<${Group} key=${one.name} group=${one} inner=${[]} />`)}</div></details>`}
    </fieldset>`;
}

/** What a field is called: the last part of its path in words, with the language of a wording. */
function nameOf({ path, kind }) {
  const last = path.at(-1);
  if (kind === "text") return t("form.in", { what: partWord(path.at(-2)), language: last });
  return partWord(last);
}

function partWord(name) {
  const own = t(`form.part.${name}`);
  return own === `form.part.${name}` ? word(name) : own;
}

/** A field is filled in when it is left, so that half a number is not yet one. */
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
              selected=${one === field.value}>${one === true ? t("yes") : one === false ? t("no") : word(one)}</option>`)}</select>`
        : html`<input id=${id} value=${shown} inputmode=${field.kind === "number" ? "decimal" : null} autocomplete="off"
            aria-invalid=${Boolean(wrong)} onInput=${(event) => setTyped(event.target.value)} onBlur=${leave}
            onKeyDown=${(event) => event.key === "Enter" && leave(event)} />`}
      ${wrong && html`<small role="alert">⚠ ${wrong}</small>`}
      <${Own} field=${field} name=${name} />
    </div>`;
}

/** Whether the file says it itself; then it can be left to the game below it again. */
function Own({ field, name }) {
  if (!field.own) return html`<small>${t("form.inherited", { game: checked.value.base })}</small>`;
  if (field.path.length < 3 || !form.value.groups.some((one) => one.fields.some((each) => !each.own))) return null;
  return html`<div><button type="button" class="quiet small" aria-label=${t("form.leave", { what: name })}
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

/** One more difficulty, with the numbers of the last one. */
function AddRung({ rungs }) {
  const [name, setName] = useState("");
  const key = name.trim().toLowerCase().replaceAll(/[^a-z0-9]+/g, "_").replaceAll(/^_+|_+$/g, "");
  const add = () => {
    const numbers = rungs.at(-1).fields.filter((one) => one.kind === "number").map((one) => [one.path.at(-1), one.value]);
    fill(["ladder", key], { ...Object.fromEntries(numbers), title: { en: name.trim() } });
    setName("");
  };
  const good = /^[a-z]/.test(key) && !rungs.some((one) => one.name === key);
  return html`
    <div class="row"><label class="field grow"><span>${t("form.new_rung")}</span>
      <input value=${name} maxlength="40" onInput=${(event) => setName(event.target.value)} /></label>
      <button type="button" disabled=${!good} onClick=${add}>${t("form.add")}</button></div>`;
}
