// Reactions: answer or interrupt a roll before its result is revealed, or use an action the GM granted.

import { html } from "../app/lib.js";
import { may } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { answer, isOwn, rollAs, rollNamed, roundRules, stancesOf } from "./state.js";
import { reactions, dismiss } from "./reactionState.js";
import { characterOf, checkTitle, localize, resultText } from "../app/format.js";
import { who } from "../table/rollCard.js";
import { textButton } from "../ui/button.js";
import { rollFollowUp } from "./attackState.js";

const EARLY = [2, 3]; // numbers of actions with a button of their own

export function Reactions() {
  if (!reactions.value.length) return null;
  return html`
    <ul class="reactions" aria-label=${t("moment.title")}>
      ${reactions.value.map((one) => html`<li key=${one.key}><p>${reactionText(one)}</p>
        <div class="row wrap">${OFFERS[one.kind](one)}</div></li>`)}
    </ul>`;
}

const rolled = (roll) => {
  const result = roll?.outcome?.[roll.main];
  return result === undefined || result === null ? "" : resultText(roll.main, result);
};

/** A reaction in one sentence, for screen and screen reader. */
export function reactionText({ kind, roll: name, place, answer: how, early, leave }) {
  const roll = rollNamed(name);
  const values = { who: place.name, other: roll ? who(roll) : name, what: roll ? checkTitle(roll.asked?.check ?? "") : "",
    result: rolled(roll), how: how ? localize(roundRules().answers[how].title) : "" };
  if (kind === "free") return t("moment.free", values);
  if (kind === "resist") return t("moment.hit", values);
  if (kind === "stance") return t("moment.stance", values);
  if (kind === "interrupt") return t("moment.interrupt", values);
  if (leave) return t("moment.early", values);
  return t(early ? "moment.early_own" : "moment.answer", values);
}

/** React, choosing the number of actions if that is still open, or take the hit. */
function answering(one) {
  const title = localize(roundRules().answers[one.answer].title);
  const { combatant } = one.place;
  const says = isOwn(combatant) ? title : t("moment.let", { what: title, who: one.place.name });
  const more = one.early ? EARLY : [];
  return html`
    ${textButton(says, () => answer(one), { class: "primary" })}
    ${more.map((count) => textButton(t("moment.of", { what: title, n: count }), () => answer(one, count), { key: count }))}
    ${textButton(t("moment.take"), () => act("take_hit", { combatant, roll_of: one.roll }, "moments"), { class: "ghost" })}`;
}

/** Interrupt with a roll, or with an action that needs none. */
function interrupting({ roll, place }) {
  const { combatant } = place;
  return html`
    ${characterOf(combatant) && textButton(t("moment.roll"), () =>
      rollAs(combatant, null, { spends: "interruption", interrupts: roll }), { class: "primary" })}
    ${textButton(t("moment.act"), () => act("interrupt", { combatant, roll_of: roll }, "moments"))}
    ${textButton(t("moment.not"), () => dismiss(`interrupt ${roll} ${combatant}`), { class: "ghost" })}`;
}

/** Take a stance for the whole round before the attack is thrown. */
const taking = ({ key, place: { combatant } }) => html`
  ${stancesOf(combatant).map(({ says, data }) =>
    textButton(says, () => act("stance", { combatant, ...data }, "moments"), { key: says }))}
  ${textButton(t("moment.not"), () => dismiss(key), { class: "ghost" })}`;

/** Use a free action granted by the GM. */
const granted = ({ place: { combatant } }) => textButton(t("moment.use"), () =>
  rollAs(combatant, may("declare", combatant).checks[0], { spends: "nothing" }), { class: "primary" });

/** Resist the damage of a hit, in one command. */
const resisting = ({ key, roll, place: { combatant } }) => html`
  ${textButton(t("moment.resist"), () => rollFollowUp(rollNamed(roll), "resist", combatant), { class: "primary" })}
  ${textButton(t("moment.later"), () => dismiss(key), { class: "ghost" })}`;

const OFFERS = { answer: answering, resist: resisting, interrupt: interrupting, stance: taking, free: granted };
