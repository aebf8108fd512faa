// A finished roll or contest as one line: who, what, small dice, result. A tap opens its card again.

import { html } from "../app/lib.js";
import { firstLogTimes } from "../app/state.js";
import { formatTime, t } from "../app/i18n.js";
import { Dice } from "../ui/dice.js";
import { RollFace } from "./face.js";
import { sidesOf } from "./decision.js";
import { actorOf, isFoe, ownDiceOf, rolledWhat, who } from "./rollCard.js";
import { outcomeText } from "./outcome.js";
import { unfold } from "./folding.js";
import { focusCard } from "../ui/focus.js";

const MOST_DICE = 14; // in a line

/** @param {{success?: any}} outcome */
function toneOf({ success }) {
  if (Array.isArray(success) || success === null || success === undefined) return "";
  return success ? "good" : "bad";
}

/** @param {{roll: import("../app/types.js").Roll}} props */
export function Line({ roll }) {
  const dice = ownDiceOf(roll);
  const time = firstLogTimes.value.get(roll.roll);
  const tone = roll.outcome ? toneOf(roll.outcome) : "";
  const label = t("roll.label", { who: who(roll), what: rolledWhat(roll) });
  const open = () => {
    unfold(roll.roll);
    focusCard(roll.roll);
  };
  return html`
    <article class="past" id=${`card-${roll.roll}`} tabindex="-1" aria-label=${label}>
      <${RollFace} roll=${roll} size="s" />
      <div class="what"><p><b>${actorOf(roll)}</b> <span class="muted">${rolledWhat(roll)}</span></p>
        ${dice.length > 0 && dice.length <= MOST_DICE && html`<${Dice} dice=${dice} sides=${sidesOf(roll)} of=${roll.roll} small />`}</div>
      <p class=${`end ${tone}`}>${tone && html`<span aria-hidden="true">${tone === "good" ? "✓" : "✗"}</span> `}
        ${roll.phase === "cancelled" ? t("roll.cancelled") : outcomeText(roll)}
        <small class="number">${time && html`<time datetime=${time}>${formatTime(time)}</time> `}#${roll.label}</small></p>
      <button type="button" class="unfold" aria-expanded="false" onClick=${open}><span class="hidden">${t("feed.unfold")}</span></button>
    </article>`;
}
