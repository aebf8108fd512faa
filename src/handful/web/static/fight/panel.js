// The fight panel: turn order, each combatant's condition, and the offered moves.

import { html } from "../app/lib.js";
import { game, isGM, may, view } from "../app/state.js";
import { endFight } from "../table/undoable.js";
import { act } from "../app/socket.js";
import { t, tn } from "../app/i18n.js";
import { characterOf, formatNumber, localize, wordFor } from "../app/format.js";
import { isOwn, ownTurns, roundRules } from "./state.js";
import { FaultAt } from "../ui/fault.js";
import { badge, textButton } from "../ui/button.js";
import { conditionTitle } from "../sheet/format.js";
import { pips, standing } from "./bar.js";
import { StartFight } from "./startFight.js";
import { JoinFight } from "./join.js";
import { Moves, movesOf } from "./moves.js";
import { Items } from "./items.js";
import { AttackSetup } from "./attackSetup.js";
import { CurrentAttack } from "./attackFlow.js";
import { mayAttack } from "./attackState.js";

export function FightPanel() {
  return view.value.fight ? html`<${RunningFight} fight=${view.value.fight} />` : html`<${StartFight} />`;
}

function RunningFight({ fight }) {
  const own = ownTurns.value;
  return html`
    <div class="panel stack" id="card-fight" tabindex="-1">
      <h2>${t("fight.round", { n: fight.round })}${fight.seconds
        ? html` <small>${tn("fight.seconds", fight.seconds)}</small>` : ""}</h2>
      <${CurrentAttack} />
      ${own.map((place) => html`
        <section key=${place.combatant} class="turncard stack" tabindex="-1"
          aria-label=${t("fight.turn_of", { who: place.name })}>
          <h3><span aria-hidden="true">▶ </span>${place.name} ${place.hidden && badge(`◐ ${t("fight.hidden")}`)}</h3>
          <p class="small">${stateText(place).join(" · ")}</p>
          ${mayAttack(place.combatant) && html`<${AttackSetup} id=${place.combatant} />`}
          <${Moves} place=${place} />
        </section>`)}
      <${FaultAt} place="fight" />
      ${fight.slots.length > 0 && html`<${Slots} fight=${fight} />`}
      <ol class="order" aria-label=${t("fight.order")}>${fight.order.map((one) =>
        html`<${Place} key=${one.combatant} place=${one} fight=${fight} own=${own.includes(one)} />`)}</ol>
      ${may("join") && html`<${JoinFight} />`}
      <div class="row wrap">
        ${["next_round", "end_fight"].filter((one) => may(one)).map((one) =>
          textButton(t(`fight.${one}`), () => (one === "end_fight" ? endFight() : act(/** @type {any} */ (one), {}, "fight")), { key: one }))}
      </div>
    </div>`;
}

/** The actions of an interleaved round in order. */
function Slots({ fight }) {
  const names = new Map(fight.order.map((one) => [one.combatant, one.name]));
  const now = fight.slots.findIndex((one) => !one.past && fight.turn.includes(one.combatant));
  return html`
    <div><h3>${t("fight.slots")}</h3>
      <ol class="strip">${fight.slots.map((one, at) => html`
        <li key=${at} class=${at === now ? "turn" : ""} aria-current=${at === now ? "true" : null}>
          <span aria-hidden="true">${one.past ? "✓" : at === now ? "▶" : "·"}</span>
          <span class="hidden">${t(one.past ? "fight.over" : at === now ? "fight.turn" : "fight.to_come")}: </span>
          ${names.get(one.combatant)} ${one.number}</li>`)}</ol></div>`;
}

/** A combatant's condition, fact by fact. */
function stateText(place) {
  const rules = roundRules();
  const stance = rules?.stances[place.stance];
  const choice = stance?.choices[place.choice];
  return [
    place.actions === null ? place.due && t("fight.not_said") : place.actions > 0
      && tn("fight.actions", place.actions, { left: place.left }),
    place.over && place.left > 0 && !place.waiting && t("fight.may_be_lost"),
    place.waiting && t("fight.waits_long"),
    place.prepared > 0 && tn("fight.prepared", place.prepared),
    place.stance && [localize(stance?.title, wordFor(place.stance)), choice && localize(choice)].filter(Boolean).join(": "),
    place.pace && localize(rules?.paces[place.pace], wordFor(place.pace)),
    place.attacked && t("fight.attacked"),
    place.initiative !== undefined && t("fight.initiative", { n: formatNumber(place.initiative) }),
  ].filter(Boolean);
}

/** Wounds and resources from the sheet, if this seat may see it. */
function health(combatant) {
  const found = characterOf(combatant);
  const harm = roundRules()?.harm;
  if (!found?.sheet) return [];
  const points = harm && found.sheet.resources?.[harm];
  const title = points !== undefined && points !== "" && localize(game.value.sheet.resources[harm]?.title, wordFor(harm));
  const [, most] = found.ranges?.[harm] ?? [];
  return [title && `${title} ${formatNumber(points)}${most === undefined ? "" : `/${most}`}`,
    ...(found.conditions ?? []).map((one) => `✦ ${conditionTitle(one)}`)].filter(Boolean);
}

/** True if a combatant may act out of turn: it waited, or may react. */
const isAtHand = (id) => may("act", id) || may("interrupt", id) || (may("react", id) && !may("react", id).early);

function Place({ place, fight, own }) {
  const turn = fight.turn.includes(place.combatant);
  const [sign, says] = standing(place, fight);
  const offered = !own && movesOf(place.combatant).length > 0;
  const quiet = isGM.value && !isOwn(place.combatant);
  return html`
    <li class=${turn ? "turn" : ""} aria-current=${turn ? "true" : null}>
      <p><span aria-hidden="true">${sign}</span> <span class="hidden">${says}: </span><strong>${place.name}</strong>${" "}
        ${turn && badge(t("fight.turn"))} ${place.hidden && badge(`◐ ${t("fight.hidden")}`)}
        <span class="pips" aria-hidden="true">${pips(place)}</span></p>
      <p class="small muted">${[...stateText(place), ...health(place.combatant)].join(" · ")}</p>
      ${offered && html`<details open=${!quiet && isAtHand(place.combatant)}><summary>${t(quiet ? "roll.instead" : "fight.may",
        { who: place.name })}</summary><${Moves} place=${place} /></details>`}
      <${Items} combatant=${place.combatant} />
    </li>`;
}
