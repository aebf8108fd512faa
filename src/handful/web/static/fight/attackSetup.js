// Weapon and target of an attack, with the odds of each target, and the one button that attacks.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { may, pending, seatPath, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { characterName, checkTitle, formatNumber, fractionToNumber, localize, percent, wordFor } from "../app/format.js";
import { firstMissing } from "../app/rollDraft.js";
import { Field } from "../ui/fields.js";
import { FaultAt } from "../ui/fault.js";
import { Select } from "../ui/select.js";
import { textButton } from "../ui/button.js";
import { rollAs } from "./state.js";
import { itemText } from "../sheet/format.js";
import { attack, attackChecks, attackFields, chained, choiceOf, choose, openParameters, setOwnDice, targetsOf, usesOwnDice, weaponsOf } from "./attackState.js";
import { Step } from "./step.js";

const MOST_ODDS = 8; // targets whose odds are asked for at once
const ACTIONS = [1, 2, 3];

/** @param {{id: string}} props a combatant whose turn it is */
export function AttackSetup({ id }) {
  const now = choiceOf(id);
  const checks = attackChecks();
  const missing = firstMissing(openParameters(now), now.values);
  const odds = useOdds(id, now, missing);
  return html`
    <form class="flow" aria-label=${t("attack.title", { who: characterName(id) })}
      onSubmit=${(event) => { event.preventDefault(); attack(id); }}>
      ${checks.length > 1 && html`<${Select} label=${t("panel.check")} value=${now.check}
        set=${(check) => choose(id, { check })} options=${checks.map((one) => [one, checkTitle(one)])} />`}
      <ol>
        <${Step} n=${1} title=${t("attack.weapon")}><${Weapons} id=${id} now=${now} /><//>
        <${Step} n=${2} title=${t("deed.target")}><${Targets} id=${id} now=${now} odds=${odds} /><//>
        <${Step} n=${3} title=${t("attack.roll")}>
          ${may("fix", id) && html`<${Actions} id=${id} now=${now} />`}
          <${Go} id=${id} now=${now} found=${odds[now.target]} missing=${missing} />
          <details class="small"><summary>${t("attack.more")}</summary>
            <div class="stack tight">
              <label class="check"><input type="checkbox" checked=${chained.value}
                onChange=${(event) => { chained.value = event.target.checked; }} /> ${t("attack.chain")}</label>
              <label class="check"><input type="checkbox" checked=${usesOwnDice()}
                onChange=${(event) => setOwnDice(event.target.checked)} /> ${t("panel.dice.own")}</label>
              <div>${textButton(t("attack.form"), () => rollAs(id, now.check,
                { target: now.target, ...(now.item ? { item: now.item } : {}) }))}</div>
            </div></details>
        <//>
      </ol>
    </form>`;
}

/** The weapons of the sheet as one row; without one, the numbers are picked here. */
function Weapons({ id, now }) {
  const weapons = weaponsOf(id, now.check);
  const open = openParameters(now);
  return html`
    ${weapons.length > 0 && html`<fieldset class="choices weapons"><legend class="hidden">${t("attack.weapon")}</legend>
      ${[...weapons, { name: "", title: t("attack.unarmed"), fields: {} }].map((one) => html`
        <label class="choice" key=${one.name}><input type="radio" name=${`weapon ${id}`} checked=${now.item === one.name}
          onChange=${() => choose(id, { item: one.name })} />
          <span>${one.title}${one.name && html` <small>${itemText(one.fields)}</small>`}</span>
          <${State} id=${id} item=${one.name} /></label>`)}</fieldset>`}
    ${open.length > 0 && html`<div class="fields">${open.map((param) => html`
      <${Field} key=${`${now.check} ${param.name}`} param=${param} as=${id} value=${now.values[param.name]}
        set=${(value) => choose(id, { values: { ...now.values, [param.name]: value } })} />`)}</div>`}`;
}

