// The moves offered to one combatant.

import { html, useState } from "../app/lib.js";
import { actions, may, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t, tn } from "../app/i18n.js";
import { formatNumber, localize, wordFor } from "../app/format.js";
import { isOwn, rollAs, rollNamed, roundRules, stancesOf } from "./state.js";
import { attackChecks } from "./attackState.js";
import { who } from "../table/rollCard.js";
import { textButton } from "../ui/button.js";
import { Text } from "../ui/textField.js";

const USUAL = 4; // numbers of actions with a button of their own
const PLAIN = ["wait", "end_turn", "undo_move", "uncover", "out"], QUIET = new Set(["undo_move", "out"]);

/** Offered moves of a combatant, other than rolls without a cost. */
export const movesOf = (combatant) => actions(combatant).filter((one) => one.do !== "take_hit").filter((one) =>
  one.do !== "declare" || one.spends.some((cost) => cost !== "nothing"));

export function Moves({ place }) {
  const id = place.combatant;
  const can = (what) => may(what, id);
  const move = (what, data = {}) => act(what, { combatant: id, ...data }, "fight");
  const whole = can("stance") || can("prepare");
  const early = can("react")?.early;
  const ways = [can("act") && ["act", t(place.waiting ? "fight.act_now" : "fight.act")],
    can("react") && !early && ["react", t("fight.react")]].filter(Boolean);
  return html`
    <div class="moves stack">
      ${can("fix") && html`<${Fix} move=${move} />`}
      ${can("declare") && html`<${Rolls} id=${id} offered=${can("declare")} />`}
      ${ways.length > 0 && html`<${ActionWithoutRoll} ways=${ways} send=${(way, what) => move(way, what ? { what } : {})} />`}
      ${early && html`<${Early} move=${move} name=${place.name} own=${isOwn(id)} />`}
      ${can("interrupt") && html`<div class="row wrap">${can("interrupt").rolls.map((roll) =>
        textButton(t("fight.interrupt", { who: nameOf(roll) }), () => move("interrupt", { roll_of: roll }),
          { key: roll }))}</div>`}
      ${can("pace") && html`<${Paces} offered=${can("pace")} move=${move} />`}
      ${whole && html`<${WholeRound} id=${id} can=${can} move=${move} />`}
      <div class="row wrap">${actions(id).filter((one) => one.do === "grant" && !isOwn(id)).map(({ leave }) =>
        textButton(t(`fight.grant.${leave}`, { who: place.name }), () => move("grant", { leave }),
          { key: leave, class: "ghost" }))}</div>
      <div class="row wrap">${PLAIN.filter(can).map((one) =>
        textButton(t(`fight.${one}`), () => move(one), { key: one, class: QUIET.has(one) ? "ghost" : "" }))}</div>
    </div>`;
}

const nameOf = (roll) => (rollNamed(roll) ? who(rollNamed(roll)) : roll);

/** Choose the number of actions this round. */
function Fix({ move }) {
  const [count, setCount] = useState("");
  const send = (event) => { event.preventDefault(); move("fix", { actions: Number(count) }); };
  return html`
    <fieldset class="field"><legend>${t("fight.how_many")}</legend>
      <form class="row wrap" onSubmit=${send}>
        ${Array.from({ length: USUAL }, (_, at) => textButton(String(at + 1), () => move("fix", { actions: at + 1 }),
          { key: at, class: "count-of", "aria-label": tn("fight.fix", at + 1) }))}
        <input class="face" inputmode="numeric" pattern="[0-9]+" aria-label=${t("fight.more_actions")} value=${count}
          placeholder="…" onInput=${(event) => setCount(event.target.value)} />
        ${count && html`<button>${tn("fight.fix", Number(count) || 0)}</button>`}
      </form></fieldset>`;
}

/** Rolls that cost an action; a tap fills in the roll panel. */
function Rolls({ id, offered }) {
  const costs = offered.spends.filter((one) => one !== "nothing" && one !== "interruption");
  if (!costs.length || (!costs.includes("action") && !costs.includes("resistance"))) return null;
  const cost = costs.includes("action") ? "" : "resistance";
  const attacks = attackChecks();
  const other = offered.checks.find((one) => !attacks.includes(one));
  return html`
    <div class="row wrap">
      ${other && textButton(t(cost ? "fight.resist" : "fight.other_roll"), () =>
        rollAs(id, other, cost ? { spends: cost } : {}))}
    </div>`;
}

/** An action without a roll, with an optional note. */
function ActionWithoutRoll({ ways, send }) {
  const [what, setWhat] = useState("");
  const done = (way) => { send(way, what.trim()); setWhat(""); };
  return html`
    <form class="row wrap" onSubmit=${(event) => { event.preventDefault(); done(ways[0][0]); }}>
      <${Text} grow label=${t("fight.what")} value=${what} set=${setWhat} maxlength="200" />
      ${ways.map(([way, says], at) => html`<button key=${way} type=${at ? "button" : "submit"}
        onClick=${at ? () => done(way) : null}>${says}</button>`)}
    </form>`;
}

/** React before one's turn, with the GM's permission, choosing the number of actions. */
function Early({ move, name, own }) {
  const [count, setCount] = useState("1");
  const [what, setWhat] = useState("");
  const send = (event) => {
    event.preventDefault();
    move("react", { actions: Number(count), ...(what.trim() ? { what: what.trim() } : {}) });
  };
  return html`
    <details><summary>${t(own ? "fight.early_own" : "fight.early", { who: name })}</summary>
      <form class="stack" onSubmit=${send}>
        <${Text} label=${t("fight.how_many")} value=${count} set=${setCount} inputmode="numeric" pattern="[0-9]+"
          required />
        <${Text} grow label=${t("fight.what")} value=${what} set=${setWhat} maxlength="200" />
        <button>${t("fight.react")}</button>
      </form></details>`;
}

function Paces({ offered, move }) {
  const titles = roundRules()?.paces ?? {};
  return html`
    <fieldset class="field"><legend>${t("fight.move")}</legend>
      <div class="row wrap">${offered.paces.map((one) => textButton(
        `${localize(titles[one.pace], wordFor(one.pace))} ${formatNumber(one.distance)}${one.actions
          ? ` · ${tn("fight.costs", one.actions)}` : ""}`,
        () => move("pace", { pace: one.pace }), { key: one.pace }))}</div></fieldset>`;
}

/** Moves that take the whole round. */
function WholeRound({ id, can, move }) {
  return html`
    <fieldset class="field"><legend>${t("fight.whole_round")}</legend>
      <div class="row wrap">
        ${can("prepare") && textButton(t("fight.prepare"), () => move("prepare"))}
        ${stancesOf(id).map(({ says, data }) => textButton(says, () => move("stance", data), { key: says }))}
      </div></fieldset>`;
}
