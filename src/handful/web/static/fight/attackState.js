// An attack from the weapon to the wound: what was chosen, the rolls that belong to it, and its commands.

import { computed, signal } from "../app/lib.js";
import { newKey } from "../app/api.js";
import { persist } from "../app/persist.js";
import { act } from "../app/socket.js";
import { actions, firstLogNumbers, game, isGM, lines, may, ownDice, rollDraft, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { characterName, characterOf, itemTitle, localize, wordFor } from "../app/format.js";
import { filledIn, newDraft, parametersOf } from "../app/rollDraft.js";
import { isOwn, order, roundRules } from "./state.js";
import { focusFirst } from "../ui/focus.js";

/** What each combatant chose last: {check, item, target, values, actions}. */
export const choices = persist("attacks", signal({}));
/** The attack that this page shows step by step: {combatant, roll}. */
export const currentAttack = persist("attack", signal(null));
/** Rolls damage and resistance as soon as a hit is told, as far as this seat rolls them. */
export const chained = persist("chained", signal(true));
/** Attacks whose damage was applied as a number. */
export const closedAttacks = persist("closed", signal([]));

export const attackChecks = () => roundRules()?.targets ?? [];
const rulesFor = (check) => roundRules()?.attacks[check] ?? null;

/** True if a combatant may attack now, also if its number of actions is still open. */
export const mayAttack = (id) => attackChecks().length > 0 && Boolean(characterOf(id)?.sheet)
  && Boolean(may("fix", id) || may("declare", id)?.spends.includes("action"));

/** The weapons of a character: items with a field that the attack, or its damage, takes. */
export function weaponsOf(id, check) {
  const fields = [...Object.values(rulesFor(check)?.item ?? {}), ...Object.values(rulesFor(check)?.damage?.item ?? {})];
  const known = game.value.sheet.form.items;
  const own = characterOf(id)?.sheet?.items ?? {};
  return Object.entries(own).map(([name, values]) => ({ name, title: itemTitle(name),
    fields: { ...known[name]?.fields, ...values } })).filter((one) => fields.some((field) => one.fields[field] !== undefined));
}

/** Everybody whom a combatant may attack; those of the other kind first, as foes usually are. */
export function targetsOf(id) {
  const own = characterOf(id)?.kind;
  const there = order.value.filter((one) => one.combatant !== id && characterOf(one.combatant));
  return [...there].sort((one, other) => Number(characterOf(one.combatant).kind === own) - Number(characterOf(other.combatant).kind === own));
}

/** What a combatant chose, completed by what is usual. */
export function choiceOf(id) {
  const had = choices.value[id] ?? {};
  const checks = attackChecks();
  const check = checks.includes(had.check) ? had.check : checks[0];
  const weapons = weaponsOf(id, check).map((one) => one.name);
  const targets = targetsOf(id).map((one) => one.combatant);
  return { values: {}, actions: 1, ...had, check,
    item: weapons.includes(had.item) || had.item === "" ? had.item : weapons[0] ?? "",
    target: targets.includes(had.target) ? had.target : targets[0] ?? "" };
}

export const choose = (id, changes) => { choices.value = { ...choices.value, [id]: { ...choiceOf(id), ...changes } }; };

/** Parameters that have to be filled in because no weapon brings them. */
export function openParameters(choice) {
  const brought = choice.item ? Object.keys(rulesFor(choice.check)?.item ?? {}) : [];
  const { whole, each } = parametersOf(choice.check);
  return [...whole, ...each].filter((one) => one.required && !brought.includes(one.name));
}

/** The fields of `declare` for an attack. */
export function attackFields(id, choice, target = choice.target) {
  const open = openParameters(choice).map((one) => one.name);
  const parameters = filledIn(Object.fromEntries(Object.entries(choice.values).filter(([name]) => open.includes(name))));
  const owner = characterOf(id)?.owner;
  return { check: choice.check, as: [id], target, ...(choice.item ? { item: choice.item } : {}),
    ...(Object.keys(parameters).length ? { parameters } : {}),
    ...(may("fix", id) ? { actions: choice.actions } : {}), ...(isOwn(id) || !isGM.value ? {} : { for: owner }) };
}

/** True if this page throws real dice and types them. */
export const usesOwnDice = () => Boolean(rollDraft.value?.own);
export const setOwnDice = (own) => { rollDraft.value = { ...(rollDraft.value ?? newDraft()), own }; };

/** Attack: one command that declares, throws, and is told if nobody may answer it. */
export async function attack(id) {
  const own = usesOwnDice();
  const key = newKey(), roll = `${view.value.seat}/${key}`;
  choose(id, {});
  if (own) ownDice.add(roll);
  const done = await act("declare", { ...attackFields(id, choiceOf(id)), ...(own ? {} : { throw: {}, finish: true }) },
    `attack ${id}`, key);
  if (!done) return;
  currentAttack.value = { combatant: id, roll };
  if (!own) focusFirst(".flow.now", "start"); // its form was longer; real dice lead to their own fields
}

// -- what follows a hit

/** The rules of the damage and the resistance that follow a roll. */
export const followUp = (roll, what) => rulesFor(roll.asked?.check)?.[what] ?? null;

/** The rolls that followed an attack. */
export function followers(roll) {
  const of = (field) => view.value.rolls.findLast((one) => one.deed?.[field] === roll.roll && one.phase !== "cancelled");
  return { answer: of("answers"), damage: of("damage_of"), resist: of("resists") };
}

/** How an attack stands: open, missed, hit, or unknown to this seat. */
export function verdictOf(roll) {
  if (roll.phase !== "finalised") return "open";
  const compared = view.value.rolls.filter((one) => one.parts?.some((part) => part.roll === roll.roll));
  const results = [roll, ...compared].map((one) => one.outcome?.success);
  if (results.includes(false)) return "missed";
  if (followers(roll).answer && !compared.length) return "open";
  return results.includes(true) ? "hit" : "unknown";
}

/** True if this seat rolls for a character. */
export const mayRoll = (id) => Boolean(id && may("declare") && characterOf(id)?.sheet && (isGM.value || isOwn(id)));

/** Roll damage or resistance of an attack, in one command. */
export function rollFollowUp(roll, what, id, values = {}) {
  const rule = followUp(roll, what);
  const field = what === "damage" ? "damage_of" : "resists";
  const owner = characterOf(id)?.owner;
  const own = (ownDice.has(roll.roll) || usesOwnDice()) && isOwn(id);
  const key = newKey();
  if (own) ownDice.add(`${view.value.seat}/${key}`);
  const parameters = filledIn(values);
  const target = characterName(roll.deed.target);
  const title = t(what === "damage" ? "harm.damage_to" : "harm.resists", { who: target });
  return act("declare", { check: rule.check, as: id, title, [field]: roll.roll, ...(Object.keys(parameters).length ? { parameters } : {}),
    ...(own ? {} : { throw: {}, finish: true }), ...(isGM.value && !isOwn(id) ? { for: owner } : {}) }, roll.roll, key);
}

/** Parameters of the damage or the resistance that nothing brings: the weapon has no such field. */
export function openFollowUp(roll, what) {
  const rule = followUp(roll, what);
  const item = characterOf(roll.as?.[0])?.sheet?.items?.[roll.deed?.item];
  const known = { ...game.value.sheet?.form.items[roll.deed?.item]?.fields, ...item };
  const brought = Object.entries(rule?.item ?? {}).filter(([, field]) => known[field] !== undefined && known[field] !== null).map(([name]) => name);
  const { whole, each } = parametersOf(rule.check);
  return [...whole, ...each].filter((one) => one.required && !brought.includes(one.name) && !(one.name in rule.parameters));
}

/** The result of a finished roll as a number. */
export const amountOf = (roll) => (roll?.phase === "finalised" ? roll.outcome?.[roll.main] ?? null : null);

/** The points that damage takes, as this seat may see them: {now, most, title}. */
export function pointsOf(id) {
  const harm = roundRules()?.harm, found = characterOf(id);
  const now = found?.sheet?.resources?.[harm];
  if (!harm || typeof now !== "number") return null;
  const [, most] = found.ranges?.[harm] ?? [];
  return { now, most, title: localize(game.value.sheet.resources[harm]?.title, wordFor(harm)) };
}

/** True if the damage of a roll was taken from its target. */
export const isApplied = (roll, damage) => closedAttacks.value.includes(roll.roll) || lines.value.some(({ kind, data }) =>
  kind === "points_changed" && data.character === roll.deed?.target && damage && data.rolls?.includes(damage.roll));

/** True if nothing is left to do about an attack. */
export function isOver(roll) {
  const verdict = verdictOf(roll);
  if (verdict === "missed") return true;
  if (verdict === "open") return false;
  const { damage, resist } = followers(roll);
  const rules = roundRules();
  if (!rules?.harm || isApplied(roll, damage)) return true;
  const resisted = followUp(roll, "resist") ? amountOf(resist) : 0;
  return amountOf(damage) !== null && resisted !== null && amountOf(damage) <= resisted;
}

/** True if an attack goes on below its card: it hit, and this seat has a part in what follows. */
export const hasSteps = (roll) => Boolean(roll.deed?.target && roll.phase === "finalised" && roundRules()?.harm
  && verdictOf(roll) !== "missed" && currentAttack.value?.roll !== roll.roll && (isGM.value || actions(roll.deed.target).length > 0 || mayRoll(roll.as?.[0])));

/** The log number of the beginning of this round. */
const roundBegan = computed(() => lines.value.findLast(({ kind }) => kind === "round_begun" || kind === "fight_begun")?.n ?? 0);

export const isOfThisRound = (roll) => Boolean(view.value.fight) && (firstLogNumbers.value.get(roll.roll) ?? 0) > roundBegan.value;

/** True if an attack of this round is not over: its card stays open. */
export const isUnderway = (roll) => Boolean(roll.deed?.target) && isOfThisRound(roll) && hasSteps(roll) && !isOver(roll);
