// The parts of a new character: attributes, what it has learned, points, traits, items, notes.
// Each entry says what it is for, in the game's words.

import { html, useState } from "../app/lib.js";
import { game } from "../app/state.js";
import { t } from "../app/i18n.js";
import { formatNumber, localize } from "../app/format.js";
import { Field } from "../ui/fields.js";
import { Text } from "../ui/textField.js";
import { textButton } from "../ui/button.js";
import { BudgetsOf } from "./createOutlook.js";
import { bonusText, entryTitle, inOrder, itemText, sectionTitle } from "./format.js";
import { Entry, OwnName, asEntry, asTable } from "./skills.js";
import { bounds, stepped, toSteps } from "./numbers.js";
import { withEntry, withSection } from "./form.js";

const FEW = 12; // entries that are all shown; of more, only the chosen ones

/** @typedef {{sheet: any, set: (sheet: any) => void, found: any}} PartProps */

const pips = () => game.value.sheet.form.creation.pips;

/** A number with a button on each side. */
function Steps({ title, param, value, set, optional = false }) {
  const go = (/** @type {number} */ by) => stepped(value, by, param, { pips: pips(), optional });
  const [least, most] = bounds(param, pips());
  const now = toSteps(value, param, pips());
  return html`
    <div class="steps">
      <button type="button" class="icon" disabled=${now === null ? optional : !optional && now <= least}
        aria-label=${t("field.less", { what: title })} onClick=${() => set(go(-1))}>−</button>
      <input value=${value === undefined ? "" : formatNumber(value)} placeholder="–" aria-label=${title} autocomplete="off"
        inputmode=${param.type === "die_code" ? "text" : "decimal"}
        onInput=${(/** @type {any} */ event) => set(typed(event.target.value, param))} />
      <button type="button" class="icon" disabled=${now !== null && now >= most}
        aria-label=${t("field.more", { what: title })} onClick=${() => set(go(1))}>+</button>
    </div>`;
}

/** What somebody typed: a number where it is one, else the text, which the server explains. */
function typed(text, param) {
  const plain = text.replace(",", ".").replace("−", "-").trim();
  if (plain === "") return undefined;
  return param.type !== "die_code" && /^-?\d{1,6}(\.\d{1,3})?$/.test(plain) ? Number(plain) : plain;
}

function EntryRow({ title, help, children, more = null }) {
  return html`
    <li class="new-entry"><div class="what"><b>${title}</b>${help && html`<p class="small muted">${help}</p>`}</div>
      ${children}${more}</li>`;
}

function Part({ section, found, children }) {
  return html`
    <section class="card part-of" aria-label=${sectionTitle(section)}>
      <div class="row between wrap"><h3>${sectionTitle(section)}</h3><${BudgetsOf} section=${section} found=${found} /></div>
      ${children}
    </section>`;
}

/** @param {PartProps} props */
export function Attributes({ sheet, set, found }) {
  const { form } = game.value.sheet;
  const names = inOrder("attributes", [...new Set([...form.order.attributes, ...Object.keys(sheet.attributes ?? {})])]);
  if (!names.length && !form.other_attribute) return null;
  const put = (name, value) => set(withSection(sheet, "attributes", withEntry(sheet.attributes, name, value)));
  return html`
    <${Part} section="attributes" found=${found}>
      <ul class="entries-of">${names.map((name) => html`
        <${EntryRow} key=${name} title=${entryTitle("attributes", name)} help=${localize(form.help.attributes[name])}>
          <${Steps} title=${entryTitle("attributes", name)} param=${form.attributes[name] ?? form.other_attribute}
            optional=${!form.attributes[name]} value=${sheet.attributes?.[name]} set=${(value) => put(name, value)} />
        <//>`)}</ul>
      ${form.other_attribute && html`<details><summary>${t("create.own_entry")}</summary>
        <${OwnName} add=${(name) => name in (sheet.attributes ?? {}) || put(name, form.other_attribute?.min ?? 0)} /></details>`}
    <//>`;
}

