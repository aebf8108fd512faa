// An attack after its throw: answer, damage, resistance and the wound, each a step of one panel.

import { html, useEffect, useState } from "../app/lib.js";
import { may, ownDice } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { characterName, characterOf, formatNumber, localize, nextRoller, itemTitle } from "../app/format.js";
import { firstMissing } from "../app/rollDraft.js";
import { Dice } from "../ui/dice.js";
import { Field } from "../ui/fields.js";
import { FaultAt } from "../ui/fault.js";
import { icon } from "../ui/icons.js";
import { textButton } from "../ui/button.js";
import { Decision, sidesOf, Throw } from "../table/decision.js";
import { Outcome, outcomeText } from "../table/outcome.js";
import { answer, isOwn, order, possibleReactors, rollNamed, roundRules } from "./state.js";
import { amountOf, chained, currentAttack, followers, followUp, isApplied, isOver, mayRoll, openFollowUp, pointsOf, rollFollowUp, usesOwnDice, verdictOf } from "./attackState.js";
import { HarmForm, Meter, applyRolls } from "./points.js";
import { Done, Later, Step } from "./step.js";

/** The attack that this page began; once it is over, a line that can be put away. */
export function CurrentAttack() {
  const roll = currentAttack.value && rollNamed(currentAttack.value.roll);
  if (!roll?.asked || !roll.deed?.target) return null;
  const close = () => { currentAttack.value = null; };
  const who = characterName(roll.as?.[0] ?? "");
  return html`
    <section class="flow now" aria-label=${t("attack.title", { who })} tabindex="-1">
      <header class="row between"><h3>${t("attack.title", { who })}</h3>
        <button type="button" class="ghost icon" aria-label=${t("close")} onClick=${close}>${icon("cross")}</button></header>
      <${AttackSteps} roll=${roll} />
    </section>`;
}

/** The steps of an attack from its throw on; used on its card, too. */
export function AttackSteps({ roll }) {
  useChain(roll);
  const { damage, resist } = followers(roll);
  const verdict = verdictOf(roll);
  const hit = verdict === "hit" || verdict === "unknown";
  const harms = Boolean(roundRules()?.harm);
  const [attacker] = roll.as ?? [""];
  const { target, item } = roll.deed;
  const steps = [
    (n) => html`<${Done} key="target" title=${t("deed.target")}>${characterName(target)}${item ? ` · ${itemTitle(item)}` : ""}<//>`,
    (n) => (roll.phase === "finalised" && verdict !== "open"
      ? html`<${Done} key="roll" title=${t("attack.roll")}>${outcomeText(roll)}${parriedText(roll)}<//>`
      : html`<${Step} key="roll" n=${n} title=${t("attack.roll")}><${Rolling} roll=${roll} /><${Reaction} roll=${roll} /><//>`),
    ...(verdict === "missed" || !harms ? [] : [
      followUp(roll, "damage") && ((n) => html`<${FollowUp} key="damage" n=${n} what="damage" roll=${roll} made=${damage} id=${attacker} ready=${hit} />`),
      followUp(roll, "resist") && ((n) => html`<${FollowUp} key="resist" n=${n} what="resist" roll=${roll} made=${resist} id=${target} ready=${hit} />`),
      (n) => html`<${Apply} key="apply" n=${n} roll=${roll} damage=${damage} resist=${resist} ready=${hit} />`].filter(Boolean)),
  ];
  return html`<ol>${steps.map((step, at) => step(at + 1))}</ol><${FaultAt} place=${roll.roll} />`;
}

/** Roll what follows a hit by itself, once, as far as this seat rolls it and nothing has to be filled in. */
function useChain(roll) {
  const { damage, resist } = followers(roll);
  const verdict = verdictOf(roll);
  const mine = currentAttack.value?.roll === roll.roll && chained.value && verdict === "hit" && !ownDice.has(roll.roll) && !usesOwnDice();
  const [attacker] = roll.as ?? [""];
  useEffect(() => {
    if (!mine) return;
    if (!damage && isOwn(attacker) && mayRoll(attacker) && followUp(roll, "damage") && !openFollowUp(roll, "damage").length) {
      rollFollowUp(roll, "damage", attacker);
    } else if (amountOf(damage) !== null && !resist && isOwn(roll.deed.target) && mayRoll(roll.deed.target) && followUp(roll, "resist")
      && !openFollowUp(roll, "resist").length) {
      rollFollowUp(roll, "resist", roll.deed.target);
    }
  }, [mine, damage?.phase, resist?.phase]);
}

/** The dice of a roll and what it asks now; the same for attack, damage and resistance. */
function Rolling({ roll }) {
  const { question } = roll;
  const dice = roll.dice ?? [];
  return html`
    ${dice.length > 0 && !(question?.decision && question.dice) && html`<div class="tray"><${Dice} dice=${dice} sides=${sidesOf(roll)} /></div>`}
    ${question?.throw && html`<${Throw} key=${`throw${dice.length}`} roll=${roll} own=${ownDice.has(roll.roll)} />`}
    ${question?.decision && html`<${Decision} key=${`ask${roll.decisions.length}`} roll=${roll} />`}
    ${roll.outcome && html`<${Outcome} roll=${roll} brief=${true} />`}
    ${!roll.deed?.target && may("finalise", roll.roll) && textButton(t("roll.finalise"), () =>
      act("finalise", { roll: roll.roll }, roll.roll), { class: "primary" })}`;
}

