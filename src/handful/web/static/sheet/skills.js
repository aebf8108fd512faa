// Skills and proficiencies in the sheet form: the game's list, and custom ones if the game allows them.

import { html, useState } from "../app/lib.js";
import { game } from "../app/state.js";
import { t } from "../app/i18n.js";
import { formatNumber, formatForInput } from "../app/format.js";
import { Field } from "../ui/fields.js";
import { textButton } from "../ui/button.js";
import { Select } from "../ui/select.js";
import { Text } from "../ui/textField.js";
import { entryTitle, inOrder, sectionTitle } from "./format.js";

/**
 * @param {{section: string, of: any | null, known: any, called: string, numbered?: boolean,
 *   entries?: any, comesTo?: any, set: (entries: any) => void}} props
 */
export function Named({ section, of, known, called, numbered = true, entries = {}, comesTo = {}, set }) {
  if (!of) return null;
  const order = inOrder(section, Object.keys(entries));
  const left = Object.keys(known).filter((name) => !(name in entries));
  const first = numbered ? of.value.min > 0 ? of.value.min : 1 : undefined;
  const add = (name) => {
    const more = section === "proficiencies" && !(name in known) ? { skills: [] } : {};
    const entry = { ...(numbered ? { [called]: first } : {}), ...more };
    if (name && !(name in entries)) set({ ...entries, [name]: asEntry(entry, called) });
  };
  const put = (name, entry) => set({ ...entries, [name]: asEntry(entry, called) });
  const drop = (name) => { const { [name]: _, ...others } = entries; set(others); };
  return html`
    <fieldset class="formsection"><legend>${sectionTitle(section)}</legend>
      <ul class="named">${order.map((name) => html`
        <li key=${name}><${Entry} ...${{ section, of, name, called, numbered }} own=${!(name in known)}
          entry=${asTable(entries[name], called)} comesTo=${comesTo[name]} put=${(entry) => put(name, entry)} />
          ${textButton("×", () => drop(name), { class: "tiny", "aria-label": t("edit.remove", { what: entryTitle(section, name) }) })}</li>`)}
      </ul>
      <div class="row wrap">
        ${left.length > 0 && html`<${Select} grow label=${t("edit.add")} value="" set=${add}
          options=${[["", "–"], ...left.map((name) => [name, entryTitle(section, name)])
            .sort((one, other) => one[1].localeCompare(other[1]))]} />`}
        ${of.open && html`<${OwnName} add=${add} />`}
      </div>
    </fieldset>`;
}

/** Input for the name of a custom entry. */
export function OwnName({ add }) {
  const [own, setOwn] = useState("");
  return html`<div class="row ownadd"><${Text} grow label=${t("edit.own_name")} value=${own} set=${setOwn} maxlength="80" />
    ${textButton(t("edit.add_own"), () => { add(own.trim()); setOwn(""); }, { disabled: !own.trim() })}</div>`;
}

/** An entry is a number, or an object with the number and further fields. */
export const asTable = (entry, called) => (entry !== null && typeof entry === "object" ? entry : { [called]: entry });
export const asEntry = (table, called) => (Object.keys(table).join() === called ? table[called] : table);

export function Entry({ section, of, name, called, numbered, own, entry, comesTo, put }) {
  const title = entryTitle(section, name);
  const { attributes } = game.value.sheet;
  const usual = game.value.sheet.form.skills[name] ?? {};
  const label = { en: title };
  const change = (key, value) => {
    const { [key]: _, ...others } = entry;
    put(value === "" || value === null ? others : { ...entry, [key]: value });
  };
  return html`
    <div class="fields grow">
      ${numbered
        ? html`<${Field} param=${{ ...of.value, label, required: false }} value=${formatForInput(entry[called] ?? "")}
          set=${(value) => put({ ...entry, [called]: value })} />`
        : html`<p class="field"><span>${title}</span> <output>${comesTo === undefined ? "–" : formatNumber(comesTo)}</output></p>`}
      ${section === "skills" && of.attribute && own && html`<${Select} label=${t("edit.attribute")}
        value=${entry.attribute ?? ""} set=${(value) => change("attribute", value)}
        options=${[["", "–"], ...Object.keys(attributes).map((one) => [one, entryTitle("attributes", one)])]} />`}
      ${Object.entries(of.fields).map(([field, param]) => html`<${Field} key=${field}
        param=${{ ...param, default: usual[field] ?? param.default }} value=${entry[field] === undefined ? "" : param.type === "truth"
          ? entry[field] : formatForInput(entry[field])} set=${(value) => change(field, value)} />`)}
      ${section === "proficiencies" && (own || entry.skills) && html`<${Text} label=${t("edit.grants")}
        value=${(entry.skills ?? []).join(", ")} hint=${t("edit.commas")}
        set=${(value) => put({ ...entry, skills: value.split(",").map((one) => one.trimStart()).filter((one, at, all) => one || at < all.length - 1) })} />`}
    </div>`;
}
