// The form of a new table: a title and the GM's name, both filled in already.

import { html, useState } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { localize } from "../app/format.js";
import { lastName, rememberName } from "../app/myTables.js";
import { Text } from "../ui/textField.js";

/**
 * @param {{game: any, open: (wanted: any) => Promise<void>|void, back?: () => void}} props `back`: without it the form closes otherwise
 */
export function NewTable({ game, open, back }) {
  const [title, setTitle] = useState(t("start.usual_title"));
  const [gm, setGM] = useState(lastName() || t("start.demo_gm"));
  const [busy, setBusy] = useState(false);
  const send = async (event) => {
    event.preventDefault();
    setBusy(true);
    rememberName(gm.trim());
    await open({ game: game.id, title: title.trim(), gm: gm.trim(), players: [], watchers: false, join: true });
    setBusy(false);
  };
  return html`
    <form class="stack" onSubmit=${send} aria-label=${t("start.new", { game: localize(game.title) })}>
      <${Text} label=${t("start.title")} value=${title} set=${setTitle} required maxlength="60"
        onFocus=${(event) => event.target.select()} />
      <${Text} label=${t("start.gm")} value=${gm} set=${setGM} required maxlength="60" autofocus
        autocomplete="nickname" onFocus=${(event) => event.target.select()} />
      <div class="row wrap"><button class="primary big" disabled=${busy}>${t("start.make")}</button>
        ${back && html`<button type="button" class="big" onClick=${back}>${t("back")}</button>`}</div>
    </form>`;
}

/** Go to a new table: its GM sits down, and the invitation is open. @param {{links: Record<string, string>}} made @param {string} gm */
export const goToTable = (made, gm) => location.assign(`${made.links[gm]}#invite`);