/** Before the result is told: who may still answer, and the GM's word that ends it. */
function Reaction({ roll }) {
  if (roll.phase !== "decided") return null;
  const { answer: parry } = followers(roll);
  const others = possibleReactors(roll.roll);
  const { target } = roll.deed;
  const offered = may("declare", target)?.answers.find((one) => one.roll === roll.roll);
  const place = order.value.find((one) => one.combatant === target);
  const told = parry && may("finalise", parry.roll) ? parry : may("finalise", roll.roll) && roll;
  if (parry && parry.phase !== "decided") {
    return html`<p class="waits">${t("attack.answering", { who: characterName(target) })}</p>
      ${isOwn(target) && html`<${Rolling} roll=${parry} />`}`;
  }
  return html`
    ${parry && html`<p><strong>${characterName(target)}</strong>: ${outcomeText(parry)}</p>`}
    ${!parry && others.length > 0 && html`<p class="waits">${t("roll.may_step_in", { who: others.join(", ") })}</p>`}
    <div class="row wrap">
      ${told ? textButton(t(roll.outcome?.success === true && !parry ? "attack.stands" : "roll.tell"), () =>
        act("finalise", { roll: told.roll }, roll.roll), { class: "primary" })
        : html`<p class="waits">${t("roll.gm_tells")}</p>`}
      ${offered && isOwn(target) && place && textButton(localize(roundRules().answers[offered.answer].title), () =>
        answer({ roll: roll.roll, place, answer: offered.answer }))}
    </div>`;
}

/** How an answer ended, added to the line of the attack. */
function parriedText(roll) {
  const { answer: parry } = followers(roll);
  return parry && verdictOf(roll) === "missed" ? ` · ${characterName(roll.deed.target)}: ${outcomeText(parry)}` : "";
}

/** Damage or resistance: rolled by whom it belongs to, and by the GM for anybody. */
function FollowUp({ n, what, roll, made, id, ready }) {
  const [values, setValues] = useState({});
  const title = t(what === "damage" ? "sheet.damage" : "attack.resist");
  if (amountOf(made) !== null) return html`<${Done} title=${title}>${outcomeText(made)}<//>`;
  if (!ready) return html`<${Later} n=${n} title=${title} />`;
  if (made) {
    const here = currentAttack.value?.roll === roll.roll && made.asked; // on a card, the roll has a card of its own
    return html`<${Step} n=${n} title=${title}>${here ? html`<${Rolling} roll=${made} />`
      : html`<p class="waits">${t("roll.waits_for", { who: nextRoller(made) })}</p>`}<//>`;
  }
  if (isApplied(roll, null)) return null;
  if (!mayRoll(id)) return html`<${Step} n=${n} title=${title}><p class="waits">${t("roll.waits_for", { who: characterOf(id)?.owner ?? characterName(id) })}</p><//>`;
  const open = openFollowUp(roll, what);
  const lacks = firstMissing(open, values);
  const says = what === "damage" ? t("harm.roll_damage") : t("harm.roll_resist", { who: characterName(id) });
  return html`<${Step} n=${n} title=${title}>
    ${open.length > 0 && html`<div class="fields">${open.map((param) => html`<${Field} key=${param.name} param=${param} as=${id}
      value=${values[param.name]} set=${(value) => setValues({ ...values, [param.name]: value })} />`)}</div>`}
    <div>${textButton(says, () => rollFollowUp(roll, what, id, values), { class: isOwn(id) ? "primary" : "", disabled: Boolean(lacks) })}
      ${!isOwn(id) && html` <span class="small muted">${t("roll.waits_for", { who: characterOf(id)?.owner ?? "" })}</span>`}</div><//>`;
}

/** What gets through, and the button that takes it from the target's points. */
function Apply({ n, roll, damage, resist, ready }) {
  const [typing, setTyping] = useState(false);
  const { target } = roll.deed;
  const title = t("attack.apply");
  const dealt = amountOf(damage), resisted = followUp(roll, "resist") ? amountOf(resist) : 0;
  if (isApplied(roll, damage)) return html`<${Done} title=${title}>${t("attack.applied", { who: characterName(target) })}<//>`;
  if (isOver(roll) && dealt !== null) return html`<${Done} title=${title}>${t("attack.nothing")}<//>`;
  if (!ready) return html`<${Later} n=${n} title=${title} />`;
  const through = dealt === null ? null : Math.max(0, dealt - (resisted ?? 0));
  if (!may("harm", target)) return html`<${Later} n=${n} title=${title} />`;
  return html`<${Step} n=${n} title=${title}>
    ${dealt !== null && resisted !== null && html`<${Sum} dealt=${dealt} resisted=${resisted} through=${through} />`}
    ${through !== null && html`<${Meter} id=${target} loss=${through} />`}
    <div class="row wrap">
      ${through !== null && textButton(t("attack.apply_n", { n: formatNumber(through) }), () => applyRolls(roll, damage, resist),
        { class: resisted === null ? "" : "primary" })}
      ${textButton(t("attack.other_number"), () => setTyping(!typing), { class: "ghost", "aria-expanded": String(typing) })}
    </div>
    ${typing && html`<${HarmForm} target=${target} after=${roll} done=${() => setTyping(false)} />`}<//>`;
}

function Sum({ dealt, resisted, through }) {
  const says = t("attack.sum", { damage: formatNumber(dealt), resisted: formatNumber(resisted), through: formatNumber(through) });
  return html`<p class="sumup"><span class="hidden">${says}</span>
    <span aria-hidden="true"><b>${formatNumber(dealt)}</b><small>${t("attack.damage")}</small></span><i aria-hidden="true">−</i>
    <span aria-hidden="true"><b>${formatNumber(resisted)}</b><small>${t("attack.resisted")}</small></span><i aria-hidden="true">=</i>
    <span aria-hidden="true" class="through"><b>${formatNumber(through)}</b><small>${t("attack.through")}</small></span></p>`;
}