/** Skills or proficiencies. Skills that proficiencies grant are shown among what follows. */
export function Ranks({ section, sheet, set, found }) {
  const { form } = game.value.sheet;
  const of = section === "skills" ? form.skill : form.proficiency;
  const known = section === "skills" ? form.skills : form.proficiencies;
  if (!of || (section === "skills" && form.proficiency)) return null;
  const called = section === "skills" ? of.called : "rank";
  const entries = sheet[section] ?? {};
  const order = inOrder(section, Object.keys(known));
  const many = order.length > FEW;
  const own = Object.keys(entries).filter((name) => !(name in known));
  const put = (name, value) => set(withSection(sheet, section, withEntry(entries, name, value)));
  const rank = (name, value) => put(name, value === undefined ? undefined : asEntry({ ...asTable(entries[name], called), [called]: value }, called));
  const add = (name) => {
    const first = stepped(undefined, 1, of.value, { pips: pips(), optional: true });
    if (name && !(name in entries)) put(name, asEntry({ [called]: first, ...(section === "skills" ? {} : { skills: [] }) }, called));
  };
  const row = (name) => html`
    <${EntryRow} key=${name} title=${entryTitle(section, name)} help=${helpOf(section, name)} more=${html`
      ${section === "proficiencies" && html`<p class="small grants">${grantsOf(name)}</p>`}
      ${name in entries && html`<${Truths} of=${of} entry=${asTable(entries[name], called)} put=${(table) => put(name, asEntry(table, called))} />`}`}>
      <${Steps} title=${entryTitle(section, name)} param=${of.value} optional value=${asTable(entries[name], called)?.[called]}
        set=${(value) => rank(name, value)} />
    <//>`;
  return html`
    <${Part} section=${section} found=${found}>
      <ul class="entries-of">${order.filter((name) => !many || name in entries).map(row)}</ul>
      ${own.length > 0 && html`<ul class="named">${own.map((name) => html`<li key=${name}>
        <${Entry} ...${{ section, of, name, called }} numbered own entry=${asTable(entries[name], called)} put=${(table) => put(name, asEntry(table, called))} />
        ${textButton("×", () => put(name, undefined), { class: "tiny", "aria-label": t("edit.remove", { what: name }) })}</li>`)}</ul>`}
      ${many && html`<${Finder} section=${section} unfold=${!Object.keys(entries).length} names=${order.filter((name) => !(name in entries))} add=${add} />`}
      ${of.open && html`<details><summary>${t("create.own_entry")}</summary><${OwnName} add=${add} /></details>`}
    <//>`;
}

/** What an entry is for: its attribute, and the game's words. */
function helpOf(section, name) {
  const { form } = game.value.sheet;
  const attribute = section === "skills" && form.skills[name]?.attribute;
  return [attribute && entryTitle("attributes", attribute), localize(form.help[section][name])].filter(Boolean).join(" · ");
}

const grantsOf = (/** @type {string} */ name) =>
  (game.value.sheet.form.proficiencies[name]?.skills ?? []).map((one) => entryTitle("skills", one)).join(" · ");

/** Yes and no of a chosen entry, such as a gift; other fields are edited on the sheet. */
function Truths({ of, entry, put }) {
  const truths = Object.entries(of.fields).filter(([, param]) => param.type === "truth");
  if (!truths.length) return null;
  const change = (key, value) => {
    const { [key]: _, ...others } = entry;
    put(value === "" ? others : { ...entry, [key]: value });
  };
  return html`<div class="truths">${truths.map(([key, param]) => html`<${Field} key=${key} param=${param}
    value=${entry[key] ?? ""} set=${(value) => change(key, value)} />`)}</div>`;
}

