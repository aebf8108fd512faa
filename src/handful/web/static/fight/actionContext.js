// The action context of a roll: target, item, task, and its cost in a fight.

import { html } from "../app/lib.js";
import { may, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { withActionContext } from "../app/rollDraft.js";
import { inFight, roundRules, rollNamed } from "./state.js";
import { characterName, characterOf, itemTitle } from "../app/format.js";
import { rolledWhat, who } from "../table/rollCard.js";
import { textButton, badge } from "../ui/button.js";
import { Select } from "../ui/select.js";
import { Text } from "../ui/textField.js";

export function ActionFields({ draft, set }) {
  const rounds = roundRules();
  const [{ as }] = draft.sides;
  if (!rounds || !as) return null;
  const deed = draft.deed ?? {};
  const put = (changes) => set(withActionContext(draft, { ...deed, ...changes }));
  const offered = may("declare", as);
  const given = Object.values(deed).some(Boolean);
  const spends = offered?.spends ?? [];
  const it = characterOf(as);
  return html`
    <details class="more" open=${inFight(as)}><summary>${t(given ? "deed.given" : "deed.title")}</summary>
      <div class="fields">
        ${deed.interrupts && html`<p class="row between">${badge(t("fight.interrupt", { who: named(deed.interrupts) }))}
          ${textButton("×", () => put({ interrupts: "", spends: "" }), { class: "tiny", "aria-label": t("close") })}</p>`}
        ${spends.length > 0 && !deed.interrupts && html`<${Select} label=${t("deed.spends")} value=${deed.spends ?? ""}
          set=${(cost) => put({ spends: cost })} options=${[["", t("shown.usual")],
            ...spends.filter((one) => one !== "interruption").map((one) => [one, t(`deed.${one}`)])]} />`}
        <${Text} label=${t("deed.item")} value=${deed.item ?? ""} set=${(value) => put({ item: value })}
          maxlength="60" list="deed-items" />
        ${rounds.retries && html`<${Text} label=${t("deed.task")} value=${deed.task ?? ""}
          set=${(value) => put({ task: value })} maxlength="60" list="deed-tasks" />`}
        <datalist id="deed-items">${Object.keys(it?.items ?? {}).map((one) =>
          html`<option key=${one} value=${one} label=${itemTitle(one)} />`)}</datalist>
        <datalist id="deed-tasks">${Object.keys(it?.tasks ?? {}).map((one) =>
          html`<option key=${one} value=${one} />`)}</datalist>
      </div>
    </details>`;
}

/** The target, asked first because the difficulty depends on it. */
export function Target({ draft, set }) {
  const [{ as }] = draft.sides;
  if (!as || !roundRules()?.targets.includes(draft.check)) return null;
  return html`<${Select} label=${t("deed.target")} value=${draft.deed?.target ?? ""}
    set=${(target) => set(withActionContext(draft, { ...draft.deed, target }))} options=${[["", "–"], ...targets(as)]} />`;
}

const named = (roll) => (rollNamed(roll) ? `${who(rollNamed(roll))}: ${rolledWhat(rollNamed(roll))}` : roll);

/** Possible targets, combatants first. */
function targets(as) {
  const others = view.value.characters.filter((one) => one.character !== as);
  const first = (one) => (inFight(one.character) ? 0 : 1);
  return others.sort((one, other) => first(one) - first(other)).map((one) => [one.character, one.name]);
}

/** The action context on one line of the roll's card. */
export function ActionLine({ roll }) {
  const { deed } = roll;
  if (!deed) return null;
  const parts = [
    deed.target && t("deed.at", { who: characterName(deed.target) }),
    deed.answers && t("deed.answering", { what: named(deed.answers) }),
    deed.interrupts && t("fight.interrupt", { who: named(deed.interrupts) }),
    deed.item && t("deed.with", { what: itemTitle(deed.item) }), deed.task && t("deed.trying", { what: deed.task }),
    deed.granted && t("deed.granted"),
    deed.spends && deed.spends !== "nothing" && t("deed.costs", { what: t(`deed.${deed.spends}`) }),
  ].filter(Boolean);
  return parts.length ? html`<p class="by action">${parts.join(" · ")}</p>` : null;
}
