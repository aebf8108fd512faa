// The reader's own character in the feed of a narrow screen: its points, and what a tap rolls.

import { html } from "../app/lib.js";
import { game, isGM, openDialog, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { formatNumber, localize, wordFor } from "../app/format.js";
import { conditionTitle, inOrder } from "../sheet/format.js";
import { Values } from "./characters.js";
import { CharacterFace } from "./face.js";

/** The first character that a player plays. */
export const ownCharacter = () => (isGM.value ? undefined
  : view.value.characters.find((one) => one.owner === view.value.seat && one.kind === "pc" && one.sheet));

export function OwnCharacter() {
  const it = ownCharacter();
  if (!it) return null;
  const attributes = inOrder("attributes", Object.keys(it.sheet.attributes ?? {})).map((name) => [name, it.sheet.attributes[name]]);
  const skills = Object.entries(it.skills ?? {}).sort();
  const open = () => { openDialog.value = { name: "sheet", character: it.character }; };
  return html`
    <section class="card own" aria-label=${t("feed.own", { who: it.name })}>
      <header><${CharacterFace} it=${it} /><h3>${it.name}</h3>
        <button type="button" class="ghost" aria-haspopup="dialog" onClick=${open}>${t("feed.sheet")}</button></header>
      ${(it.conditions ?? []).map((one) => html`<p key=${one.condition} class="event">✦ ${conditionTitle(one)}</p>`)}
      <${Chips} it=${it} />
      ${attributes.length > 0 && html`<${Values} it=${it} kind="attributes" entries=${attributes} />`}
      ${skills.length > 0 && html`<${Values} it=${it} kind="skills" entries=${skills} />`}
    </section>`;
}

/** Points at a glance; they are changed on the sheet. */
function Chips({ it }) {
  const titles = game.value.sheet.resources;
  const points = Object.entries(it.sheet.resources ?? {});
  if (!points.length) return null;
  return html`<ul class="row wrap">${points.map(([name, value]) => {
    const most = it.ranges[name]?.[1];
    return html`<li key=${name} class="chip">${localize(titles[name]?.title, wordFor(name))} <b class="num">${formatNumber(value)}${most !== undefined && most < 100 ? `/${most}` : ""}</b></li>`;
  })}</ul>`;
}
