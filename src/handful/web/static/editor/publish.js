// What becomes of a game: a file, a link for others, a table.

import { html, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { game } from "../app/state.js";
import { t } from "../app/i18n.js";
import { Fault } from "../ui/error.js";
import { Link } from "../table/links.js";
import { NewTable } from "../screens/start.js";
import { cases, isGood, shelve, text } from "./model.js";

/** Save a text where the browser saves files. */
export function save(name, content) {
  const address = URL.createObjectURL(new Blob([content], { type: "text/plain" }));
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** The buttons; `show` opens what stands below them. */
export function Giving({ shown, show }) {
  const flip = (name) => show(shown === name ? "" : name);
  return html`
    <div class="row wrap publish">
      <button type="button" aria-expanded=${shown === "begin"} onClick=${() => flip("begin")}>${t("edit.new")}</button>
      <button type="button" onClick=${() => save("ruleset.toml", text.value)}>${t("edit.save_file")}</button>
      ${cases.value.trim() && html`<button type="button"
        onClick=${() => save("cases.toml", cases.value)}>${t("edit.save_cases")}</button>`}
      <button type="button" disabled=${!isGood.value} aria-expanded=${shown === "share"}
        onClick=${() => flip("share")}>${t("edit.share")}</button>
      <button type="button" class="primary" disabled=${!isGood.value} aria-expanded=${shown === "use"}
        onClick=${() => flip("use")}>${t("edit.use")}</button>
    </div>`;
}

export function Share() {
  const [made, setMade] = useState(null);
  const [problem, setProblem] = useState(null);
  if (!made && !problem) shelve().then(setMade, setProblem);
  return html`
    <div class="box stack">
      <${Fault} problem=${problem} />
      <p>${t("edit.share_why")}</p>
      ${made && html`<ul class="links"><${Link} title=${t("edit.link")} link=${made.link} /></ul>`}
    </div>`;
}

/** A table with the game as it is now. */
export function Use({ opened, back }) {
  const [problem, setProblem] = useState(null);
  const open = async (wanted) => {
    try {
      const { hash } = await shelve();
      const made = await ask("/api/tables", { ...wanted, game: "", brew: hash });
      opened({ ...made, gm: wanted.gm });
    } catch (error) {
      setProblem(error);
    }
  };
  return html`
    <div class="box stack"><${Fault} problem=${problem} onClose=${() => setProblem(null)} />
      <${NewTable} game=${game.value} open=${open} back=${back} /></div>`;
}
