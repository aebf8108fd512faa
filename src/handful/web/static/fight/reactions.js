// Moments that pass: answer a roll or interrupt it before its result is told, or use what the GM grants.

import { html } from "../app/lib.js";
import { may } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { answer, isOwn, moments, putAside, rollAs, rollNamed, roundRules } from "./state.js";
import { characterOf, checkTitle, say, word } from "../app/format.js";
import { who } from "../table/rollCard.js";
import { press } from "../ui/button.js";
import { stancesOf } from "./moves.js";

const EARLY = [2, 3]; // numbers of actions that are one tap away

export function Moments() {
  if (!moments.value.length) return null;
  return html`
    <ul class="reactions" aria-label=${t("moment.title")}>
      ${moments.value.map((one) => html`<li key=${one.key}><p>${momentSays(one)}</p>
        <div class="row wrap">${OFFERS[one.kind](one)}</div></li>`)}
    </ul>`;
}

const rolled = (roll) => {
  const result = roll?.outcome?.[roll.main];
  return result === undefined || result === null ? "" : `${word(roll.main)} ${result}`;
};

/** A moment in one sentence, for those who read and those who listen. */
export function momentSays({ kind, roll: name, place, answer: how, early, leave }) {
  const roll = rollNamed(name);
  const values = { who: place.name, other: roll ? who(roll) : name, what: roll ? checkTitle(roll.asked.check) : "",
    result: rolled(roll), how: how ? say(roundRules().answers[how].title) : "" };
  if (kind === "free") return t("moment.free", values);
  if (kind === "stance") return t("moment.stance", values);
  if (kind === "interrupt") return t("moment.interrupt", values);
  if (leave) return t("moment.early", values);
  return t(early ? "moment.early_own" : "moment.answer", values);
}

/** Answer it, with how many actions where that is not said yet; or take the hit. */
function answering(one) {
  const title = say(roundRules().answers[one.answer].title);
  const { combatant } = one.place;
  const says = isOwn(combatant) ? title : t("moment.let", { what: title, who: one.place.name });
  const more = one.early ? EARLY : [];
  return html`
    ${press(says, () => answer(one), { class: "primary" })}
    ${more.map((count) => press(t("moment.of", { what: title, n: count }), () => answer(one, count), { key: count }))}
    ${press(t("moment.take"), () => act("take_hit", { combatant, roll_of: one.roll }, "moments"), { class: "ghost" })}`;
}

/** With a roll, or with something that needs none. */
function interrupting({ roll, place }) {
  const { combatant } = place;
  return html`
    ${characterOf(combatant) && press(t("moment.roll"), () =>
      rollAs(combatant, null, { spends: "interruption", interrupts: roll }), { class: "primary" })}
    ${press(t("moment.act"), () => act("interrupt", { combatant, roll_of: roll }, "moments"))}
    ${press(t("moment.not"), () => putAside(`interrupt ${roll} ${combatant}`), { class: "ghost" })}`;
}

/** Something for the whole round, before the dice of an attack fall. */
const taking = ({ key, place: { combatant } }) => html`
  ${stancesOf(combatant).map(({ says, data }) =>
    press(says, () => act("stance", { combatant, ...data }, "moments"), { key: says }))}
  ${press(t("moment.not"), () => putAside(key), { class: "ghost" })}`;

/** A check that costs no action. */
const granted = ({ place: { combatant } }) => press(t("moment.use"), () =>
  rollAs(combatant, may("declare", combatant).checks[0], { spends: "nothing" }), { class: "primary" });

const OFFERS = { answer: answering, interrupt: interrupting, stance: taking, free: granted };
