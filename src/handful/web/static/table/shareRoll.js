// Share one roll: as text, as a picture, or as a link for those who have a seat and may see it.

import { html, useState } from "../app/lib.js";
import { firstLogTimes, game, view } from "../app/state.js";
import { formatDay, formatTime, t } from "../app/i18n.js";
import { localize } from "../app/format.js";
import { textButton } from "../ui/button.js";
import { copyText } from "../ui/copy.js";
import { ownDiceOf, rolledWhat, who } from "./rollCard.js";
import { outcomeText } from "./outcome.js";

/** A roll in plain words: who, what, the dice, the result, where and when. */
export function rollText(roll) {
  const time = firstLogTimes.value.get(roll.roll);
  const faces = ownDiceOf(roll).map((die) => die.face).join(" ");
  const place = [`#${roll.label}`, view.value.table, localize(game.value.title), time && `${formatDay(time)}, ${formatTime(time)}`];
  return [`${who(roll)}: ${rolledWhat(roll)}`, faces && `[${faces}]`, outcomeText(roll), `(${place.filter(Boolean).join(" · ")})`]
    .filter(Boolean).join(" ");
}

/** A link to a roll that leads everybody to their own seat. */
export const rollLink = (roll) => new URL(`/t/${location.pathname.split("/")[2].split("~")[0]}#card-${encodeURIComponent(roll.roll)}`, location.href).href;

/** @param {{roll: import("../app/types.js").Roll}} props */
export function ShareRoll({ roll }) {
  const [said, setSaid] = useState("");
  const [shown, setShown] = useState("");
  if (!roll.outcome) return null;
  const give = async (text) => {
    const done = await copyText(text);
    setSaid(done ? t("links.copied") : "");
    setShown(done ? "" : text);
  };
  const picture = async () => {
    const { rollPicture } = await import("./rollPicture.js");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await rollPicture(roll));
    link.download = `${view.value.table} ${roll.label}.png`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  return html`
    <div class="row wrap share">
      ${textButton(t("share.text"), () => give(rollText(roll)))}
      ${textButton(t("share.picture"), picture)}
      ${textButton(t("share.link"), () => give(rollLink(roll)))}
      <span role="status" class="small">${said}</span>
    </div>
    ${shown && html`<label class="field"><span>${t("share.copy_this")}</span><input readonly value=${shown}
      onFocus=${(event) => event.target.select()} /></label>`}`;
}
