// The characters at the table, with the parts of their sheets that this seat may see.

import { dismissCharacter, leaving } from "./undoable.js";
import { html, useState } from "../app/lib.js";
import { chosenCharacter, game, isGM, may, openDialog, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { formatNumber, localize, sheetWord, wordFor } from "../app/format.js";
import { AddCharacter } from "./addCharacter.js";
import { lazy } from "../ui/lazy.js";
import { canTake, takeIntoRoll } from "./takeIntoRoll.js";
import { CharacterFace } from "./face.js";
import { FaultAt } from "../ui/fault.js";
import { Select } from "../ui/select.js";
import { badge, textButton } from "../ui/button.js";
import { Text } from "../ui/textField.js";
import { characterActions } from "../sheet/characterActions.js";
import { conditionForbids, conditionTitle, inOrder } from "../sheet/format.js";

const PictureField = lazy(() => import("./pictureField.js").then((one) => one.PictureField));
const Foes = lazy(() => import("./foes.js").then((one) => one.Foes));

export function Characters() {
  const { characters, seat } = view.value;
  const own = (one) => (one.owner === seat ? 0 : 1);
  const first = (one) => (one.character === chosenCharacter.value ? -1 : own(one));
  const all = characters.filter((one) => one.character !== leaving.value).sort((one, other) => first(one) - first(other));
  return html`
    <div class="stack">
      ${!all.length && html`<p class="muted">${t("characters.none")}</p>`}
      ${all.map((one, at) => html`<${Character} key=${`${one.character}${at === 0}`} it=${one} open=${at === 0} />`)}
      ${may("bring") && html`<${AddCharacter} />`}
      ${may("bring") && isGM.value && html`<${Foes} />`}
    </div>`;
}

function Character({ it, open }) {
  if (!it.sheet) return html`<p class="box"><strong>${it.name}</strong> <span class="muted">${it.owner}</span></p>`;
  const attributes = inOrder("attributes", Object.keys(it.sheet.attributes ?? {})).map((name) => [name, it.sheet.attributes[name]]);
  const skills = Object.entries(it.skills ?? {}).sort();
  return html`
    <details class="box character" open=${open}>
      <summary><${CharacterFace} it=${it} size="s" /> <strong>${it.name}</strong> <span class="muted">${it.owner}</span>${" "}
        ${badge(t(`kind.${it.kind}`))}</summary>
      <div class="stack">
        ${it.conditions.map((one) => html`<p key=${one.condition}
          class="event">✦ ${conditionTitle(one)}${one.cannot && html` <small>${conditionForbids(one)}</small>`}</p>`)}
        <p>${textButton(t("sheet.open"), () => { openDialog.value = { name: "sheet", character: it.character }; },
          { "aria-haspopup": "dialog" })}</p>
        <${Points} it=${it} />
        ${attributes.length > 0 && html`<${Values} it=${it} kind="attributes" entries=${attributes} />`}
        ${skills.length > 0 && html`<${Values} it=${it} kind="skills" entries=${skills} />`}
        ${Object.keys(it.derived).length > 0 && html`
          <dl class="rest">${Object.entries(it.derived).map(([name, value]) =>
            html`<div key=${name}><dt>${sheetWord(name)}</dt><dd>${formatNumber(value)}</dd></div>`)}</dl>`}
        ${it.sheet.notes && html`<p class="small muted">${it.sheet.notes}</p>`}
        <${MoreActions} it=${it} />
        <${FaultAt} place=${it.character} />
      </div>
    </details>`;
}

/** Attributes or skills; a tap puts one into the roll panel. */
export function Values({ it, kind, entries }) {
  const can = may("declare") && canTake(kind);
  return html`
    <ul class=${`values ${kind}`} aria-label=${t(`sheet.${kind}`)}>
      ${entries.map(([name, value]) => {
        const body = html`<span>${sheetWord(name)}</span> <strong>${formatNumber(typeof value === "object" ? value.level
          : value)}</strong>`;
        return html`<li key=${name}>${can
          ? html`<button type="button" title=${t("sheet.take")} onClick=${() => takeIntoRoll(it, kind, name)}>${body}</button>`
            : body}</li>`;
      })}
    </ul>`;
}

function Points({ it }) {
  const titles = game.value.sheet.resources;
  const points = Object.entries(it.sheet.resources ?? {});
  const change = (name, by) => act("adjust", { character: it.character, resources: { [name]: by } }, it.character);
  if (!points.length) return null;
  return html`
    <ul class="points">${points.map(([name, value]) => {
      const title = localize(titles[name]?.title, wordFor(name));
      const [least, most] = it.ranges[name] ?? [];
      return html`
        <li key=${name}><span>${title}</span>
          <span class="row">
            ${may("adjust", it.character) && html`<button type="button" class="tiny" disabled=${value <= least}
              aria-label=${t("field.less", { what: title })} onClick=${() => change(name, -1)}>−</button>`}
            <strong>${formatNumber(value)}${most !== undefined && most < 100 ? html`<small>/${most}</small>` : ""}</strong>
            ${may("adjust", it.character) && html`<button type="button" class="tiny" disabled=${value >= most}
              aria-label=${t("field.more", { what: title })} onClick=${() => change(name, 1)}>+</button>`}
          </span>
          ${may("use", it.character) && value > 0 && Object.entries(titles[name]?.uses ?? {}).map(([use, says]) => html`
            <button type="button" key=${use}
              onClick=${() => act("use", { character: it.character, resource: name, use },
                it.character)}>${t("sheet.use", { what: title, for: localize(says) })}</button>`)}
        </li>`;
    })}</ul>`;
}

/** Further actions on a character. */
function MoreActions({ it }) {
  const [damage, setDamage] = useState("");
  const id = it.character;
  const { shown: modes } = may("bring") ?? {};
  return html`
    ${may("harm", id) && html`
      <form class="row" onSubmit=${(event) => { event.preventDefault(); act("harm",
        { character: id, damage: Number(damage) }, id).then(() => setDamage("")); }}>
        <${Text} grow label=${t("sheet.damage")} value=${damage} set=${setDamage} inputmode="numeric" pattern="[0-9]+"
          required />
        <button>${t("sheet.harm")}</button>
      </form>`}
    ${may("show", id) && modes && html`<${Select} label=${t("sheet.shown")} value=${it.shown}
      set=${(shown) => act("show", { character: id, shown }, id)}
        options=${modes.map((one) => [one, t(`shown.${one}`)])} />`}
    <div class="row wrap">
      ${may("undo_points", id) && textButton(t("do.undo_points"), () => act("undo_points", { character: id }, id))}
      ${may("forget", id) && Object.keys(it.tasks).map((task) =>
        textButton(t("do.forget", { task }), () => act("forget", { character: id, task }, id), { key: task }))}
      ${characterActions(it)}
      ${may("portrait", id) && html`<${PictureField} now=${it.picture} command="portrait" about=${{ character: id }} place=${id} />`}
      ${may("dismiss", id) && textButton(t("do.dismiss"), () => dismissCharacter(it), { class: "ghost" })}
    </div>`;
}
