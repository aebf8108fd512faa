// The sheet form, section by section, as the game's [sheet] describes it.

import { html } from "../app/lib.js";
import { game } from "../app/state.js";
import { t } from "../app/i18n.js";
import { formatNumber, localize, formatForInput } from "../app/format.js";
import { Field } from "../ui/fields.js";
import { ItemsForm } from "./items.js";
import { OwnTraits } from "./traits.js";
import { Named, OwnName } from "./skills.js";
import { rangeText } from "./view.js";
import { entryTitle, inOrder, sectionTitle } from "./format.js";

/** @param {{sheet: any, comesTo: any, set: (sheet: any) => void}} props */
export function SheetForm({ sheet, comesTo, set }) {
  const { form } = game.value.sheet;
  const put = (section, value) => set(withSection(sheet, section, value));
  const one = (section, name, value) => put(section, withEntry(sheet[section], name, value));
  return html`
    <${Part} name="attributes" names=${inOrder("attributes", [...new Set([...form.order.attributes, ...Object.keys(sheet.attributes ?? {})])])}
      more=${form.other_attribute && html`<${OwnName} add=${(name) => name in (sheet.attributes ?? {})
        || one("attributes", name, form.other_attribute?.min)} />`}>
      ${(name) => html`<${Field} key=${name} param=${{ ...(form.attributes[name] ?? { ...form.other_attribute, name, label: name }), required: false }}
        value=${typedOf(sheet.attributes?.[name])} set=${(value) => one("attributes", name, value)} />`}
    <//>
    <${Part} name="derived" names=${form.order.derived} hint=${t("edit.derived")}>
      ${(name) => html`<${Derived} key=${name} name=${name} now=${comesTo.derived[name]}
        own=${sheet.derived?.[name]} set=${(value) => one("derived", name, value)} />`}
    <//>
    <${Part} name="resources" names=${form.order.resources.filter((name) => name in comesTo.ranges)}>
      ${(name) => html`<${Field} key=${name} param=${pointsParam(name, comesTo.ranges[name])}
        value=${typedOf(sheet.resources?.[name])} set=${(value) => one("resources", name, whole(value))}
        extra=${html`<small>${rangeText(comesTo.ranges[name])}</small>`} />`}
    <//>
    <${Named} section="proficiencies" of=${form.proficiency} known=${form.proficiencies} called="rank"
      entries=${sheet.proficiencies} set=${(value) => put("proficiencies", value)} />
    <${Named} section="skills" of=${form.skill} known=${form.skills} called=${form.skill?.called}
      numbered=${!form.proficiency} entries=${sheet.skills} comesTo=${comesTo.skills}
      set=${(value) => put("skills", value)} />
    <${Traits} traits=${sheet.traits ?? []} set=${(value) => put("traits", value)} />
    <${ItemsForm} items=${sheet.items} set=${(value) => put("items", value)} />
    <label class="field"><span>${t("sheet.notes")}</span>
      <textarea rows="4" maxlength="20000" value=${sheet.notes ?? ""}
        onInput=${(event) => set(withSection(sheet, "notes", event.target.value))}></textarea></label>`;
}

/** Drop empty sections, as in a sheet file. */
export function withSection(sheet, section, value) {
  const { [section]: _, ...others } = sheet;
  const empty = value === "" || (typeof value === "object" && !Object.keys(value).length);
  return empty ? others : { ...others, [section]: value };
}

export function withEntry(entries = {}, name, value) {
  const { [name]: _, ...others } = entries;
  return value === "" || value === undefined ? others : { ...entries, [name]: value };
}

const typedOf = (value) => (value === undefined ? "" : formatForInput(value));
const whole = (value) => (/^-?\d{1,9}$/.test(value) ? Number(value) : value);

const pointsParam = (name, [least, most]) => ({
  name, type: "number", label: game.value.sheet.resources[name].title, help: "", default: null, values: [],
  min: least, max: most,
});

function Part({ name, names, hint = "", more = null, children }) {
  if (!names.length) return null;
  return html`
    <fieldset class="formsection"><legend>${sectionTitle(name)}</legend>
      ${hint && html`<p class="small muted">${hint}</p>`}
      <div class="fields">${names.map(children)}</div>
      ${more}
    </fieldset>`;
}

/** A derived number; typing one overrides it for this character. */
function Derived({ name, now, own, set }) {
  const title = entryTitle("derived", name);
  return html`
    <div class="field"><span>${title}</span>
      <div class="row"><output class="derived" data-derived=${name}>${now === undefined ? "–" : formatNumber(now)}</output>
        <input value=${typedOf(own)} placeholder=${t("edit.formula")} aria-label=${t("edit.own_number", { what: title })}
          inputmode="decimal" autocomplete="off" onInput=${(event) => set(event.target.value)} /></div>
    </div>`;
}

function Traits({ traits, set }) {
  const { form } = game.value.sheet;
  const known = form.order.traits.map((name) => [name, form.traits[name]]);
  const has = (name) => traits.includes(name);
  const flip = (name) => set(has(name) ? traits.filter((one) => one !== name) : [...traits, name]);
  return html`
    <fieldset class="formsection"><legend>${sectionTitle("traits")}</legend>
      ${known.map(([name, title]) => html`<label key=${name} class="check"><input type="checkbox" checked=${has(name)}
        onChange=${() => flip(name)} /> ${localize(title)}</label>`)}
      <${OwnTraits} traits=${traits} set=${set} />
    </fieldset>`;
}
