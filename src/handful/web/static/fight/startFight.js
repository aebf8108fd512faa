// Start a fight: combatants, head starts, hidden ones.

import { html, signal } from "../app/lib.js";
import { persist } from "../app/persist.js";
import { view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { roundRules } from "./state.js";
import { characterOf, localize } from "../app/format.js";
import { FaultAt } from "../ui/fault.js";
import { badge, textButton } from "../ui/button.js";
import { NewCombatant } from "./newCombatant.js";

/** Chosen combatants in order; `moved` if the GM reordered them. */
const chosen = persist("fighters", signal([]));
const moved = persist("moved", signal(false));

export function StartFight() {
  const here = view.value.characters.filter((one) => one.sheet);
  const there = (id) => chosen.value.some((one) => one.character === id);
  const flip = (id) => { chosen.value = there(id) ? chosen.value.filter((one) => one.character !== id)
    : [...chosen.value, { character: id }]; };
  const missing = here.filter((one) => !there(one.character)).map(({ character }) => ({ character }));
  const begin = async (event) => {
    event.preventDefault();
    const ordered = moved.value || !roundRules();
    const done = await act("fight", { combatants: chosen.value,
      ...(ordered ? { order: chosen.value.map((one) => one.character ?? one.name) } : {}) }, "fight");
    if (done) { chosen.value = []; moved.value = false; }
  };
  return html`
    <div class="panel stack" id="card-fight" tabindex="-1">
      ${here.length > 0 && html`<fieldset class="field"><legend>${t("fight.who")}</legend>
        <div class="chips">${here.map((one) =>
          html`<button type="button" key=${one.character} aria-pressed=${there(one.character)}
            onClick=${() => flip(one.character)}>${one.name}</button>`)}
          ${missing.length > 1 && textButton(t("people.all"), () => { chosen.value = [...chosen.value, ...missing]; }, { class: "ghost" })}</div></fieldset>`}
      <${NewCombatant} add=${(one) => { chosen.value = [...chosen.value, one]; return true; }} />
      ${chosen.value.length > 0 && html`<${Chosen} />`}
      <p class="small muted">${t(roundRules() ? "fight.by_sheets" : "fight.by_gm")}</p>
      <${FaultAt} place="fight" />
      <form onSubmit=${begin}>
        <button class="primary" disabled=${!chosen.value.length}>${t("fight.begin")}</button></form>
    </div>`;
}

function Chosen() {
  const all = chosen.value;
  const marks = Object.entries(roundRules()?.marks ?? {});
  const swap = (at) => {
    const next = [...all];
    [next[at - 1], next[at]] = [next[at], next[at - 1]];
    chosen.value = next;
    moved.value = true;
  };
  const mark = (at, name, on) => {
    const { [name]: _, ...others } = all[at].marks ?? {};
    const own = on ? { ...others, [name]: 1 } : others;
    chosen.value = all.map((one, number) => (number === at ? { ...one, marks: own } : one));
  };
  const drop = (at) => { chosen.value = all.filter((_, number) => number !== at); };
  return html`
    <ol class="order">${all.map((one, at) => {
      const name = one.name ?? characterOf(one.character)?.name ?? one.character;
      return html`
        <li key=${one.character ?? one.name}>
          <p class="row between"><span><strong>${name}</strong> ${(one.hidden || characterOf(one.character)?.shown === "hidden") && badge(`◐ ${t("fight.hidden")}`)}</span>
            <span class="row">${at > 0 && textButton("↑", () => swap(at), { class: "tiny",
              "aria-label": t("fight.earlier", { who: name }) })}
              ${textButton("×", () => drop(at), { class: "tiny", "aria-label": t("fight.drop", { who: name }) })}</span></p>
          ${one.character && marks.length > 0 && html`<details class="small"><summary>${t("fight.marks")}${
            Object.keys(one.marks ?? {}).length > 0 ? " ✓" : ""}</summary>${marks.map(([key, says]) => html`
              <label key=${key} class="check"><input type="checkbox" checked=${one.marks?.[key] === 1}
                onChange=${(event) => mark(at, key, event.target.checked)} /> ${localize(says)}</label>`)}</details>`}
        </li>`;
    })}</ol>`;
}
