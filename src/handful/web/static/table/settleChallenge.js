// The GM settles a challenge: what the player noticed, or that there was nothing.

import { html, useState } from "../app/lib.js";
import { game, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { localize } from "../app/format.js";
import { rolledWhat, who } from "./rollCard.js";
import { Select } from "../ui/select.js";
import { textButton } from "../ui/button.js";

export function SettleChallenge({ request }) {
  const id = request.request;
  const [caller] = request.to;
  const checks = game.value.checks.filter((one) => one.sides);
  const rolls = view.value.rolls.filter((one) => one.phase === "finalised" && one.roll !== request.rolls[caller]
    && !one.parts?.length);
  const [against, setAgainst] = useState(rolls.at(-1)?.roll ?? "");
  const [check, setCheck] = useState(checks[0]?.name ?? "");
  return html`
    <div class="stack">
      ${rolls.length > 0 && html`
        <div class="row wrap">
          <${Select} grow label=${t("settle.against")} value=${against} set=${setAgainst}
            options=${[...rolls].reverse().map((one) => [one.roll, `${who(one)}: ${rolledWhat(one)}`])} />
          <${Select} grow label=${t("settle.check")} value=${check} set=${setCheck}
            options=${checks.map((one) => [one.name, localize(one.title)])} />
        </div>`}
      <div class="row wrap">
        ${rolls.length > 0 && textButton(t("settle.compare"), () => act("settle", { request: id, against, check }, id),
          { class: "primary" })}
        <button type="button" onClick=${() => act("settle", { request: id }, id)}>${t("settle.nothing")}</button>
      </div>
    </div>`;
}
