// The turn bar above the table: round, who has acted, now and to come, with their points, and this seat's next step.

import { html, signal, useEffect, useRef } from "../app/lib.js";
import { actTab, isGM, may, shownPart, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t, tn } from "../app/i18n.js";
import { formatNumber } from "../app/format.js";
import { order, ownTurns, roundRules, showTab } from "./state.js";
import { FaultAt } from "../ui/fault.js";
import { textButton } from "../ui/button.js";
import { Reactions } from "./reactions.js";
import { HarmForm } from "./points.js";
import { pointsOf } from "./attackState.js";

/** The combatant whose points the GM changes in the bar. */
const opened = signal("");

export function FightBar() {
  if (!view.value.fight) return null;
  const fight = { ...view.value.fight, order: order.value };
  const own = ownTurns.value;
  const there = actTab.value === "fight" && shownPart.value === "act";
  return html`
    <section class=${own.length ? "fightbar mine" : "fightbar"} aria-label=${t("act.fight")}>
      <div class="row between">
        <p><strong>${t("fight.round", { n: fight.round })}</strong> · ${whose(fight)}</p>
        ${!there && textButton(t("fight.open"), () => showTab("fight", "#card-fight"), { class: "ghost small" })}
      </div>
      <${TurnOrder} fight=${fight} />
      <${Points} />
      ${!there && own.map((place) => html`<${OwnTurn} key=${place.combatant} place=${place} fight=${fight} />`)}
      <${Reactions} />
      ${!fight.turn.length && html`<${RoundOver} />`}
      <${FaultAt} place="moments" />
    </section>`;
}

export function whose(fight) {
  if (!fight.turn.length) return t("fight.all_done");
  const names = fight.order.filter((one) => fight.turn.includes(one.combatant)).map((one) => one.name).join(", ");
  return t(fight.declaring ? "fight.declares" : "fight.turn_of", { who: names });
}

/** A combatant's condition, as icon and word. */
export function standing(place, fight) {
  if (fight.turn.includes(place.combatant)) return ["▶", t("fight.turn")];
  if (place.waiting) return ["…", t("fight.waiting")];
  if (place.over || (place.actions !== null && place.left === 0)) return ["✓", t("fight.over")];
  return ["·", t("fight.to_come")];
}

/** Actions as pips: used and left. */
export const pips = (place) => "●".repeat(Math.min(place.taken, 12)) + "○".repeat(Math.min(place.left ?? 0, 12));

function TurnOrder({ fight }) {
  const row = useRef(null);
  useEffect(() => { // whose turn it is stays in sight; the page itself does not move
    const now = row.current.querySelector(".turn");
    if (now) row.current.scrollLeft = now.offsetLeft - row.current.offsetLeft;
  }, [fight.turn.join()]);
  return html`<ol class="turns" ref=${row} tabindex="0" aria-label=${t("fight.order")}>
    ${fight.order.map((place) => html`<${Turn} key=${place.combatant} place=${place} fight=${fight} />`)}</ol>`;
}

/** One combatant in the order; the GM opens it to give damage or healing. */
function Turn({ place, fight }) {
  const id = place.combatant;
  const [sign, says] = standing(place, fight);
  const turn = fight.turn.includes(id);
  const points = pointsOf(id);
  const body = html`
    <span class="name"><span aria-hidden="true">${sign}</span> <span class="hidden">${says}: </span>${place.name}</span>
    ${place.hidden && html` <span class="small">◐ ${t("fight.hidden")}</span>`}
    ${place.actions > 0 && html` <span class="pips" aria-hidden="true">${pips(place)}</span>
      <span class="hidden">, ${tn("fight.actions", place.actions, { left: place.left })}</span>`}
    ${points && html`<${Health} points=${points} />`}`;
  const flip = () => { opened.value = opened.value === id ? "" : id; };
  return html`<li class=${turn ? "turn" : place.over ? "acted" : ""} aria-current=${turn ? "true" : null}>
    ${may("harm", id) ? html`<button type="button" class="plainpress" aria-expanded=${String(opened.value === id)}
      onClick=${flip}>${body}</button>` : body}</li>`;
}

function Health({ points: { now, most, title } }) {
  const share = most > 0 ? Math.max(0, Math.min(100, (now * 100) / most)) : 0;
  return html`<span class="health"><span class="hidden">, ${title} </span><b class="num">${formatNumber(now)}${most === undefined ? "" : `/${most}`}</b>
    ${most > 0 && html`<span class=${share < 34 ? "meter low" : "meter"} aria-hidden="true"><i style=${`--at:${share}`}></i></span>`}</span>`;
}

/** Damage or healing for the combatant that was opened. */
function Points() {
  const place = order.value.find((one) => one.combatant === opened.value);
  if (!place || !roundRules()?.harm || !may("harm", place.combatant)) return null;
  return html`<div class="box"><p><strong>${place.name}</strong></p>
    <${HarmForm} key=${place.combatant} target=${place.combatant} done=${() => { opened.value = ""; }} />
    <${FaultAt} place=${`harm ${place.combatant}`} /></div>`;
}

/** The next step of the combatant whose turn it is. */
function OwnTurn({ place, fight }) {
  const key = fight.declaring || place.actions === null ? "fight.yours_first"
    : place.hidden ? "fight.yours_hidden" : "fight.yours";
  return html`
    <div class=${actTab.value === "fight" ? "yours here row between wrap" : "yours row between wrap"}>
      <p><strong>${t(isGM.value ? "fight.turn_of" : "fight.your_turn", { who: place.name })}</strong> ${t(key)}</p>
      ${textButton(t("fight.take_turn"), () => showTab("fight", "#card-fight .turncard button, #card-fight .turncard"),
        { class: "primary" })}
    </div>`;
}

/** All are done: the GM ends the round and sees which actions would be lost. */
function RoundOver() {
  const left = order.value.filter((one) => (one.left ?? 0) > 0).map((one) => `${one.name} ${one.left}`);
  if (!may("next_round")) return html`<p class="small muted">${t("fight.gm_next")}</p>`;
  return html`
    <div class="yours row between wrap">
      <p>${left.length ? t("fight.would_lose", { what: left.join(", ") }) : t("fight.all_used")}</p>
      ${textButton(t("fight.next_round"), () => act("next_round", {}, "moments"), { class: "primary" })}
    </div>`;
}
