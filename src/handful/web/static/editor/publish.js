// Use the game: save a file, share a link, open a table.

import { html, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { game } from "../app/state.js";
import { t } from "../app/i18n.js";
import { Fault } from "../ui/fault.js";
import { Link } from "../table/links.js";
import { NewTable, goToTable } from "../screens/newTable.js";
import { cases, isGood, publish, text } from "./model.js";

/** Download a text as a file. */
export function saveFile(name, content) {
  const address = URL.createObjectURL(new Blob([content], { type: "text/plain" }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** The buttons; `show` opens the panel below them. */
export function PublishButtons({ shown, show }) {
  const flip = (name) => show(shown === name ? "" : name);
  return html`
    <div class="row wrap publish">
      <button type="button" aria-expanded=${shown === "begin"} onClick=${() => flip("begin")}>${t("edit.new")}</button>
      <button type="button" onClick=${() => saveFile("ruleset.toml", text.value)}>${t("edit.save_file")}</button>
      ${cases.value.trim() && html`<button type="button"
        onClick=${() => saveFile("cases.toml", cases.value)}>${t("edit.save_cases")}</button>`}
      <button type="button" disabled=${!isGood.value} aria-expanded=${shown === "share"}
        onClick=${() => flip("share")}>${t("edit.share")}</button>
      <button type="button" class="primary" disabled=${!isGood.value} aria-expanded=${shown === "use"}
        onClick=${() => flip("use")}>${t("edit.use")}</button>
    </div>`;
}

export function Share() {
  const [made, setMade] = useState(null);
  const [problem, setProblem] = useState(null);
  if (!made && !problem) publish().then(setMade, setProblem);
  return html`
    <div class="box stack">
      <${Fault} problem=${problem} />
      <p>${t("edit.share_why")}</p>
      ${made && html`<ul class="links"><${Link} title=${t("edit.link")} link=${made.link} /></ul>`}
    </div>`;
}

/** Open a table with the game in its current state. */
export function Use({ back }) {
  const [problem, setProblem] = useState(null);
  const open = async (wanted) => {
    try {
      const { hash } = await publish();
      const made = await ask("/api/tables", { ...wanted, game: "", brew: hash });
      goToTable(made, wanted.gm);
    } catch (error) {
      setProblem(error);
    }
  };
  return html`
    <div class="box stack"><${Fault} problem=${problem} onClose=${() => setProblem(null)} />
      <${NewTable} game=${game.value} open=${open} back=${back} /></div>`;
}
