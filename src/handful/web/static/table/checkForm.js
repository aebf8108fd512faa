// The form of a check: character, parameters, target and modifiers.

import { html } from "../app/lib.js";
import { game, isGM, view } from "../app/state.js";
import { t, tn } from "../app/i18n.js";
import { ANYBODY, isPrimary, isTarget, parametersOf, withCheck, withSide } from "../app/rollDraft.js";
import { checkOf, localize } from "../app/format.js";
import { Field } from "../ui/fields.js";
import { Select } from "../ui/select.js";
import { textButton } from "../ui/button.js";

/**
 * @param {{draft: import("../app/rollDraft.js").Draft, set: (draft: any) => void, fixed?: string[],
 *   checks?: string[]|null, hide?: boolean, simple?: boolean, anybody?: boolean, chosen?: boolean}} props fixed:
 *   parameters that are already decided; simple: only checks with one side; anybody: no character is given;
 *   chosen: the character was chosen earlier
 */
export function CheckForm({ draft, set, fixed = [], checks = null, hide = false, simple = false, anybody = false,
  chosen = false }) {
  const { whole, each } = parametersOf(draft.check);
  const open = (list) => list.filter((one) => !fixed.includes(one.name));
  const several = game.value.checks.find((one) => one.name === draft.check)?.sides;
  return html`
    <${CheckField} ...${{ draft, set, checks, simple }} />
    ${draft.sides.map((side, at) => html`
      <${SideFields} key=${at} ...${{ draft, set, side, at, hide, several, anybody, chosen }} params=${open(each)} />`)}
    ${several && html`<${SideCount} ...${{ draft, set, several }} />`}
    <${Fields} draft=${draft} params=${open(whole)} values=${draft.whole} as="" hide=${hide} set=${set}
      put=${(values) => set({ ...draft, whole: values })} />`;
}

function CheckField({ draft, set, checks, simple }) {
  const all = game.value.checks.filter((one) => (!checks || checks.includes(one.name)) && !(simple && one.sides));
  if (all.length < 2) return null;
  return html`
    <${Select} label=${t("panel.check")} value=${draft.check} set=${(check) => set(withCheck(draft, check))}
      options=${all.map((one) => [one.name, localize(one.title)])} />`;
}

function SideFields({ draft, set, side, at, params, hide, several, anybody, chosen }) {
  const put = (values) => set(withSide(draft, at, { values }));
  const body = html`
    ${!anybody && !(chosen && !at) && html`<${CharacterField} value=${side.as}
      set=${(as) => set(withSide(draft, at, { as, values: kept(side, as) }))} />`}
    <${Fields} draft=${draft} params=${params} values=${side.values} as=${anybody ? ANYBODY : side.as} put=${put}
      set=${set} hide=${hide && !several} />`;
  if (!several) return body;
  return html`<fieldset class="sidefields"><legend>${t("roll.side", { n: at + 1 })}</legend>${body}</fieldset>`;
}

/** Changing the character drops names picked from the old sheet and keeps numbers. */
const kept = (side, as) => (as === side.as ? side.values : Object.fromEntries(
  Object.entries(side.values).filter(([name]) => !game.value.sheet?.picks[name])));

export function CharacterField({ value, set, owner = "" }) {
  const all = view.value.characters.filter((one) => one.sheet && (!owner || one.owner === owner));
  if (!all.length) return null;
  return html`
    <${Select} label=${t("panel.character")} value=${value} set=${set} options=${[["", t("panel.no_character")],
      ...all.map((one) => [one.character, one.owner === view.value.seat ? one.name
        : `${one.name} (${one.owner})`])]} />`;
}

function SideCount({ draft, set, several }) {
  const { length } = draft.sides;
  return html`
    <div class="row">
      ${length < several.max && textButton(t("panel.add_side"), () =>
        set({ ...draft, sides: [...draft.sides, { as: "", values: {} }] }))}
      ${length > Math.max(1, several.min)
        && textButton(t("panel.drop_side"), () => set({ ...draft, sides: draft.sides.slice(0, -1), off: [] }))}
    </div>`;
}

/** Primary parameters are visible, the rest is one tap away. */
function Fields({ draft, params, values, as, put, set, hide }) {
  const first = params.filter((one) => isPrimary(draft.check, one));
  const more = params.filter((one) => !isPrimary(draft.check, one));
  const given = more.filter((one) => values[one.name] !== undefined && values[one.name] !== ""
    && values[one.name]?.length !== 0);
  const field = (param, hints) => html`
    <${Field} key=${`${draft.check} ${param.name} ${as}`} param=${param} as=${as} hints=${hints}
      value=${values[param.name]}
      set=${(value) => put({ ...values, [param.name]: value })}
      extra=${hide && isGM.value && values[param.name] && isTarget(checkOf(draft.check), param)
        ? html`<${Hide} ...${{ draft, set, name: param.name }} />` : null} />`;
  if (!params.length) return null;
  return html`
    <div class="fields">${first.map((one) => field(one, false))}</div>
    ${more.length > 0 && html`
      <details class="more"><summary>${given.length ? tn("panel.modifiers_set", given.length)
        : t("panel.modifiers")}</summary>
        <div class="fields rows">${more.map((one) => field(one, true))}</div></details>`}`;
}

/** A toggle with which the GM hides a number. */
function Hide({ draft, set, name }) {
  const hidden = draft.hidden.includes(name);
  const flip = () => set({ ...draft, hidden: hidden ? draft.hidden.filter((one) => one !== name)
    : [...draft.hidden, name] });
  return html`<button type="button" class="ghost small" aria-pressed=${hidden} onClick=${flip}>
    ${hidden ? `◆ ${t("panel.is_hidden")}` : `○ ${t("panel.hide")}`}</button>`;
}
