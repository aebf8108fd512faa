// Lookups in the view about a fight: whose turn it is, own combatants, open reactions.

import { computed } from "../app/lib.js";
import { newKey } from "../app/api.js";
import { act } from "../app/socket.js";
import { actTab, game, isGM, isShared, may, ownDice, rollDraft, shownPart, view } from "../app/state.js";
import { newDraft, withCheck } from "../app/rollDraft.js";
import { focusFirst, focusCard } from "../ui/focus.js";
import { characterName, characterOf, localize, wordFor } from "../app/format.js";

/** The game's [rounds] section; null if it has none. @returns {import("../app/types.js").RoundRules} */
export const roundRules = () => /** @type {any} */ (game.value.sheet?.rounds ?? null);

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

/** React, such as with a parry, and throw in the same command; own dice are typed on the card. */
export async function answer({ roll, place, answer: how }, actions = 0) {
  const key = newKey();
  const name = `${view.value.seat}/${key}`;
  const owner = characterOf(place.combatant)?.owner;
  const typed = Boolean(rollDraft.value?.own);
  if (typed) ownDice.add(name);
  const own = roundRules().answers[how];
  const data = { check: own.check, as: place.combatant, answers: roll, title: localize(own.title),
    ...(actions ? { actions } : {}), ...(isOwn(place.combatant) ? {} : { for: owner }), ...(typed ? {} : { throw: {} }) };
  if (!(await act("declare", data, "moments", key))) return;
  shownPart.value = "feed";
  focusCard(name);
}

/** Names of combatants who may still react before a result is revealed. */
export const possibleReactors = (roll) => view.value.fight?.order.filter(({ combatant }) => {
  const offered = may("declare", combatant);
  return offered?.interrupts.includes(roll) || offered?.answers.some((one) => one.roll === roll);
}).map(({ combatant }) => characterName(combatant)) ?? [];

/** Offered stances, each with the attacks it defends against. */
export function stancesOf(combatant) {
  const titles = roundRules()?.stances ?? {};
  return Object.entries(may("stance", combatant)?.stances ?? {}).flatMap(([stance, choices]) => {
    const title = localize(titles[stance]?.title, wordFor(stance));
    if (!choices.length) return [{ says: title, data: { stance } }];
    return choices.map((choice) =>
      ({ says: `${title}: ${localize(titles[stance]?.choices[choice], wordFor(choice))}`, data: { stance, choice } }));
  });
}

export const inFight = (id) => view.value.fight?.order.some((one) => one.combatant === id) ?? false;

/** True if there is a fight, or this seat may begin one. */
export const fightOffered = () => Boolean(view.value.fight || may("fight"));
