// Custom traits of a character: a name, and one line per effect, such as `bonus=1 for=search,con off`.

import { html, useState } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { textButton } from "../ui/button.js";
import { Text } from "../ui/textField.js";

const LISTS = ["for", "checks"];

/** @param {{traits: (string | {name: string, gives: any[]})[], set: (traits: any[]) => void}} props */
export function OwnTraits({ traits, set }) {
  const [name, setName] = useState("");
  const put = (at, trait) => set(traits.map((one, n) => (n === at ? trait : one)));
  const add = () => { set([...traits, { name: name.trim(), gives: [] }]); setName(""); };
  return html`
    <ul class="named">${traits.map((one, at) => typeof one === "object" && html`
      <li key=${at}><div class="fields grow">
        <${Text} label=${t("trait.name")} value=${one.name} set=${(value) => put(at, { ...one, name: value })} maxlength="80" />
        <${ModifierLines} gives=${one.gives} set=${(gives) => put(at, { ...one, gives })} /></div>
        ${textButton("×", () => set(traits.filter((_, n) => n !== at)),
          { class: "tiny", "aria-label": t("edit.remove", { what: one.name }) })}</li>`)}</ul>
    <div class="row"><${Text} grow label=${t("trait.own")} value=${name} set=${setName} maxlength="80" />
      ${textButton(t("edit.add_own"), add, { disabled: !name.trim() })}</div>`;
}

/** Keeps the text as typed beside the parsed trait. */
function ModifierLines({ gives, set }) {
  const [text, setText] = useState(gives.map(modifierText).join("\n"));
  return html`
    <label class="field"><span>${t("trait.gives")}</span>
      <textarea rows=${Math.max(2, gives.length)} spellcheck="false" value=${text} onInput=${(event) => {
        setText(event.target.value);
        set(event.target.value.split("\n").filter((line) => line.trim()).map(parseModifier));
      }}></textarea><small>${t("trait.hint")}</small></label>`;
}

const bare = (name) => name.replaceAll(" ", "_");

function modifierText(modifier) {
  return Object.entries(modifier).map(([name, value]) => {
    if (LISTS.includes(name)) return `${name}=${value.map(bare).join(",")}`;
    return name === "off" ? "off" : `${name}=${value}`;
  }).join(" ");
}

function parseModifier(line) {
  const modifier = {};
  for (const part of line.trim().split(/\s+/)) {
    const [name, value = ""] = part.split(/=(.*)/s);
    if (part === "off") modifier.off = true;
    else if (LISTS.includes(name)) modifier[name] = value.split(",").filter(Boolean);
    else modifier[name] = /^[+-]?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  }
  return modifier;
}
