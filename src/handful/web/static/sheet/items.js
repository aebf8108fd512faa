// What a character carries: weapons with the numbers that the game gives them.

import { html } from "../app/lib.js";
import { game } from "../app/state.js";
import { t, tn } from "../app/i18n.js";
import { formatForInput, itemTitle, localize } from "../app/format.js";
import { Field } from "../ui/fields.js";
import { OwnName } from "./skills.js";
import { itemText, sectionTitle } from "./format.js";

/** The fields of an item: its own values, else those of the game. */
const fieldsOf = (name, own) => ({ ...game.value.sheet?.form.items[name]?.fields, ...own });

/** @param {{items?: Record<string, any>}} props */
export function ItemsView({ items = {} }) {
  const { form } = game.value.sheet;
  const { item } = form;
  if (!item || !Object.keys(items).length) return null;
  const rows = Object.entries(items).map(([name, own]) => {
    const fields = fieldsOf(name, own);
    const uses = fields.uses ?? form.items[name]?.uses;
    return [itemTitle(name), [itemText(fields), uses ? tn("things.uses", uses) : ""].filter(Boolean).join(" · ")];
  });
  return html`<section><h3>${sectionTitle("items")}</h3>
    <dl class="entries">${rows.map(([title, more], at) => html`<div key=${at}><dt>${title} <small>${more}</small></dt></div>`)}</dl></section>`;
}

/** @param {{items?: Record<string, any>, set: (items: any) => void}} props */
export function ItemsForm({ items = {}, set }) {
  const { form } = game.value.sheet;
  const { item } = form;
  if (!item) return null;
  const put = (name, field, value) => {
    const { [field]: _, ...others } = items[name];
    set({ ...items, [name]: value === "" || value === undefined ? others : { ...others, [field]: value } });
  };
  const drop = (name) => { const { [name]: _, ...others } = items; set(others); };
  const known = form.order.items.filter((name) => !(name in items));
  return html`<fieldset class="formsection"><legend>${sectionTitle("items")}</legend>
    ${Object.keys(items).map((name) => html`<fieldset key=${name} class="field"><legend>${itemTitle(name)}</legend>
      <div class="fields">${form.order.item.map((field) => html`<${Field} key=${field} param=${{ ...item[field], required: false }}
        value=${typed(fieldsOf(name, items[name])[field])} set=${(value) => put(name, field, value)} />`)}</div>
      <button type="button" class="ghost small" onClick=${() => drop(name)}>${t("items.drop", { what: itemTitle(name) })}</button></fieldset>`)}
    ${known.length > 0 && html`<div class="chips">${known.map((name) => html`<button type="button" key=${name}
      onClick=${() => set({ ...items, [name]: {} })}>+ ${itemTitle(name)}</button>`)}</div>`}
    <${OwnName} add=${(name) => { if (!(name in items)) set({ ...items, [name]: {} }); }} />
  </fieldset>`;
}

const typed = (value) => (value === undefined || value === null ? "" : formatForInput(value));
