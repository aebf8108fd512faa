// Several of a kind: the GM adds numbered copies of a character, "Raider 1" to "Raider 3", in one step.

import { html, useState } from "../app/lib.js";
import { act } from "../app/socket.js";
import { game, may, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { FaultAt } from "../ui/fault.js";
import { Select } from "../ui/select.js";

const MOST = 20;

/** Characters to copy, by name: those at the table whose sheets this seat sees, and the game's samples; NPCs first. */
function templates() {
  const there = view.value.characters.filter((one) => one.sheet).map((one) => one.sheet);
  const all = new Map([...there, ...game.value.characters].reverse().map((sheet) => [sheet.name.replace(/ \d+$/, ""), sheet]));
  return [...all].sort(([, one], [, other]) => Number(one.kind !== "npc") - Number(other.kind !== "npc"));
}

export function Foes() {
  const [chosen, setChosen] = useState("");
  const [count, setCount] = useState(3);
  const [shown, setShown] = useState("own");
  const all = templates();
  if (!all.length) return null;
  const [name, sheet] = all.find(([one]) => one === chosen) ?? all[0];
  const send = (event) => {
    event.preventDefault();
    act("bring", /** @type {any} */ ({ sheet, copies: count, shown }), "foes");
  };
  return html`
    <details class="box foes"><summary>${t("foes.title")}</summary>
      <form class="stack" onSubmit=${send}>
        <${Select} label=${t("foes.who")} value=${name} set=${setChosen} options=${all.map(([one]) => [one, one])} />
        <div class="row wrap">
          <label class="field"><span>${t("foes.count")}</span>
            <input type="number" min="1" max=${MOST} value=${count} required
              onInput=${(event) => setCount(Number(event.target.value))} /></label>
          <${Select} grow label=${t("sheet.shown")} value=${shown} set=${setShown}
            options=${may("bring").shown.map((one) => [one, t(`shown.${one}`)])} />
        </div>
        <button>${t("foes.do", { n: count, who: name })}</button>
        <${FaultAt} place="foes" />
      </form>
    </details>`;
}
