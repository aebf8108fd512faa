// The way home, at the top of every page.

import { html } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { logo } from "./icons.js";

/** @param {{words?: boolean}} props `words` shows the name beside the mark */
export function HomeLink({ words = true }) {
  return html`<a class="home" href="/" aria-label=${t("home.label")} title=${t("home.label")}>${logo()}
    ${words && html`<span aria-hidden="true">${t("name")}</span>`}</a>`;
}
