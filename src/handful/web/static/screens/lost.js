// Shown for a link that is not valid, with the ways to a new one.

import { html } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { HomeLink } from "../ui/homeLink.js";

export function LostScreen() {
  return html`
    <main class="page narrow">
      <header><${HomeLink} /></header>
      <h1>${t("lost.title")}</h1>
      <p>${t("lost.why")}</p>
      <p>${t("lost.mine")}</p>
      <div class="row wrap"><a class="button primary" href="/">${t("lost.start")}</a>
        <a class="button" href="/#recover">${t("recover.have")}</a></div>
    </main>`;
}