/** A weapon that is out of use says so. */
function State({ id, item }) {
  const found = view.value.characters.find((one) => one.character === id)?.items?.[item];
  return found?.hot ? html`<strong class="small">⚠ ${t("things.hot")}</strong>` : null;
}

function Targets({ id, now, odds }) {
  const targets = targetsOf(id);
  if (!targets.length) return html`<p class="muted">${t("attack.nobody")}</p>`;
  return html`<fieldset class="choices"><legend class="hidden">${t("deed.target")}</legend>
    ${targets.map((one) => {
      const found = odds[one.combatant];
      const [figure, share] = chanceOf(found);
      return html`<label class="choice" key=${one.combatant}><input type="radio" name=${`target ${id}`}
        checked=${now.target === one.combatant} onChange=${() => choose(id, { target: one.combatant })} />
        <span>${one.name}</span><b class="worth">${figure}</b>
        ${share !== null && html`<span class="bar"><i style=${`--at:${share}`}></i></span>`}</label>`;
    })}</fieldset>`;
}

/** The chance against a target as a figure and as a share; unknown if its defence is hidden. */
function chanceOf(found) {
  const success = found?.odds?.success;
  if (typeof success !== "string") return [found?.unknown?.length ? "?" : "", null];
  return [percent(success), fractionToNumber(success) * 100];
}

function Actions({ id, now }) {
  return html`<fieldset class="row wrap"><legend class="small">${t("fight.how_many")}</legend>
    <span class="segments">${ACTIONS.map((count) => html`<label key=${count}><input type="radio" name=${`actions ${id}`}
      checked=${now.actions === count} onChange=${() => choose(id, { actions: count })} />${count}</label>`)}</span></fieldset>`;
}

/** The button; where an attack is impossible, it says why. */
function Go({ id, now, found, missing }) {
  const busy = [...pending.value.values()].some((one) => one.do === "declare");
  const lacks = missing && t("chance.missing", { what: localize(missing.label) });
  const cannot = lacks || found?.cannot || found?.problem || (now.target ? "" : t("attack.nobody"));
  const [figure] = chanceOf(found);
  return html`
    <button class="primary big" disabled=${busy || Boolean(cannot)} aria-describedby=${cannot ? `cannot ${id}` : null}>
      ${t(usesOwnDice() ? "panel.declare" : "attack.do")}${figure && figure !== "?" ? html` <span>· ${figure}</span>` : ""}</button>
    ${cannot && html`<p id=${`cannot ${id}`} class="small">${cannot}</p>`}
    ${!cannot && found?.odds && figure === "" && html`<p class="small muted">${meanText(found.odds)}</p>`}
    ${found?.unknown?.length > 0 && html`<p class="small muted">${t("attack.hidden", { who: characterName(now.target) })}</p>`}
    <${FaultAt} place=${`attack ${id}`} />`;
}

function meanText(odds) {
  if (!odds.mean) return "";
  const mean = Math.round(fractionToNumber(odds.mean) * 100) / 100;
  return t("chance.avg", { n: `${formatNumber(mean)} ${wordFor(odds.main ?? "", mean)}`.trim() });
}

/** The odds against each target, asked for again when anything changes that they depend on. */
function useOdds(id, now, missing) {
  const [found, setFound] = useState({});
  const targets = targetsOf(id).slice(0, MOST_ODDS).map((one) => one.combatant);
  const asked = JSON.stringify(targets.map((target) => attackFields(id, now, target)));
  useEffect(() => {
    if (missing) return void setFound({});
    const asking = new AbortController();
    for (const target of targets) {
      ask(seatPath("sketch"), { data: attackFields(id, now, target) }, asking.signal).then(
        (made) => setFound((had) => ({ ...had, [target]: { odds: made.odds, cannot: localize(made.cannot), unknown: made.unknown } })),
        (problem) => problem.name !== "AbortError" && setFound((had) => ({ ...had, [target]: { problem: problem.message } })));
    }
    return () => asking.abort();
  }, [asked, Boolean(missing), view.value.characters, view.value.options, view.value.fight]);
  return found;
}
