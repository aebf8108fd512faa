// Points that damage takes: as a bar, changed by rolls or typed numbers, with an undo.

import { html, useState } from "../app/lib.js";
import { may } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { characterName, formatNumber } from "../app/format.js";
import { toastUndo } from "../ui/toast.js";
import { Text } from "../ui/textField.js";
import { textButton } from "../ui/button.js";
import { roundRules } from "./state.js";
import { closedAttacks, pointsOf } from "./attackState.js";

/** A character's points as a bar and a number, with what a loss would leave. */
export function Meter({ id, loss = 0 }) {
  const points = pointsOf(id);
  if (!points) return null;
  const { now, most, title } = points;
  const after = now - loss;
  const share = most ? Math.max(0, Math.min(100, (after * 100) / most)) : 0;
  return html`<div class="points"><p class="row between small"><span><b>${characterName(id)}</b> · ${title}</span>
    <b class="num">${loss ? `${formatNumber(now)} → ${formatNumber(after)}` : `${formatNumber(now)}${most === undefined ? "" : `/${most}`}`}</b></p>
    ${(most ?? 0) > 0 && html`<div class=${share < 34 ? "meter low" : "meter"}><i style=${`--at:${share}`}></i></div>`}</div>`;
}

/** Change a character's points, and offer to undo it for a moment. */
async function change(character, what, data, place) {
  const done = await act(what, { character, ...data }, place);
  if (done) toastUndo(t("points.changed", { who: characterName(character), what: pointsText(character) }), () => act("undo_points", { character }, place));
  return done;
}

const pointsText = (id) => {
  const points = pointsOf(id);
  return points ? `${points.title} ${formatNumber(points.now)}${points.most === undefined ? "" : `/${points.most}`}` : "";
};

/** Take the damage of rolls from the target of an attack. */
export const applyRolls = (roll, damage, resist) =>
  change(roll.deed.target, "harm", { damage: damage.roll, ...(resist ? { resist: resist.roll } : {}) }, roll.roll);

/** A typed number: damage, or points given back. */
/** @param {{target: string, after?: any, done?: () => void}} props */
export function HarmForm({ target, after = null, done = () => {} }) {
  const [number, setNumber] = useState("");
  const [words, setWords] = useState("");
  const place = after?.roll ?? `harm ${target}`;
  const harm = roundRules().harm;
  const more = words.trim() ? { words: words.trim() } : {};
  const end = (ok) => {
    if (!ok) return;
    setNumber("");
    if (after) closedAttacks.value = [...closedAttacks.value.slice(-50), after.roll];
    done();
  };
  const hurt = (event) => {
    event.preventDefault();
    change(target, "harm", { damage: Number(number), ...more }, place).then(end);
  };
  const heal = () => change(target, "adjust", { resources: { [harm]: Number(number) }, ...more }, place).then(end);
  return html`
    <form class="row wrap harm" onSubmit=${hurt}>
      <${Text} label=${t("harm.points")} value=${number} set=${setNumber} inputmode="numeric" pattern="[0-9]+" required />
      <button class="primary" disabled=${!/^[0-9]+$/.test(number)}>${t("sheet.harm")}</button>
      ${may("adjust", target) && !after && textButton(t("harm.heal"), heal, { disabled: !/^[0-9]+$/.test(number) })}
      <${Text} grow label=${t("correct.why")} value=${words} set=${setWords} maxlength="200" />
    </form>`;
}
