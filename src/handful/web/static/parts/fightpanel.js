// A fight: who is there, whose turn it is, and the moves that are offered.

import { html, signal, useState } from "../lib.js";
import { actions, game, isGM, may, view } from "../state.js";
import { act } from "../wire.js";
import { t } from "../texts.js";
import { say, word } from "../words.js";
import { FaultAt } from "./fault.js";
import { Select } from "./select.js";
import { badge, press } from "./press.js";

const chosen = signal([]);

export function FightPanel() {
  return view.value.fight ? html`<${Going} fight=${view.value.fight} />` : html`<${Begin} />`;
}

function Begin() {
  const here = view.value.characters.filter((one) => one.sheet);
  const flip = (id) => { chosen.value = chosen.value.includes(id) ? chosen.value.filter((one) => one !== id)
    : [...chosen.value, id]; };
  const begin = (event) => {
    event.preventDefault();
    act("fight", { combatants: chosen.value.map((character) => ({ character })) }, "fight");
  };
  return html`
    <form class="panel stack" onSubmit=${begin}>
      <fieldset class="field"><legend>${t("fight.who")}</legend>
        <div class="chips">${here.map((one) =>
          html`<button type="button" key=${one.character} aria-pressed=${chosen.value.includes(one.character)}
            onClick=${() => flip(one.character)}>${one.name}</button>`)}</div></fieldset>
      <${FaultAt} place="fight" />
      <button class="primary" disabled=${!chosen.value.length}>${t("fight.begin")}</button>
    </form>`;
}

function Going({ fight }) {
  return html`
    <div class="panel stack">
      <h3>${t("fight.round", { n: fight.round })}</h3>
      <ol class="order">${fight.order.map((one) =>
        html`<${Place} key=${one.combatant} place=${one} turn=${fight.turn.includes(one.combatant)} />`)}</ol>
      <${FaultAt} place="fight" />
      ${may("join") && html`<${Join} />`}
      <div class="row wrap">
        ${["next_round", "end_fight"].filter((one) => may(one)).map((one) =>
          press(t(`fight.${one}`), () => act(one, {}, "fight"), { key: one }))}
      </div>
    </div>`;
}

function Join() {
  const [name, setName] = useState("");
  const there = new Set(view.value.fight.order.map((one) => one.combatant));
  const others = view.value.characters.filter((one) => one.sheet && !there.has(one.character));
  if (!others.length) return null;
  return html`
    <div class="row"><${Select} grow label=${t("fight.join")} value=${name} set=${setName}
      options=${[["", "–"], ...others.map((one) => [one.character, one.name])]} />
      <button type="button" disabled=${!name}
        onClick=${() => act("join", { who: { character: name } }, "fight").then(() =>
          setName(""))}>${t("line.add")}</button></div>`;
}

function Place({ place, turn }) {
  const facts = [
    place.actions === null ? "" : t("fight.actions", { left: place.left, n: place.actions }),
    place.waiting && t("fight.waiting"), place.over && t("fight.over"), place.prepared && t("fight.prepared"),
    place.stance && word(place.stance), place.pace && word(place.pace), place.hidden && t("fight.hidden"),
  ].filter(Boolean);
  return html`
    <li class=${turn ? "turn" : ""} aria-current=${turn ? "true" : null}>
      <p>${turn && html`<span aria-hidden="true">▶ </span>`}<strong>${place.name}</strong>${" "}
        ${turn && badge(t("fight.turn"))} <span class="small muted">${facts.join(" · ")}</span></p>
      <${Moves} place=${place} />
    </li>`;
}

const SIMPLE = ["act", "wait", "prepare", "end_turn", "undo_move", "react", "out", "uncover"];

function Moves({ place }) {
  const id = place.combatant;
  const rounds = game.value.sheet?.rounds;
  const [count, setCount] = useState("1");
  const move = (what, data = {}) => act(what, { combatant: id, ...data }, "fight");
  const own = new Set(actions(id).map((one) => one.do));
  const open = view.value.rolls.filter((one) => one.phase !== "finalised" && one.phase !== "cancelled");
  if (!SIMPLE.concat("fix", "stance", "pace", "interrupt").some((one) => own.has(one))) return null;
  return html`
    <div class="row wrap moves">
      ${own.has("fix") && html`<form class="row"
        onSubmit=${(event) => { event.preventDefault(); move("fix", { actions: Number(count) }); }}>
        <input class="face" inputmode="numeric" aria-label=${t("fight.how_many")} value=${count}
          onInput=${(event) => setCount(event.target.value)} /><button>${t("fight.fix")}</button></form>`}
      ${SIMPLE.filter((one) => own.has(one)).map((one) => press(t(`fight.${one}`), () => move(one), { key: one }))}
      ${own.has("interrupt") && open.map((one) =>
        press(t("fight.interrupt", { who: one.roller }), () => move("interrupt", { roll_of: one.roll }),
          { key: one.roll }))}
      ${own.has("pace") && Object.entries(rounds?.paces
        ?? {}).map(([name, says]) => press(say(says, name), () => move("pace", { pace: name }), { key: name }))}
      ${own.has("stance") && Object.entries(rounds?.stances ?? {}).flatMap(([name, one]) => {
        const choices = Object.entries(one.choices);
        if (!choices.length) return [press(say(one.title), () => move("stance", { stance: name }), { key: name })];
        return choices.map(([choice, says]) =>
          press(`${say(one.title)}: ${say(says)}`, () => move("stance", { stance: name, choice }),
            { key: name + choice }));
      })}
    </div>`;
}

export const fightOffered = () => game.value.sheet?.rounds && (view.value.fight || (isGM.value && may("fight")));
