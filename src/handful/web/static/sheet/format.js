// What stands on a sheet, in words: names by the game, and what a change has changed.

import { game } from "../app/state.js";
import { t } from "../app/i18n.js";
import { plain, say, word } from "../app/format.js";

/** The heading of a part of the sheet: as the game calls it, or the usual one. */
export const sectionTitle = (section) => say(game.value.sheet.form.titles[section], t(`sheet.${section}`));

/** An entry by the game's title; one of the character's own is called as it was written. */
export function entryTitle(section, name) {
  const { form, resources, attributes, skills, derived } = game.value.sheet;
  const known = { attributes, skills, derived, traits: form.traits };
  if (section === "resources") return say(resources[name]?.title, name);
  if (section === "proficiencies") return say(form.proficiencies[name]?.title, name);
  return say(known[section]?.[name], name);
}

/** Names of a part of the sheet in the game's order, then by name. */
export function inOrder(section, names) {
  const order = game.value.sheet.form.order[section];
  const place = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...names].sort((one, other) => place(one) - place(other) || one.localeCompare(other));
}

export const conditionTitle = (one) => say(game.value.sheet.conditions[one.condition]?.title, one.says);
export const conditionForbids = (one) => say(game.value.sheet.conditions[one.condition]?.cannot, one.cannot);

/** A value of a sheet: a number, a skill with what is known of it, a trait with what it gives. */
export function valueSays(value) {
  if (value === true) return t("yes");
  if (value === false) return t("no");
  if (Array.isArray(value)) return value.map(valueSays).join("; ");
  if (value === null || typeof value !== "object") return plain(value);
  return Object.entries(value).filter(([name]) => name !== "name" && name !== "gives")
    .map(([name, one]) => `${word(name)} ${valueSays(one)}`)
    .concat(value.gives ? value.gives.map(giftSays) : []).join(", ");
}

/** What a trait gives: bonus +1, for Search. */
export function giftSays({ for: only, checks, off, ...values }) {
  const { attributes, skills } = game.value.sheet;
  const names = (only ?? []).map((one) => say(attributes[one] ?? skills[one], one));
  const where = checks?.map((one) => say(game.value.checks.find((other) => other.name === one)?.title, one));
  return [
    ...Object.entries(values).map(([name, one]) => `${word(name)} ${valueSays(one)}`),
    ...(names.length ? [t("trait.for", { what: names.join(", ") })] : []),
    ...(where?.length ? [t("trait.for", { what: where.join(", ") })] : []),
    ...(off ? [t("trait.off")] : []),
  ].join(", ");
}

/** One change of a sheet: what it was about, and from what to what. */
export function changeSays({ section, name, before, after }) {
  const what = name ? entryTitle(section, name) : t(`sheet.${section}`);
  const says = (value) => (value === name ? "" : valueSays(value));
  if (before === null) return t("change.new", { what, after: says(after) }).replace(/[,:]\s*$/, "");
  if (after === null) return t("change.gone", { what });
  return t("change.moved", { what, before: says(before), after: says(after) });
}
