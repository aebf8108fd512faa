// The control of a parameter by its type; a number has a slider and an input.

import { html, useId, useState } from "../app/lib.js";
import { localize } from "../app/format.js";
import { Field } from "../ui/fields.js";

const FIRST_MAX = 20; // initial maximum of a slider; typing a larger number extends it

/** @param {{param: import("../app/types.js").CheckParam, value: any, set: (value: any) => void}} props */
export function ParameterSlider({ param, value, set }) {
  if (["number", "halves", "die_code"].includes(param.type)) return html`<${Slider} ...${{ param, value, set }} />`;
  if (param.type === "choice" && param.list && param.required) return html`<${Typed} ...${{ param, value, set }} />`;
  return html`<${Field} ...${{ param, value, set }} />`;
}

function Typed({ param, value, set }) {
  const id = useId();
  return html`
    <div class="field"><label for=${id}>${localize(param.label)}</label>
      <input id=${id} value=${value ?? ""} autocomplete="off" aria-describedby=${`${id}h`}
        onInput=${(event) => set(event.target.value)} />
      <small id=${`${id}h`}>${param.values.join(", ")}</small></div>`;
}

const code = /^\s*(\d+)\s*d\s*([+-]\s*\d+)?\s*$/i;
const bare = (param) => String(param.default ?? "").replaceAll(/[[\]']/g, "");

/** The slider's number; null if a list or a word was typed. */
function numberOf(param, typed) {
  const said = String(typed ?? "").trim() || bare(param) || "0";
  if (param.type === "die_code") return code.test(said) ? Number(said.match(code)?.[1]) : null;
  const number = Number(said);
  return Number.isFinite(number) ? number : null;
}

function valueOf(param, typed, number) {
  if (param.type !== "die_code") return String(number);
  return `${number}D${String(typed ?? "").match(code)?.[2]?.replaceAll(" ", "") ?? ""}`;
}

/** The slider's range: the parameter's own, or its everyday part. */
function ends(param, number) {
  const least = Math.max(param.min ?? 0, -FIRST_MAX), most = param.max ?? 1000;
  const far = most - least <= 2 * FIRST_MAX ? most : Math.min(most, FIRST_MAX);
  const reach = number !== null && number > far ? Math.min(most, Math.ceil(number / 10) * 10 + 10) : far;
  return [Math.min(least, number ?? least), reach];
}

function Slider({ param, value, set }) {
  const id = useId();
  const number = numberOf(param, value);
  const [[least, most], setEnds] = useState(() => ends(param, number));
  const type = (typed) => {
    set(typed);
    setEnds(ends(param, numberOf(param, typed)));
  };
  const help = localize(param.help);
  return html`
    <div class="slider" title=${help}>
      <label for=${id}>${localize(param.label)}</label>
      <input id=${id} class="typed" value=${value ?? ""} placeholder=${bare(param) || "–"} autocomplete="off"
        inputmode=${param.type === "die_code" ? "text" : "decimal"} aria-describedby=${`${id}h`}
        onInput=${(event) => type(event.target.value.replace(/^(-?\d+),(\d+)$/, "$1.$2"))} />
      <input type="range" min=${least} max=${most} step=${param.type === "halves" ? 0.5 : 1} value=${number ?? least}
        aria-label=${localize(param.label)} aria-valuetext=${value || bare(param) || "0"}
        onInput=${(event) => set(valueOf(param, value, Number(event.target.value)))} />
      <small id=${`${id}h`} class="hidden">${help}</small>
    </div>`;
}
