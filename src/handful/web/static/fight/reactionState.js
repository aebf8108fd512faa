// Open reactions of this seat, and those that were put aside.

import { computed, signal } from "../app/lib.js";
import { isGM, isShared, may, view } from "../app/state.js";
import { isPublic } from "../table/visibility.js";
import { currentAttack, followers, followUp, isOfThisRound, isOver, verdictOf } from "./attackState.js";
import { isOwn, order, rollNamed } from "./state.js";

/** Reactions dismissed by this player. */
const aside = signal(new Set());

/** Declared attacks on a combatant that are not thrown yet: a stance still counts against them. */
const announced = (combatant) => (may("stance", combatant) ? view.value.rolls : []).filter((one) =>
  one.phase === "declared" && one.deed?.target === combatant);

/** Told hits on a combatant in this round that it has not resisted yet; the panel of one's own attack has its own button. */
const hits = (combatant) => view.value.rolls.filter((one) => one.deed?.target === combatant && one.phase === "finalised"
  && followUp(one, "resist") && ["hit", "unknown"].includes(verdictOf(one)) && followers(one).damage && !followers(one).resist
  && !isOver(one) && isOfThisRound(one) && currentAttack.value?.roll !== one.roll);

/** Open reactions: rolls to answer, resist or interrupt, and free actions the GM granted. */
export const reactions = computed(() => order.value.flatMap((place) => {
  const offered = may("declare", place.combatant);
  if (!offered) return [];
  const own = isOwn(place.combatant);
  const made = [
    ...offered.answers.filter((one) => own || one.leave).map((one) => ({ kind: "answer", ...one })),
    ...(own ? offered.interrupts : []).map((roll) => ({ kind: "interrupt", roll })),
    ...(own ? hits(place.combatant) : []).map(({ roll }) => ({ kind: "resist", roll })),
    ...(own ? announced(place.combatant) : []).map(({ roll }) => ({ kind: "stance", roll })),
    ...(isGM.value || !offered.spends.includes("nothing") ? [] : [{ kind: "free", roll: "" }]),
  ];
  return made.map((one) => ({ ...one, place, key: `${one.kind} ${one.roll} ${place.combatant}` }));
}).filter((one) => !aside.value.has(one.key) && !(isShared.value && one.roll && !isPublic(rollNamed(one.roll) ?? {}))));

export const dismiss = (key) => { aside.value = new Set(aside.value).add(key); };