/** A long list to choose from: by word, and by attribute. */
function Finder({ section, names, add, unfold }) {
  const [open] = useState(unfold);
  const [word, setWord] = useState("");
  const { form } = game.value.sheet;
  const wanted = word.trim().toLowerCase();
  const fits = (name) => `${entryTitle(section, name)} ${helpOf(section, name)}`.toLowerCase().includes(wanted);
  const groups = new Map();
  for (const name of names.filter(fits)) {
    const group = form[section][name]?.attribute ?? "";
    groups.set(group, [...(groups.get(group) ?? []), name]);
  }
  return html`
    <details class="finder" open=${open}><summary>${t("create.choose", { what: sectionTitle(section) })}</summary>
      <div class="stack">
        <${Text} label=${t("create.search")} value=${word} set=${setWord} type="search" />
        ${[...groups].map(([group, found]) => html`
          <div key=${group} class="stack tight">${group && html`<p class="label">${entryTitle("attributes", group)}</p>`}
            <div class="chips">${found.map((name) => html`<button type="button" key=${name} title=${helpOf(section, name)}
              onClick=${() => add(name)}>${entryTitle(section, name)}</button>`)}</div></div>`)}
        ${!groups.size && html`<p class="small muted" role="status">${t("create.nothing")}</p>`}
      </div>
    </details>`;
}

/** Points to begin with, where the game gives some to divide. @param {PartProps} props */
export function Resources({ sheet, set, found }) {
  const { form, resources } = game.value.sheet;
  const divided = Object.values(form.creation.budgets).flatMap((one) => one.over)
    .filter(([section]) => section === "resources").map(([, name]) => name);
  const ranges = found.comes_to?.ranges ?? {};
  const names = form.order.resources.filter((name) => (divided.includes(name) || divided.includes("")) && name in ranges);
  if (!names.length) return null;
  const put = (name, value) => set(withSection(sheet, "resources", withEntry(sheet.resources, name, value)));
  return html`
    <${Part} section="resources" found=${found}>
      <ul class="entries-of">${names.map((name) => html`
        <${EntryRow} key=${name} title=${localize(resources[name].title, name)}>
          <${Steps} title=${localize(resources[name].title, name)} param=${{ type: "number", min: ranges[name][0], max: ranges[name][1] }}
            value=${sheet.resources?.[name] ?? found.sheet?.resources?.[name]} set=${(value) => put(name, value)} />
        <//>`)}</ul>
    <//>`;
}

/** @param {{sheet: any, set: (sheet: any) => void}} props */
export function Traits({ sheet, set }) {
  const { form } = game.value.sheet;
  const names = form.order.traits;
  if (!names.length) return null;
  const traits = sheet.traits ?? [];
  const flip = (name) => set(withSection(sheet, "traits", traits.includes(name) ? traits.filter((one) => one !== name) : [...traits, name]));
  const own = traits.filter((one) => typeof one === "object");
  return html`
    <${Part} section="traits" found=${{}}>
      <ul class="entries-of">${names.map((name) => html`
        <li key=${name}><label class="trait-of"><input type="checkbox" checked=${traits.includes(name)} onChange=${() => flip(name)} />
          <span><b>${localize(form.traits[name], name)}</b>${localize(form.help.traits[name])
            && html`<small>${localize(form.help.traits[name])}</small>`}</span></label></li>`)}
        ${own.map((one) => html`<li key=${one.name} class="small"><b>${one.name}</b> ${one.gives.map(bonusText).join("; ")}</li>`)}</ul>
    <//>`;
}

/** Things of the game to begin with; those of a copy that the game does not have stay. @param {{sheet: any, set: (sheet: any) => void}} props */
export function Items({ sheet, set }) {
  const { items } = game.value.sheet.form;
  const own = sheet.items ?? {};
  const flip = (name) => {
    const { [name]: had, ...others } = own;
    set(withSection(sheet, "items", had ? others : { ...own, [name]: {} }));
  };
  if (!Object.keys(items).length) return null;
  return html`
    <${Part} section="items" found=${{}}>
      <ul class="entries-of">${Object.keys(items).map((name) => html`
        <li key=${name}><label class="trait-of"><input type="checkbox" checked=${name in own} onChange=${() => flip(name)} />
          <span><b>${localize(items[name].title, name)}</b><small>${itemText({ ...items[name].fields, ...own[name] })}</small></span></label></li>`)}</ul>
    <//>`;
}

/** @param {{sheet: any, set: (sheet: any) => void}} props */
export const Notes = ({ sheet, set }) => html`
  <label class="field"><span>${t("sheet.notes")}</span>
    <textarea rows="3" maxlength="20000" value=${sheet.notes ?? ""}
      onInput=${(/** @type {any} */ event) => set(withSection(sheet, "notes", event.target.value))}></textarea></label>`;
