// Lookups in the view about a fight: whose turn it is, own combatants, open reactions.

import { computed, signal } from "../app/lib.js";
import { newKey } from "../app/api.js";
import { act } from "../app/socket.js";
import { actTab, game, isGM, isShared, may, ownDice, rollDraft, shownPart, view } from "../app/state.js";
import { newDraft, withCheck } from "../app/rollDraft.js";
import { focusFirst, focusCard } from "../ui/focus.js";
import { characterName, characterOf, localize } from "../app/format.js";
import { isPublic } from "../table/visibility.js";

/** The game's [rounds] section, if it has one. */
export const roundRules = () => game.value.sheet?.rounds ?? null;

/** Reactions dismissed by this player. */
const aside = signal(new Set());

/** True if this seat plays a combatant: its own, or for the GM any without a player. */
export function isOwn(combatant) {
  const { seat, seats } = view.value;
  const owner = characterOf(combatant)?.owner;
  if (!isGM.value) return owner === seat;
  return !seats.some((one) => one.name === owner && one.role === "player" && !one.left);
}

/** The combatants shown on this screen, in order. */
export const order = computed(() => (view.value?.fight?.order ?? []).filter((place) => !(place.hidden && isShared.value)));

/** This seat's combatants whose turn it is; hidden ones get a reaction instead of a turn. */
export const ownTurns = computed(() => order.value.filter((place) =>
  place.due && isOwn(place.combatant)
    && (!place.hidden || ["fix", "act", "prepare"].some((one) => may(one, place.combatant)))));

/** Declared attacks on a combatant that are not thrown yet: a stance still counts against them. */
const announced = (combatant) => (may("stance", combatant) ? view.value.rolls : []).filter((one) =>
  one.phase === "declared" && one.deed?.target === combatant);

/** Open reactions: rolls to answer or interrupt, and free actions the GM granted. */
export const reactions = computed(() => order.value.flatMap((place) => {
  const offered = may("declare", place.combatant);
  if (!offered) return [];
  const own = isOwn(place.combatant);
  const made = [
    ...offered.answers.filter((one) => own || one.leave).map((one) => ({ kind: "answer", ...one })),
    ...(own ? offered.interrupts : []).map((roll) => ({ kind: "interrupt", roll })),
    ...(own ? announced(place.combatant) : []).map(({ roll }) => ({ kind: "stance", roll })),
    ...(isGM.value || !offered.spends.includes("nothing") ? [] : [{ kind: "free", roll: "" }]),
  ];
  return made.map((one) => ({ ...one, place, key: `${one.kind} ${one.roll} ${place.combatant}` }));
}).filter((one) => !aside.value.has(one.key) && !(isShared.value && one.roll && !isPublic(rollNamed(one.roll) ?? {}))));

export const dismiss = (key) => { aside.value = new Set(aside.value).add(key); };

export const rollNamed = (name) => view.value.rolls.find((one) => one.roll === name);

/** Show a tab of the action panel, also on a narrow screen, and move the focus there. */
export function showTab(tab, within) {
  actTab.value = tab;
  shownPart.value = "act";
  focusFirst(within);
}

/** Open the roll panel, filled in for a combatant. */
export function rollAs(combatant, check, deed = {}, title = "") {
  const before = rollDraft.value ?? newDraft();
  const same = before.sides[0].as === combatant;
  const base = same ? before : newDraft(check ?? before.check, combatant);
  const owner = characterOf(combatant)?.owner;
  rollDraft.value = { ...withCheck(base, check ?? base.check), deed, title, own: before.own, mode: before.mode,
    for: isGM.value && !isOwn(combatant) ? owner : "" };
  showTab("roll", ".part.act form.panel select, .part.act form.panel input");
}

/** Declare a reaction such as a parry; its card then asks for the dice. */
export async function answer({ roll, place, answer: how }, actions = 0) {
  const key = newKey();
  const name = `${view.value.seat}/${key}`;
  const owner = characterOf(place.combatant)?.owner;
  if (rollDraft.value?.own) ownDice.add(name);
  const own = roundRules().answers[how];
  const data = { check: own.check, as: place.combatant, answers: roll, title: localize(own.title),
    ...(actions ? { actions } : {}), ...(isOwn(place.combatant) ? {} : { for: owner }) };
  if (!(await act("declare", data, "moments", key))) return;
  shownPart.value = "feed";
  focusCard(name);
}

/** Names of combatants who may still react before a result is revealed. */
export const possibleReactors = (roll) => view.value.fight?.order.filter(({ combatant }) => {
  const offered = may("declare", combatant);
  return offered?.interrupts.includes(roll) || offered?.answers.some((one) => one.roll === roll);
}).map(({ combatant }) => characterName(combatant)) ?? [];
