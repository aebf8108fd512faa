// Rolls that a player makes often: saved under a name in this browser, for this seat, and rolled with one tap.

import { html, signal } from "../app/lib.js";
import { game, may } from "../app/state.js";
import { t } from "../app/i18n.js";
import { keep, readKept } from "../app/kept.js";
import { toastUndo } from "../ui/toast.js";
import { keepDraft } from "./again.js";
import { declare } from "./declare.js";

const MOST = 20;
/** @type {{value: {name: string, rules: string, draft: any}[]}} */
export const saved = signal(readKept("saved rolls", []));

export function setSaved(all) {
  saved.value = all.slice(0, MOST);
  keep("saved rolls", saved.value);
}

/** Saved rolls as buttons; those of other rules are not shown. */
export function SavedRolls() {
  const { hash } = game.value, checks = may("declare")?.checks ?? [];
  const own = saved.value.filter((one) => one.rules === hash && checks.includes(one.draft.check));
  const remove = (one) => {
    const before = saved.value;
    setSaved(before.filter((other) => other !== one));
    toastUndo(t("saved.removed", { name: one.name }), () => setSaved(before));
  };
  if (!own.length) return null;
  return html`
    <ul class="saved chips" aria-label=${t("saved.title")}>${own.map((one) => html`
      <li key=${one.name}><button type="button" onClick=${() => declare(one.draft, keepDraft)}>${one.name}</button>
        <button type="button" class="ghost icon" aria-label=${t("saved.remove", { name: one.name })}
          onClick=${() => remove(one)}>×</button></li>`)}</ul>`;
}
