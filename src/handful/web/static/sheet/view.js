// The sheet, read-only, for screen and print.

import { html } from "../app/lib.js";
import { game, may } from "../app/state.js";
import { t } from "../app/i18n.js";
import { formatNumber, localize, wordFor } from "../app/format.js";
import { canTake, takeIntoRoll } from "../table/takeIntoRoll.js";
import { ItemsView } from "./items.js";
import { conditionForbids, entryTitle, bonusText, inOrder, sectionTitle } from "./format.js";

export function SheetView({ it }) {
  const { sheet } = it;
  const pairs = (section, entries) => inOrder(section, Object.keys(entries ?? {})).map((name) =>
    [entryTitle(section, name), entries[name], name]);
  const byHand = (name) => sheet.derived?.[name] !== undefined && t("sheet.by_hand");
  return html`
    <div class="sheetview">
      <${Attributes} entries=${pairs("attributes", sheet.attributes)} roll=${rollOf(it, "attributes")} />
      <${Conditions} it=${it} />
      <${Points} entries=${pairs("resources", sheet.resources)} ranges=${it.ranges} />
      <${Section} name="derived" rows=${pairs("derived", it.derived).map(([title, value, name]) =>
        [title, formatNumber(value), byHand(name)])} />
      <${Section} name="proficiencies" rows=${pairs("proficiencies", sheet.proficiencies).map(([title, value, name]) =>
        [title, formatNumber(value.rank ?? value), granted(name, value)])} />
      <${Skills} entries=${pairs("skills", it.skills)} own=${sheet.skills} roll=${rollOf(it, "skills")} />
      <${Section} name="traits" rows=${(sheet.traits ?? []).map((one) => typeof one === "string"
        ? [entryTitle("traits", one), ""] : [one.name, "", one.gives.map(bonusText).join("; ")])} />
      <${ItemsView} items=${sheet.items} />
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

/** What a tap on an attribute or a skill does: it goes into the roll panel, if this seat may roll. */
const rollOf = (it, kind) => may("declare") && it.character && canTake(kind)
  ? (/** @type {string} */ name) => takeIntoRoll(it, kind, name) : null;

/** A button if it can be rolled, else plain. */
const taken = (roll, entry, body, kind) => (roll
  ? html`<button type="button" class=${kind} title=${t("sheet.take")} onClick=${() => roll(entry)}>${body}</button>`
  : html`<div class=${kind}>${body}</div>`);

/** Attributes as tiles: the number large, its name below. */
function Attributes({ entries, roll }) {
  if (!entries.length) return null;
  const longest = Math.max(...entries.map(([title]) => title.length)); // long names get wide tiles
  return html`
    <section class="wide"><h3>${sectionTitle("attributes")}</h3>
      <ul class="tiles" style=${`--tile:${0.55 * longest + 0.65}rem`}>${entries.map(([title, value, name]) => html`<li key=${name}>${taken(roll, name,
        html`<span>${title}</span> <strong>${formatNumber(value)}</strong>`, "tile")}</li>`)}</ul>
    </section>`;
}

function Skills({ entries, own, roll }) {
  if (!entries.length) return null;
  return html`
    <section><h3>${sectionTitle("skills")}</h3>
      <ul class="skill-rows">${entries.map(([title, value, name]) => html`<li key=${name}>${taken(roll, name,
        html`<span>${title}</span> <small>${skillMore(name, own?.[name])}</small> <strong>${formatNumber(value)}</strong>`, "skill-row")}</li>`)}</ul>
    </section>`;
}

/** Points, with a bar where they have an end. */
function Points({ entries, ranges }) {
  if (!entries.length) return null;
  const row = ([title, value, name]) => {
    const [least, most] = ranges[name] ?? [];
    const share = most > 0 && most < 100 && least >= -1000 ? (100 * Math.max(0, value)) / most : null;
    return html`
      <div key=${name}><dt>${title} <small>${rangeText(ranges[name])}</small></dt><dd>${formatNumber(value)}</dd>
        ${share !== null && html`<dd class="meter-row" aria-hidden="true"><span class=${share < 34 ? "meter low" : "meter"}><i style=${`--at:${share}`}></i></span></dd>`}</div>`;
  };
  return html`<section><h3>${sectionTitle("resources")}</h3><dl class="entries">${entries.map(row)}</dl></section>`;
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
