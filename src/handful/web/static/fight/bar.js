// The fight in a few lines, above everything: the round, the order, and what is this seat's to do.

import { html } from "../app/lib.js";
import { actTab, isGM, may, shownPart, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { order, ownTurns, show } from "./state.js";
import { FaultAt } from "../ui/error.js";
import { press } from "../ui/button.js";
import { Moments } from "./reactions.js";

export function FightBar() {
  if (!view.value.fight) return null;
  const fight = { ...view.value.fight, order: order.value };
  const own = ownTurns.value;
  const there = actTab.value === "fight" && shownPart.value === "act";
  return html`
    <section class=${own.length ? "fightbar mine" : "fightbar"} aria-label=${t("act.fight")}>
      <div class="row between">
        <p><strong>${t("fight.round", { n: fight.round })}</strong> · ${whose(fight)}</p>
        ${!there && press(t("fight.open"), () => show("fight", "#card-fight"), { class: "ghost small" })}
      </div>
      <${Strip} fight=${fight} />
      ${!there && own.map((place) => html`<${Yours} key=${place.combatant} place=${place} fight=${fight} />`)}
      <${Moments} />
      ${!fight.turn.length && html`<${RoundOver} />`}
      <${FaultAt} place="moments" />
    </section>`;
}

export function whose(fight) {
  if (!fight.turn.length) return t("fight.all_done");
  const names = fight.order.filter((one) => fight.turn.includes(one.combatant)).map((one) => one.name).join(", ");
  return t(fight.declaring ? "fight.declares" : "fight.turn_of", { who: names });
}

/** How it goes for somebody, as a sign and a word. */
export function standing(place, fight) {
  if (fight.turn.includes(place.combatant)) return ["▶", t("fight.turn")];
  if (place.waiting) return ["…", t("fight.waiting")];
  if (place.over || (place.actions !== null && place.left === 0)) return ["✓", t("fight.over")];
  return ["·", t("fight.to_come")];
}

/** Actions as small signs: taken, and left. */
export const pips = (place) => "●".repeat(Math.min(place.taken, 12)) + "○".repeat(Math.min(place.left ?? 0, 12));

function Strip({ fight }) {
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
              <span class="hidden">, ${t("fight.actions", { left: place.left, n: place.actions })}</span>`}
          </li>`;
      })}
    </ol>`;
}

/** What somebody is to do whose turn it is. */
function Yours({ place, fight }) {
  const key = fight.declaring || place.actions === null ? "fight.yours_first"
    : place.hidden ? "fight.yours_hidden" : "fight.yours";
  return html`
    <div class="yours row between wrap">
      <p><strong>${t(isGM.value ? "fight.turn_of" : "fight.your_turn", { who: place.name })}</strong> ${t(key)}</p>
      ${press(t("fight.take_turn"), () => show("fight", "#card-fight .turncard button, #card-fight .turncard"),
        { class: "primary" })}
    </div>`;
}

/** Everybody is done; the GM goes on, and sees what that would lose. */
function RoundOver() {
  const left = order.value.filter((one) => one.left > 0).map((one) => `${one.name} ${one.left}`);
  if (!may("next_round")) return html`<p class="small muted">${t("fight.gm_next")}</p>`;
  return html`
    <div class="yours row between wrap">
      <p>${left.length ? t("fight.would_lose", { what: left.join(", ") }) : t("fight.all_used")}</p>
      ${press(t("fight.next_round"), () => act("next_round", {}, "moments"), { class: "primary" })}
    </div>`;
}
