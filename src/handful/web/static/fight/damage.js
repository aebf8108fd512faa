// Damage after an attack: the damage roll, resistance, and the loss on the sheet.

import { html, useState } from "../app/lib.js";
import { lines, may, firstLogNumbers, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { rollAs, rollNamed, roundRules } from "./state.js";
import { characterName, characterOf } from "../app/format.js";
import { rolledWhat, who } from "../table/rollCard.js";
import { textButton } from "../ui/button.js";
import { Select } from "../ui/select.js";
import { Text } from "../ui/textField.js";

/** Shown below an attack with a revealed result, unless it failed. */
export function DamagePanel({ roll }) {
  const { target } = roll.deed ?? {};
  const rules = roundRules();
  if (!target || roll.phase !== "finalised" || !rules?.harm || hasFailed(roll)) return null;
  const [attacker] = roll.as;
  const check = rules.free[0];
  const name = characterName(target);
  const may_roll = (id) => may("declare") && characterOf(id)?.sheet && (may("harm", id) || may("use", id));
  return html`
    ${check && (may_roll(attacker) || may_roll(target)) && html`
      <div class="row wrap">
        ${may_roll(attacker) && textButton(t("harm.roll_damage"), () =>
          rollAs(attacker, check, {}, t("harm.damage_to", { who: name })))}
        ${may_roll(target) && textButton(t("harm.roll_resist", { who: name }), () =>
          rollAs(target, check, {}, t("harm.resists", { who: name })))}
      </div>`}
    ${may("harm", target) && html`<${Harm} key=${roll.roll} target=${target} after=${roll.roll} />`}`;
}

/** True if the attack succeeded, alone or against a reaction. */
const hasFailed = (roll) => [roll, ...view.value.rolls.filter((one) =>
  one.parts?.some((part) => part.roll === roll.roll))].some((one) => one.outcome?.success === false);

/** Rolls whose damage was applied to a combatant; they may still damage others. */
const used = (target) => new Set(lines.value.flatMap(({ kind, data }) =>
  (kind === "points_changed" && data.character === target ? data.rolls ?? [] : [])));

const NUMBER = ""; // a typed number instead of a roll

function Harm({ target, after }) {
  const spent = used(target);
  const fresh = (list) => list.filter((one) => !spent.has(one));
  const { damage: dealt, resist: resisted } = may("harm", target);
  const offered = { damage: fresh(dealt), resist: fresh(resisted) };
  const since = (list) => list.filter((one) => (firstLogNumbers.value.get(one) ?? 0) > (firstLogNumbers.value.get(after) ?? 0));
  const [open, setOpen] = useState(false);
  const [damage, setDamage] = useState(null);
  const [resist, setResist] = useState(null);
  const [typed, setTyped] = useState({ damage: "", resist: "" });
  const [words, setWords] = useState("");
  const usual = (what) => since(offered[what])[0] ?? NUMBER;
  const now = { damage: damage ?? usual("damage"), resist: resist ?? usual("resist") };
  const value = (what) => now[what] || Number(typed[what] || 0);
  const send = (event) => {
    event.preventDefault();
    act("harm", { character: target, damage: value("damage"), ...(value("resist") ? { resist: value("resist") } : {}),
      ...(words.trim() ? { words: words.trim() } : {}) }, after).then((done) => {
      if (!done) return;
      setTyped({ damage: "", resist: "" });
      setDamage(null);
      setResist(null);
      setOpen(false);
    });
  };
  const says = (name) => {
    const roll = rollNamed(name);
    return roll ? `${who(roll)}: ${rolledWhat(roll)}, ${roll.outcome?.[roll.main] ?? "–"}` : name;
  };
  const amount = (what, set, label) => html`
    <${Select} grow label=${label} value=${now[what]} set=${set}
      options=${[[NUMBER, t("harm.number")], ...offered[what].map((one) => [one, says(one)])]} />
    ${now[what] === NUMBER && html`<${Text} label=${t("harm.points")} value=${typed[what]}
      set=${(one) => setTyped({ ...typed, [what]: one })} inputmode="numeric" pattern="[0-9]+"
      required=${what === "damage"} />`}`;
  return html`
    <details class="damage" open=${open} onToggle=${(event) => setOpen(event.target.open)}>
      <summary>${t("harm.title", { who: characterName(target) })}</summary>
      <form class="stack" onSubmit=${send}>
        <div class="row wrap">${amount("damage", setDamage, t("sheet.damage"))}</div>
        <div class="row wrap">${amount("resist", setResist, t("harm.resist"))}</div>
        <${Text} label=${t("correct.why")} value=${words} set=${setWords} maxlength="200" />
        <button class="primary">${t("sheet.harm")}</button>
      </form></details>`;
}
