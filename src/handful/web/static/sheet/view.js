// The sheet, read-only, for screen and print.

import { html } from "../app/lib.js";
import { game } from "../app/state.js";
import { t } from "../app/i18n.js";
import { formatNumber, localize, wordFor } from "../app/format.js";
import { conditionForbids, entryTitle, bonusText, inOrder, sectionTitle } from "./format.js";

export function SheetView({ it }) {
  const { sheet } = it;
  const pairs = (section, entries) => inOrder(section, Object.keys(entries ?? {})).map((name) =>
    [entryTitle(section, name), entries[name], name]);
  const byHand = (name) => sheet.derived?.[name] !== undefined && t("sheet.by_hand");
  return html`
    <div class="sheetview">
      <${Conditions} it=${it} />
      <${Section} name="resources" rows=${pairs("resources", sheet.resources).map(([title, value, name]) =>
        [title, formatNumber(value), rangeText(it.ranges[name])])} />
      <${Section} name="attributes" rows=${pairs("attributes", sheet.attributes).map(([title, value]) =>
        [title, formatNumber(value)])} />
      <${Section} name="derived" rows=${pairs("derived", it.derived).map(([title, value, name]) =>
        [title, formatNumber(value), byHand(name)])} />
      <${Section} name="proficiencies" rows=${pairs("proficiencies", sheet.proficiencies).map(([title, value, name]) =>
        [title, formatNumber(value.rank ?? value), granted(name, value)])} />
      <${Section} name="skills" rows=${pairs("skills", it.skills).map(([title, value, name]) =>
        [title, formatNumber(value), skillMore(name, sheet.skills?.[name])])} />
      <${Section} name="traits" rows=${(sheet.traits ?? []).map((one) => typeof one === "string"
        ? [entryTitle("traits", one), ""] : [one.name, "", one.gives.map(bonusText).join("; ")])} />
      ${sheet.notes && html`<section class="notes"><h3>${t("sheet.notes")}</h3><p>${sheet.notes}</p></section>`}
    </div>`;
}

/** The game's conditions in order; the active ones are marked. */
export function Conditions({ it }) {
  const known = game.value.sheet.conditions;
  const all = inOrder("conditions", Object.keys(known)).map((name) => [name, known[name]]);
  if (!all.length) return null;
  const now = new Map(it.conditions.map((one) => [one.condition, one]));
  return html`
    <section class="wide"><h3>${t("sheet.conditions")}</h3>
      <ul class="conditions">${all.map(([name, one]) => html`
        <li key=${name} class=${now.has(name) ? "now" : ""}>${now.has(name) && html`<span aria-hidden="true">✦ </span>`}${localize(one.title)}${now.has(name)
          && html` <span class="hidden">${t("sheet.now")}</span>`}</li>`)}</ul>
      ${it.conditions.length === 0 && html`<p class="small muted">${t("sheet.no_condition")}</p>`}
      ${it.conditions.filter((one) => one.cannot).map((one) => html`
        <p key=${one.condition} class="event">${conditionForbids(one)}</p>`)}
    </section>`;
}

function Section({ name, rows }) {
  if (!rows.length) return null;
  return html`
    <section><h3>${sectionTitle(name)}</h3>
      <dl class="entries">${rows.map(([title, value, more], at) => html`
        <div key=${at}><dt>${title}${more && html` <small>${more}</small>`}</dt><dd>${value}</dd></div>`)}</dl>
    </section>`;
}

/** The range of a number, if the game has one. */
export const rangeText = ([, most] = []) => (most === undefined || most >= 100 ? "" : t("sheet.of", { most }));

function granted(name, value) {
  const skills = value.skills ?? game.value.sheet.form.proficiencies[name]?.skills ?? [];
  return skills.map((one) => entryTitle("skills", one)).join(", ");
}

/** Further fields of a skill. */
function skillMore(name, own) {
  const { form } = game.value.sheet;
  const known = { ...form.skills[name], ...(typeof own === "object" ? own : {}) };
  const attribute = known.attribute && entryTitle("attributes", known.attribute);
  const fields = Object.entries(form.skill?.fields ?? {}).filter(([field]) => known[field])
    .map(([field, param]) => known[field] === true ? localize(param.label)
      : `${localize(param.label, wordFor(field))} ${formatNumber(known[field])}`);
  return [attribute, ...fields].filter(Boolean).join(", ");
}
