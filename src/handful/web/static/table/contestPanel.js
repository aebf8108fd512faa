// The GM sets up a contest: from finished rolls, or from sides that roll now.

import { html, signal } from "../app/lib.js";
import { newKey } from "../app/api.js";
import { act } from "../app/socket.js";
import { game, may, shownPart, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { declareFields, newDraft } from "../app/rollDraft.js";
import { persist } from "../app/persist.js";
import { checkTitle, localize } from "../app/format.js";
import { rolledWhat, rollOf, who } from "./rollCard.js";
import { FaultAt } from "../ui/fault.js";
import { Field } from "../ui/fields.js";
import { players } from "./seatPicker.js";
import { ModeField } from "./visibility.js";
import { Select } from "../ui/select.js";
import { textButton } from "../ui/button.js";
import { Text } from "../ui/textField.js";

const ASK = "ask ", ROLL = "roll ", REQUEST = "request ";
const form = persist("contest", signal(null));

/**
 * Checks that compare sides.
 * @typedef {import("../app/types.js").Check & {sides: {word: string, min: number, max: number}}} Comparing
 */
const comparing = () => /** @type {Comparing[]} */ (game.value.checks.filter((one) => one.sides));
const single = () => game.value.checks.filter((one) => !one.sides);

function fresh() {
  const check = comparing()[0];
  return { check: check.name, each: single()[0]?.name
    ?? "", sides: Array(Math.max(2, check.sides.min)).fill(""), whole: {}, together: true, mode: "public", title: "" };
}

/** Candidates for a side: seats and finished rolls. */
function choices() {
  const rolls = view.value.rolls.filter((one) => one.outcome !== undefined && !one.parts?.length
    && one.phase !== "cancelled");
  const asked = view.value.requests.filter((one) => !one.called)
    .flatMap((one) => one.to.filter((name) => !one.rolls[name]).map((name) =>
      [`${REQUEST}${one.request} ${name}`,
        t("contest.asked", { who: name, what: one.title || checkTitle(one.check) })]));
  return [["", "–"], ...players().map((name) => [`${ASK}${name}`, t("contest.ask", { who: name })]), ...asked,
    ...[...rolls].reverse().map((one) =>
      [`${ROLL}${one.roll}`, `${who(one)}: ${rolledWhat(one)} (${t(`phase.${one.phase}`)})`])];
}

export function ContestPanel() {
  if (!form.value) form.value = fresh();
  const now = form.value;
  const set = (changes) => { form.value = { ...now, ...changes }; };
  const check = /** @type {Comparing} */ (comparing().find((one) => one.name === now.check));
  const whole = check.parameters.filter((one) => one.whole);
  const asks = now.sides.some((one) => one.startsWith(ASK));
  const options = choices();
  const side = (at, value) => set({ sides: now.sides.map((one, number) => (number === at ? value : one)) });
  const resize = (name) => {
    const min = comparing().find((one) => one.name === name)?.sides.min ?? 2;
    set({ check: name, whole: {}, sides: [...now.sides, ...Array(8).fill("")].slice(0,
      Math.max(min, now.sides.length)) });
  };
  return html`
    <form class="panel stack" onSubmit=${(event) => { event.preventDefault(); begin(now); }}
      aria-label=${t("act.contest")}>
      <${Select} label=${t("panel.check")} value=${now.check} set=${resize}
        options=${comparing().map((one) => [one.name, localize(one.title)])} hint=${localize(check.help)} />
      ${now.sides.map((one, at) => html`<${Select} key=${at} label=${t("roll.side", { n: at + 1 })} value=${one}
        set=${(value) => side(at, value)} options=${options} />`)}
      <div class="row">
        ${now.sides.length < check.sides.max && textButton(t("panel.add_side"), () => set({ sides: [...now.sides, ""] }))}
        ${now.sides.length > Math.max(1, check.sides.min)
          && textButton(t("panel.drop_side"), () => set({ sides: now.sides.slice(0, -1) }))}
      </div>
      ${asks && html`
        <${Select} label=${t("contest.each")} value=${now.each} set=${(each) => set({ each })}
          options=${single().map((one) => [one.name, localize(one.title)])} />
        <${Text} label=${t("panel.what")} value=${now.title} set=${(value) => set({ title: value })} />`}
      <div class="fields">${whole.map((param) => html`
        <${Field} key=${`${now.check}${param.name}`} param=${param} value=${now.whole[param.name]}
          set=${(value) => set({ whole: { ...now.whole, [param.name]: value } })} />`)}</div>
      <${ModeField} modes=${may("declare").modes} value=${now.mode} set=${(mode) => set({ mode })} />
      <${FaultAt} place="contest" />
      <button class="primary big">${t("contest.do")}</button>
    </form>`;
}

async function begin(now) {
  const { parameters = {} } = declareFields({ ...newDraft(now.check, ""), whole: now.whole });
  const more = { ...(Object.keys(parameters).length ? { parameters } : {}), ...(now.mode === "public" ? {}
    : { mode: now.mode }) };
  const chosen = now.sides.filter(Boolean);
  const rolls = chosen.filter((one) => one.startsWith(ROLL)).map((one) => one.slice(ROLL.length));
  if (rolls.length === chosen.length && rolls.every((one) => rollOf(one)?.phase === "finalised")) {
    return end(await act("contest", { check: now.check, rolls, ...more }, "contest"));
  }
  const asked = chosen.filter((one) => one.startsWith(ASK)).map((one) => one.slice(ASK.length));
  const key = newKey();
  if (asked.length) {
    const title = now.title ? { title: now.title } : {};
    if (!(await act("request", { to: asked, check: now.each, ...title }, "contest", key))) return undefined;
  }
  const sides = chosen.map((one) => {
    if (one.startsWith(ROLL)) return { roll: one.slice(ROLL.length) };
    if (one.startsWith(ASK)) return { request: `${view.value.seat}/${key}`, name: one.slice(ASK.length) };
    const [request, ...name] = one.slice(REQUEST.length).split(" ");
    return { request, name: name.join(" ") };
  });
  const thrown = rolls.some((one) => rollOf(one)?.phase !== "declared");
  return end(await act("challenge", { check: now.check, sides, ...(thrown ? { together: false } : {}), ...more },
    "contest"));
}

function end(done) {
  if (!done) return;
  form.value = fresh();
  shownPart.value = "feed";
}
