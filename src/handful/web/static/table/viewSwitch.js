// The other ways to show the table, each one press away.

import { html } from "../app/lib.js";
import { may, shownAs, showAs, VIEWS, watches } from "../app/state.js";
import { t } from "../app/i18n.js";
import { press } from "../ui/button.js";

export function Views() {
  return VIEWS.filter((one) => one !== shownAs.value && (one !== "middle" || watches() || may("declare"))).map((one) =>
    press(t(`view.${one}`), () => showAs(one), { key: one, class: "ghost language", title: t(`view.${one}.long`) }));
}
