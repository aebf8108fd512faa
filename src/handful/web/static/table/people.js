// The people at the table: characters with their most important points, and who is here. A tap shows the character.

import { html } from "../app/lib.js";
import { chosenCharacter, game, here, may, openDialog, showPart, sideTab, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { formatNumber, roleName } from "../app/format.js";
import { conditionTitle } from "../sheet/format.js";
import { Avatar } from "../ui/avatar.js";
import { pathOfPicture } from "./face.js";
import { icon } from "../ui/icons.js";
import { leaving } from "./undoable.js";

const LOW = 1 / 3; // of the points that a meter shows

/** The colour that a seat has chosen. */
export const colourOfSeat = (name) => view.value.seats.find((one) => one.name === name)?.colour;

const pictureOfSeat = (name) => view.value.seats.find((one) => one.name === name)?.picture;

/** A seat's or a character's face; a dot says whether the seat is connected. @param {{seat: string, name?: string, size?: string, npc?: boolean, picture?: string}} props */
export function Face({ seat, name = seat, size = "", npc = false, picture = "" }) {
  const isHere = here.value?.includes(seat);
  return html`<span class="face"><${Avatar} name=${name} colour=${colourOfSeat(seat)} picture=${pathOfPicture(picture || (name === seat ? pictureOfSeat(seat) : ""))} size=${size} npc=${npc} />
    ${!npc && here.value && html`<i class=${isHere ? "dot" : "dot away"}></i><span class="hidden">${t(isHere ? "people.here" : "people.away")}</span>`}</span>`;
}

/** Show a character beside the feed. */
export function showCharacter(id) {
  chosenCharacter.value = id;
  sideTab.value = "characters";
  showPart("side");
}

/** The first of a character's points that have a limit: what a meter shows. */
function mainPoints(it) {
  for (const name of Object.keys(game.value.sheet?.resources ?? {})) {
    const value = it.sheet?.resources?.[name], most = it.ranges?.[name]?.[1];
    if (Number.isFinite(value) && most > 0 && most < 1000) return { value, most };
  }
  return null;
}

function Person({ it }) {
  const npc = it.kind === "npc";
  const points = mainPoints(it);
  const share = points ? Math.max(0, Math.min(1, points.value / points.most)) : 0;
  return html`
    <li><button type="button" class="person" aria-pressed=${chosenCharacter.value === it.character} onClick=${() => showCharacter(it.character)}>
      <${Face} seat=${it.owner} name=${it.name} npc=${npc} picture=${it.picture} />
      <span class="name"><b>${it.name}</b><span class="muted small">${npc ? t("kind.npc") : it.owner}</span></span>
      ${points && html`<span class="num">${formatNumber(points.value)}<small>/${points.most}</small></span>
        <span class=${share <= LOW ? "meter low" : "meter"} aria-hidden="true" style=${`--at: ${(share * 100).toFixed(0)}`}><i></i></span>`}
      ${(it.conditions ?? []).slice(0, 2).map((one) => html`<span key=${one.condition} class="chip bad">${conditionTitle(one)}</span>`)}
    </button></li>`;
}

export function People() {
  const { characters, seats, seat } = view.value;
  const own = (one) => (one.owner === seat ? 0 : 1);
  const sorted = characters.filter((one) => one.character !== leaving.value).sort((one, other) => own(one) - own(other));
  const heroes = sorted.filter((one) => one.kind !== "npc"), others = sorted.filter((one) => one.kind === "npc");
  const without = seats.filter((one) => !one.left && !characters.some((it) => it.owner === one.name && it.kind !== "npc"));
  return html`
    ${heroes.length > 0 && html`<section><h2 class="label">${t("people.heroes")}</h2><ul>${heroes.map((it) => html`<${Person} key=${it.character} it=${it} />`)}</ul></section>`}
    ${others.length > 0 && html`<section><h2 class="label">${t("people.others")}</h2><ul>${others.map((it) => html`<${Person} key=${it.character} it=${it} />`)}</ul></section>`}
    <section><h2 class="label">${t("people.seats")}</h2><ul>
      ${without.map((one) => html`<li key=${one.name} class="person still"><${Face} seat=${one.name} />
        <span class="name"><b>${one.name}</b><span class="muted small">${roleName(one.role)}</span></span></li>`)}
      ${may("bring") && html`<li><button type="button" class="ghost" onClick=${() => { openDialog.value = { name: "create" }; }}>${icon("plus")} ${t("create.open")}</button></li>`}
      ${may("seat") && html`<li><button type="button" class="ghost" onClick=${() => { sideTab.value = "seats"; showPart("side"); }}>${icon("plus")} ${t("feed.invite")}</button></li>`}
    </ul></section>`;
}

/** The faces of all seats, for the top bar. */
export function Faces() {
  const seats = view.value.seats.filter((one) => !one.left);
  return html`<ul class="faces" aria-label=${t("people.seats")}>${seats.map((one) => html`
    <li key=${one.name} title=${one.name}><span class="hidden">${one.name}: </span><${Face} seat=${one.name} size="s" /></li>`)}</ul>`;
}
