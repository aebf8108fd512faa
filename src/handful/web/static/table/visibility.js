// Visibility modes of rolls: icon, wording and field.

import { html } from "../app/lib.js";
import { revealed } from "../app/state.js";
import { t } from "../app/i18n.js";
import { icon } from "../ui/icons.js";
import { Select } from "../ui/select.js";

export const ICONS = { public: "○", private: "◑", blind: "◒", secret: "●", gm: "◆" };
const ORDER = ["public", "private", "blind", "secret", "gm"];

export function ModeBadge({ roll }) {
  const mode = modeOf(roll);
  if (!mode) return null;
  return html`${revealed.value.has(roll.roll) && html`<span class="badge">${t("mode.revealed")}</span>`}
    <span class=${mode === "public" ? "badge" : "badge veil"} title=${t(`mode.${mode}.long`)}>
      ${icon(mode === "public" ? "eye" : "veil")} ${mode === "public" ? t("mode.open") : t(`mode.${mode}`)}</span>`;
}

/** True if nothing of a roll, request or contest is hidden from anyone at the table. */
export const isPublic = (one) => !one.hidden?.length && (!one.modes || modeOf(one) === "public");

/** The stricter of the table's mode and the roll's. */
export function modeOf(roll) {
  if (!roll.modes?.length) return "";
  return [...roll.modes].sort((one, other) => ORDER.indexOf(other) - ORDER.indexOf(one))[0];
}

/** The field for a mode. */
export function ModeField({ modes, value, set }) {
  return html`
    <${Select} label=${t("panel.mode")} value=${value} set=${set} hint=${t(`mode.${value}.long`)}
      options=${modes.map((one) => [one, `${ICONS[one] ?? "◐"} ${t(`mode.${one}`)}`])} />`;
}
