// Choose one, several or all seats.

import { html } from "../app/lib.js";
import { view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { textButton } from "../ui/button.js";

export const players = () => view.value.seats.filter((one) => one.role === "player"
  && !one.left).map((one) => one.name);

/** @param {{label: string, names: string[], chosen: string[], set: (names: string[]) => void}} props */
export function SeatPicker({ label, names, chosen, set }) {
  const flip = (name) => set(names.filter((one) => (one === name) !== chosen.includes(one)));
  const all = chosen.length === names.length;
  return html`
    <fieldset class="field"><legend>${label}</legend>
      <div class="chips">
        ${names.map((name) => html`<button type="button" key=${name} aria-pressed=${chosen.includes(name)}
          onClick=${() => flip(name)}>${name}</button>`)}
        ${names.length > 1 && textButton(t(all ? "people.none" : "people.all"), () => set(all ? [] : names),
          { class: "ghost" })}
      </div>
    </fieldset>`;
}
