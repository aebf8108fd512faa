// House rules, and the table's default visibility of rolls.

import { html } from "../app/lib.js";
import { game, may, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { choiceWord, localize } from "../app/format.js";
import { FaultAt } from "../ui/fault.js";
import { ModeField } from "./visibility.js";
import { RuleChange, rulesNow } from "./rulesChange.js";
import { Select } from "../ui/select.js";

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

export function HouseRules() {
  const { options, mode } = view.value;
  const change = may("house_rules");
  const now = (option) => options[option.name] ?? option.default;
  const put = (option, at) => act("house_rules", { options: { [option.name]: option.values[Number(at)] } }, "house");
  return html`
    <div class="stack">
      ${may("visibility") ? html`<${ModeField} modes=${may("declare").modes} value=${mode}
        set=${(next) => act("visibility", { mode: next }, "house")} />
          <p class="small muted">${t("house.mode")}</p>`
        : html`<p><strong>${t(`mode.${mode}`)}</strong></p>`}
      ${rulesNow()}
      <${RuleChange} />
      <h3>${t("house.title")}</h3>
      <p class="small muted">${t("house.why")}</p>
      ${game.value.options.map((option) => {
        const at = option.values.findIndex((one) => same(one, now(option)));
        const differs = !same(now(option), option.default);
        if (!change || !option.values.length) {
          return html`<p key=${option.name}
            class=${differs ? "" : "muted"}>${localize(option.label)}: <strong>${choiceWord(option, now(option))}</strong></p>`;
        }
        return html`<${Select} key=${option.name} label=${localize(option.label)} value=${String(at)}
          set=${(next) => put(option, next)}
          hint=${differs ? t("house.differs", { what: choiceWord(option, option.default) }) : ""}
          options=${option.values.map((one, number) => [String(number), choiceWord(option, one)])} />`;
      })}
      <${FaultAt} place="house" />
    </div>`;
}
