// What a roll is in the story: against whom, with what, and what it costs in a fight.

import { html } from "../lib.js";
import { game, view } from "../state.js";
import { t } from "../texts.js";
import { withCheck } from "../draft.js";
import { rolledWhat, who } from "./card.js";
import { Select } from "./select.js";
import { Text } from "./text.js";

const SPENDS = ["action", "interruption", "reaction", "resistance", "nothing"];

export function Deed({ draft, set }) {
  const rounds = game.value.sheet?.rounds;
  const [{ as }] = draft.sides;
  if (!rounds || !as) return null;
  const { fight, characters, rolls } = view.value;
  const deed = draft.deed ?? {};
  const put = (changes) => set({ ...draft, off: [], deed: { ...deed, ...changes } });
  const others = characters.filter((one) => one.character !== as);
  const fights = fight?.order.some((one) => one.combatant === as);
  const against = rolls.filter((one) => one.deed?.target === as && one.phase !== "cancelled");
  const answer = (roll) => {
    const to = rolls.find((one) => one.roll === roll)?.asked.check;
    const own = Object.values(rounds.answers).find((one) => one.to === to);
    set({ ...(own ? withCheck(draft, own.check) : draft), deed: { ...deed, answers: roll } });
  };
  const given = Object.values(deed).some(Boolean);
  return html`
    <details class="more" open=${fights}><summary>${t(given ? "deed.given" : "deed.title")}</summary>
      <div class="fields">
        <${Select} label=${t("deed.target")} value=${deed.target ?? ""} set=${(target) => put({ target })}
          options=${[["", "–"], ...others.map((one) => [one.character, one.name])]} />
        ${fights && html`<${Select} label=${t("deed.spends")} value=${deed.spends ?? ""}
          set=${(spends) => put({ spends })}
            options=${[["", t("shown.usual")], ...SPENDS.map((one) => [one, t(`deed.${one}`)])]} />`}
        ${against.length > 0 && html`<${Select} label=${t("deed.answers")} value=${deed.answers ?? ""} set=${answer}
          options=${[["", "–"], ...against.map((one) => [one.roll, `${who(one)}: ${rolledWhat(one)}`])]} />`}
        <${Text} label=${t("deed.item")} value=${deed.item ?? ""} set=${(value) => put({ item: value })}
          maxlength="60" />
        <${Text} label=${t("deed.task")} value=${deed.task ?? ""} set=${(value) => put({ task: value })}
          maxlength="60" />
      </div>
    </details>`;
}
