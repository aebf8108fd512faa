// The fight bar above the table: round, turn order, and this seat's next step.

import { html } from "../app/lib.js";
import { actTab, isGM, may, shownPart, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t, tn } from "../app/i18n.js";
import { order, ownTurns, showTab } from "./state.js";
import { FaultAt } from "../ui/fault.js";
import { textButton } from "../ui/button.js";
import { Reactions } from "./reactions.js";

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
  return html`
    <ol class="strip" aria-label=${t("fight.order")}>
      ${fight.order.map((place) => {
        const [sign, says] = standing(place, fight);
        return html`
          <li key=${place.combatant} class=${fight.turn.includes(place.combatant) ? "turn" : ""}
            aria-current=${fight.turn.includes(place.combatant) ? "true" : null}>
            <span aria-hidden="true">${sign}</span> <span class="hidden">${says}: </span>${place.name}
            ${place.hidden && html` <span class="small">◐ ${t("fight.hidden")}</span>`}
            ${place.actions > 0 && html` <span class="pips" aria-hidden="true">${pips(place)}</span>
              <span class="hidden">, ${tn("fight.actions", place.actions, { left: place.left })}</span>`}
          </li>`;
      })}
    </ol>`;
}

/** The next step of the combatant whose turn it is. */
function OwnTurn({ place, fight }) {
  const key = fight.declaring || place.actions === null ? "fight.yours_first"
    : place.hidden ? "fight.yours_hidden" : "fight.yours";
  return html`
    <div class="yours row between wrap">
      <p><strong>${t(isGM.value ? "fight.turn_of" : "fight.your_turn", { who: place.name })}</strong> ${t(key)}</p>
      ${textButton(t("fight.take_turn"), () => showTab("fight", "#card-fight .turncard button, #card-fight .turncard"),
        { class: "primary" })}
    </div>`;
}

/** All are done: the GM ends the round and sees which actions would be lost. */
function RoundOver() {
  const left = order.value.filter((one) => one.left > 0).map((one) => `${one.name} ${one.left}`);
  if (!may("next_round")) return html`<p class="small muted">${t("fight.gm_next")}</p>`;
  return html`
    <div class="yours row between wrap">
      <p>${left.length ? t("fight.would_lose", { what: left.join(", ") }) : t("fight.all_used")}</p>
      ${textButton(t("fight.next_round"), () => act("next_round", {}, "moments"), { class: "primary" })}
    </div>`;
}
