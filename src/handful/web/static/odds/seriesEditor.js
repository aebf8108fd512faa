// Controls of one series: game, check, parameters, house rules, policy.

import { html } from "../app/lib.js";
import { t, tn } from "../app/i18n.js";
import { localize } from "../app/format.js";
import { Select } from "../ui/select.js";
import { textButton } from "../ui/button.js";
import { checkIn, isPrimary, optionWord, paramsOf, withCheck } from "./series.js";
import { ParameterSlider } from "./slider.js";
import { gameOf, updateSeries, setGame, catalog } from "./state.js";
import { GameSelect } from "./gameSelect.js";

/** @param {{one: import("./series.js").Series}} props */
export function Editor({ one }) {
  const game = gameOf(one);
  if (!game) return html`<p role="status">${t("start.loading")}</p>`;
  const check = checkIn(game, one.check);
  const { whole, each } = paramsOf(check);
  const key = `${one.id} ${one.game} ${one.check}`;
  return html`
    <div class="stack" key=${key}>
      <${GameSelect} label=${t("odds.game")} value=${one.game} set=${(id) => setGame(one, id)} shelf=${catalog.value} />
      ${game.checks.length > 1 && html`
        <${Select} label=${t("panel.check")} value=${one.check} set=${(name) => updateSeries(withCheck(game, one, name))}
          options=${game.checks.map((own) => [own.name, localize(own.title)])} />`}
      ${one.sides.map((side, at) => html`
        <fieldset class="sidefields" key=${at}><legend>${t("roll.side", { n: at + 1 })}</legend>
          <${ParameterSliders} ...${{ game, check, values: side }} params=${each}
            set=${(values) => updateSeries({ ...one, sides: one.sides.map((own, n) => (n === at ? values : own)) })} />
        </fieldset>`)}
      ${check.sides && html`<${SideCount} ...${{ one, check }} />`}
      <${ParameterSliders} ...${{ game, check, values: one.whole }} params=${whole} set=${(values) => updateSeries({ ...one, whole: values })} />
      <${Select} label=${t("odds.policy")} value=${one.policy} set=${(policy) => updateSeries({ ...one, policy })}
        options=${["usual", "best", "never"].map((policy) => [policy, t(`odds.policy.${policy}`)])} />
      <${HouseRules} game=${game} options=${one.options} set=${(options) => updateSeries({ ...one, options })} />
    </div>`;
}

function SideCount({ one, check }) {
  const { length } = one.sides;
  return html`
    <div class="row wrap">
      ${length < check.sides.max && textButton(t("panel.add_side"), () =>
        updateSeries({ ...one, sides: [...one.sides, { ...one.sides.at(-1) }] }))}
      ${length > Math.max(1, check.sides.min) && textButton(t("panel.drop_side"), () =>
        updateSeries({ ...one, sides: one.sides.slice(0, -1) }))}
    </div>`;
}

/** Primary parameters are visible, the rest is one tap away. */
function ParameterSliders({ game, check, params, values, set }) {
  const first = params.filter((one) => isPrimary(game, check, one, {}));
  const more = params.filter((one) => !first.includes(one));
  const some = more.filter((one) => values[one.name] !== undefined && values[one.name] !== "");
  const sliderOf = (param) => html`<div key=${param.name} data-parameter=${param.name}>
    <${ParameterSlider} param=${param} value=${values[param.name]} set=${(value) => set({ ...values, [param.name]: value })} /></div>`;
  return html`
    ${first.length > 0 && html`<div class="sliders">${first.map(sliderOf)}</div>`}
    ${more.length > 0 && html`
      <details class="more"><summary>${some.length ? tn("panel.modifiers_set", some.length) : t("panel.modifiers")}</summary>
        <div class="sliders">${more.map(sliderOf)}</div></details>`}`;
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** House rules; only differences from the game's defaults are stored. */
export function HouseRules({ game, options, set, open = false }) {
  if (!game.options.length) return null;
  const count = Object.keys(options).length;
  const choose = (option, value) => {
    const { [option.name]: _, ...others } = options;
    set(same(value, option.default) ? others : { ...others, [option.name]: value });
  };
  return html`
    <details class="more" open=${open || null}>
      <summary>${count ? tn("odds.house_set", count) : t("house.title")}</summary>
      <div class="stack">
        ${game.options.map((option) => (option.values.length ? html`
          <${Select} key=${option.name} label=${localize(option.label)}
            value=${String(option.values.findIndex((one) => same(one, options[option.name] ?? option.default)))}
            set=${(at) => choose(option, option.values[Number(at)])}
            options=${option.values.map((one, at) => [String(at), optionWord(game, option, one)])} />`
          : html`<label class="field" key=${option.name}><span>${localize(option.label)}</span>
            <input value=${options[option.name] ?? ""} placeholder=${optionWord(game, option, option.default)} autocomplete="off"
              onInput=${(event) => choose(option, event.target.value.trim() || option.default)} /></label>`))}
      </div>
    </details>`;
}
