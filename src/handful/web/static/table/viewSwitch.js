// Buttons for the other views of the table.

import { html } from "../app/lib.js";
import { may, currentView, switchView, VIEWS, isWatcherScreen } from "../app/state.js";
import { t } from "../app/i18n.js";
import { textButton } from "../ui/button.js";

export function ViewSwitch() {
  return VIEWS.filter((one) => one !== currentView.value && one !== "log" && (one !== "middle" || isWatcherScreen() || may("declare"))).map((one) =>
    textButton(t(`view.${one}`), () => switchView(one), { key: one, class: "ghost language", title: t(`view.${one}.long`) }));
}
