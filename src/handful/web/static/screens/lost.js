// Shown for a link that is not valid.

import { html } from "../app/lib.js";
import { t } from "../app/i18n.js";

export function LostScreen() {
  return html`
    <main class="page narrow">
      <h1>${t("lost.title")}</h1>
      <p>${t("lost.why")}</p>
      <p><a href="/">${t("lost.start")}</a></p>
    </main>`;
}
