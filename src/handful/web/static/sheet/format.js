// Sheet entries and changes in the game's wording.

import { game } from "../app/state.js";
import { t } from "../app/i18n.js";
import { formatNumber, itemTitle, localize, wordFor } from "../app/format.js";

/** The heading of a sheet section: the game's word, or the default. */
export const sectionTitle = (section) => localize(game.value.sheet.form.titles[section], t(`sheet.${section}`));

/** The title of an entry; a custom entry keeps its name as typed. */
export function entryTitle(section, name) {
  const { form, resources, attributes, skills, derived } = game.value.sheet;
  const known = { attributes, skills, derived, traits: form.traits };
  if (section === "resources") return localize(resources[name]?.title, name);
  if (section === "items") return itemTitle(name);
  if (section === "proficiencies") return localize(form.proficiencies[name]?.title, name);
  return localize(known[section]?.[name], name);
}

/** Names of a section: in the game's order, then alphabetically. */
export function inOrder(section, names) {
  const order = game.value.sheet.form.order[section];
  const place = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...names].sort((one, other) => place(one) - place(other) || one.localeCompare(other));
}

export const conditionTitle = (one) => localize(game.value.sheet.conditions[one.condition]?.title, one.says);
export const conditionForbids = (one) => localize(game.value.sheet.conditions[one.condition]?.cannot, one.cannot);

/** A sheet value in words: a number, a skill with its fields, a trait with its effects. */
export function valueText(value) {
  if (value === true) return t("yes");
  if (value === false) return t("no");
  if (Array.isArray(value)) return value.map(valueText).join("; ");
  if (value === null || typeof value !== "object") return formatNumber(value);
  return Object.entries(value).filter(([name]) => name !== "name" && name !== "gives")
    .map(([name, one]) => `${wordFor(name)} ${valueText(one)}`)
    .concat(value.gives ? value.gives.map(bonusText) : []).join(", ");
}

/** An effect of a trait: bonus +1, for Search. */
export function bonusText({ for: only, checks, off, ...values }) {
  const { attributes, skills } = game.value.sheet;
  const names = (only ?? []).map((one) => localize(attributes[one] ?? skills[one], one));
  const where = checks?.map((one) => localize(game.value.checks.find((other) => other.name === one)?.title, one));
  return [
    ...Object.entries(values).map(([name, one]) => `${wordFor(name)} ${valueText(one)}`),
    ...(names.length ? [t("trait.for", { what: names.join(", ") })] : []),
    ...(where?.length ? [t("trait.for", { what: where.join(", ") })] : []),
    ...(off ? [t("trait.off")] : []),
  ].join(", ");
}

/** An item's fields in words, such as "Skill Ranged · Damage 4D+1". @param {Record<string, any>} fields */
export function itemText(fields) {
  const { form: { item, order }, skills, attributes } = game.value.sheet;
  const says = (value) => localize(skills[value] ?? attributes[value], formatNumber(value));
  return order.item.filter((name) => fields[name] !== undefined && fields[name] !== null)
    .map((name) => `${localize(item?.[name].label)} ${says(fields[name])}`).join(" · ");
}

/** One change of a sheet: the entry, its old and its new value. */
export function changeText({ section, name, before, after }) {
  const what = name ? entryTitle(section, name) : t(`sheet.${section}`);
  const says = (value) => (value === name ? "" : valueText(value));
  if (before === null) return t("change.new", { what, after: says(after) }).replace(/[,:]\s*$/, "");
  if (after === null) return t("change.gone", { what });
  return t("change.moved", { what, before: says(before), after: says(after) });
}
