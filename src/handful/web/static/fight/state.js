// A fight from this seat's side: whose turn it is, what is its own, and what it may answer now.
// All of it comes from the view; here it is only looked up.

import { computed, signal } from "../app/lib.js";
import { newKey } from "../app/api.js";
import { act } from "../app/socket.js";
import { actTab, game, isGM, isShared, may, ownDice, rollDraft, shownPart, view } from "../app/state.js";
import { newDraft, withCheck } from "../app/rollDraft.js";
import { leadTo, leadToCard } from "../ui/focus.js";
import { characterName, characterOf, say } from "../app/format.js";
import { isOpen } from "../table/visibility.js";

/** What the game says about rounds; a game may say nothing. */
export const roundRules = () => game.value.sheet?.rounds ?? null;

/** Offers that somebody has put aside. */
const aside = signal(new Set());

/** Whether this seat plays a combatant: its own, the GM whatever no player here has. */
export function isOwn(combatant) {
  const { seat, seats } = view.value;
  const owner = characterOf(combatant)?.owner;
  if (!isGM.value) return owner === seat;
  return !seats.some((one) => one.name === owner && one.role === "player" && !one.left);
}

/** Everybody who fights, as far as this screen shows them. */
export const order = computed(() => (view.value?.fight?.order ?? []).filter((place) => !(place.hidden && isShared.value)));

/** Those of this seat whose turn it is; whoever is hidden has no turn, but a moment. */
export const ownTurns = computed(() => order.value.filter((place) =>
  place.due && isOwn(place.combatant)
    && (!place.hidden || ["fix", "act", "prepare"].some((one) => may(one, place.combatant)))));

/** Rolls against somebody that are not thrown yet: now a stance for the whole round still helps. */
const announced = (combatant) => (may("stance", combatant) ? view.value.rolls : []).filter((one) =>
  one.phase === "declared" && one.deed?.target === combatant);

/** Moments that pass: a roll that may be answered or interrupted now, or a free action that the GM has granted. */
export const moments = computed(() => order.value.flatMap((place) => {
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
}).filter((one) => !aside.value.has(one.key) && !(isShared.value && one.roll && !isOpen(rollNamed(one.roll) ?? {}))));

export const putAside = (key) => { aside.value = new Set(aside.value).add(key); };

export const rollNamed = (name) => view.value.rolls.find((one) => one.roll === name);

/** Leads to a tab of the left part, on a narrow screen too; the focus goes along. */
export function show(tab, within) {
  actTab.value = tab;
  shownPart.value = "act";
  leadTo(within);
}

/** The roll panel, filled in for somebody who fights. */
export function rollAs(combatant, check, deed = {}, title = "") {
  const before = rollDraft.value ?? newDraft();
  const same = before.sides[0].as === combatant;
  const base = same ? before : newDraft(check ?? before.check, combatant);
  const owner = characterOf(combatant)?.owner;
  rollDraft.value = { ...withCheck(base, check ?? base.check), deed, title, own: before.own, mode: before.mode,
    for: isGM.value && !isOwn(combatant) ? owner : "" };
  show("roll", ".part.act form.panel select, .part.act form.panel input");
}

/** Declare an answer to a roll, such as a parry; who throws is then asked on its card. */
export async function answer({ roll, place, answer: how }, actions = 0) {
  const key = newKey();
  const name = `${view.value.seat}/${key}`;
  const owner = characterOf(place.combatant)?.owner;
  if (rollDraft.value?.own) ownDice.add(name);
  const own = roundRules().answers[how];
  const data = { check: own.check, as: place.combatant, answers: roll, title: say(own.title),
    ...(actions ? { actions } : {}), ...(isOwn(place.combatant) ? {} : { for: owner }) };
  if (!(await act("declare", data, "moments", key))) return;
  shownPart.value = "feed";
  leadToCard(name);
}

/** Who could still step in before a result is told, in names. */
export const whoMayStepIn = (roll) => view.value.fight?.order.filter(({ combatant }) => {
  const offered = may("declare", combatant);
  return offered?.interrupts.includes(roll) || offered?.answers.some((one) => one.roll === roll);
}).map(({ combatant }) => characterName(combatant)) ?? [];
