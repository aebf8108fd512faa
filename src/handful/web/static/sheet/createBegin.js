// How a new character begins: a quick start, a ready-made one, or chance; and its name.

import { html, useId, useState } from "../app/lib.js";
import { game } from "../app/state.js";
import { t } from "../app/i18n.js";
import { localize } from "../app/format.js";
import { icon } from "../ui/icons.js";
import { beginWith } from "./creation.js";

/**
 * @param {{kind: string, from: string, begin: (sheet: any, from: string) => void, failed: (problem: any) => void}} props
 */
export function Begin({ kind, from, begin, failed }) {
  const { creation } = game.value.sheet.form;
  const { quick } = creation;
  const samples = game.value.characters.filter((/** @type {any} */ one) => one.kind === kind);
  const [more, setMore] = useState(false);
  const start = (/** @type {any} */ asked, /** @type {string} */ name) => beginWith({ kind, ...asked }).then((made) => begin(made, name), failed);
  const choice = (/** @type {string} */ name, /** @type {string} */ says, /** @type {() => any} */ go) => html`
    <button type="button" key=${name} aria-pressed=${from === name} onClick=${go}>${says}</button>`;
  const chosen = quick.find((one) => one.name === from);
  return html`
    <section class="stack" aria-label=${t("create.begin")}>
      <p class="muted">${t("create.why")}</p>
      <div class="chips start" role="group" aria-label=${t("create.begin")}>
        ${quick.map((one) => choice(one.name, localize(one.title), () => start({ start: one.name }, one.name)))}
        ${!quick.length && choice("chance", t("create.chance"), () => start({ quick: true }, "chance"))}
        ${choice("blank", t("create.blank"), () => start({}, "blank"))}
        ${samples.length > 0 && html`<button type="button" aria-expanded=${more} onClick=${() => setMore(!more)}>${t("create.samples")}</button>`}
      </div>
      ${more && html`<div class="chips start" role="group" aria-label=${t("create.samples")}>
        ${samples.map((one) => choice(`sample ${one.name}`, one.name, () => begin({ ...one }, `sample ${one.name}`)))}</div>`}
      <p class="small muted startsays" role="status">${localize(chosen?.help)}</p>
    </section>`;
}

/** @param {{name: string, kind: string, set: (name: string) => void}} props */
export function NameField({ name, kind, set }) {
  const id = useId();
  const roll = () => beginWith({ kind }).then((made) => set(made.name), () => {});
  return html`
    <div class="field"><label for=${id}>${t("sheet.name")}</label>
      <div class="row">
        <input id=${id} class="grow" name="name" value=${name} required maxlength="80" autocomplete="off"
          onInput=${(/** @type {any} */ event) => set(event.target.value)} />
        <button type="button" class="icon" onClick=${roll} aria-label=${t("create.random_name")} title=${t("create.random_name")}>${icon("die")}</button>
      </div></div>`;
}
