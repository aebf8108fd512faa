// The table screen: people on the left, the feed in the middle, on the right the composer or the side panel.
// A narrow screen shows one part at a time, with one large button at the foot.

import { afterRender, html, signal, useEffect, useRef, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { layFelt } from "../app/felt.js";
import { restore } from "../app/persist.js";
import { connect } from "../app/socket.js";
import { connection, desk, game, isShared, isLate, pending, seatPath, currentView, shownPart, showPart, view } from "../app/state.js";
import { t, tn } from "../app/i18n.js";
import { moveFocus } from "../ui/focus.js";
import { oddsOf } from "../odds/link.js";
import { roleName, localize } from "../app/format.js";
import { LostScreen } from "./lost.js";
import { arrive } from "../table/arrival.js";
import { Announcer } from "../table/announcer.js";
import { ActionPanel } from "../table/actionPanel.js";
import { FaultAt } from "../ui/fault.js";
import { Feed } from "../table/feed.js";
import { FightBar } from "../fight/bar.js";
import { HomeLink } from "../ui/homeLink.js";
import { Languages } from "../ui/languages.js";
import { badge } from "../ui/button.js";
import { icon } from "../ui/icons.js";
import { SoundSwitch, ThemeSwitch } from "../ui/themeSwitch.js";
import { Dock, PhoneDock } from "../table/dock.js";
import { Faces, People } from "../table/people.js";
import { SidePanel } from "../table/sidePanel.js";
import { ViewSwitch } from "../table/viewSwitch.js";
import { ownTurns } from "../fight/state.js";
import { reactions } from "../fight/reactionState.js";
import { Dialogs } from "../table/dialogs.js";
import { unread } from "../chat/messages.js";
import { GmOffer } from "../table/gmOffer.js";
import { inboxCount } from "../app/inbox.js";
import { Toast } from "../ui/toast.js";

/** Number of columns that fit, measured in characters, which a media query cannot do. */
function room() {
  const wide = innerWidth / parseFloat(getComputedStyle(document.documentElement).fontSize);
  return wide >= 75 ? 3 : wide >= 56 ? 2 : 1;
}
const columns = signal(room());

/** An element as wide as a character, out of sight. */
function character() {
  const made = document.createElement("i");
  made.className = "character-wide";
  return document.body.appendChild(made);
}

/** The other views are loaded on demand. */
const OTHERS = {
  big: () => import("./bigScreen.js").then((one) => one.BigScreen),
  middle: () => import("./tablet.js").then((one) => one.TabletScreen),
  log: () => import("./logPage.js").then((one) => one.LogPage),
};

export function TableScreen({ table }) {
  const [problem, setProblem] = useState(null);
  const [fetched, setFetched] = useState({});
  useEffect(() => {
    connect(table);
    arrive(table);
    const observer = new ResizeObserver(() => { columns.value = room(); });
    for (const one of [document.body, character()]) observer.observe(one); // the window, or the size of type
  }, []);
  const rules = view.value?.game.hash; // changes when the GM changes the rules
  useEffect(() => {
    if (rules) ask(seatPath("game")).then((found) => { restore(found.hash); layFelt(found.id); game.value = found; }, setProblem);
  }, [rules]);
  useEffect(() => {
    const name = currentView.value ?? "";
    if (OTHERS[name]) OTHERS[name]().then((Part) => setFetched((had) => ({ ...had, [name]: Part })));
  }, [currentView.value]);
  if (connection.value === "gone") return html`<${LostScreen} />`;
  if (problem) return html`<main class="page narrow"><p role="alert">${problem.message}</p></main>`;
  if (!view.value || !game.value) return html`<main class="page narrow">
    <p role="status">${t(connection.value === "lost" ? "table.away" : "table.opening")}</p></main>`;
  const waiting = currentView.value === "table" ? inboxCount.value + reactions.value.length + ownTurns.value.length : 0;
  document.title = `${waiting ? `(${waiting}) ${t("tray.title")} · ` : ""}${tableTitle()} · ${t("name")}`;
  const Shown = currentView.value === "table" ? Columns : fetched[currentView.value ?? ""];
  return html`
    <div class=${`table as-${currentView.value}`} data-part=${shownPart.value} data-columns=${columns.value} data-desk=${desk.value}>
      ${currentView.value === "table" && html`<${Skip} />`}
      <${Top} />
      <${Connection} />
      <${FaultAt} place="table" />
      ${Shown && html`<${Shown} />`}
      ${!isShared.value && html`<${Announcer} />`}
    </div>`;
}

/** The normal view. */
function Columns() {
  const before = useRef(shownPart.value);
  useEffect(() => {
    if (before.current !== shownPart.value) moveFocus(shownPart.value);
    before.current = shownPart.value;
  }, [shownPart.value]);
  const composing = desk.value === "act";
  return html`
    <${FightBar} />
    <main class="columns">
      ${columns.value === 3 && html`<aside class="people" aria-label=${t("part.people")}><${People} /></aside>`}
      <section class="part feed" id="feed" tabindex="-1" aria-label=${t("part.feed")}><${GmOffer} /><${Feed} alone=${columns.value === 1} />
        ${columns.value > 1 && !composing && html`<${Dock} />`}</section>
      <div class="desk">
        ${columns.value > 1 && html`<${DeskTabs} />`}
        <section class="part act" id="act" tabindex="-1" aria-label=${t("part.act")}>
          <h2 class="hidden">${t("part.act")}</h2><${ActionPanel} /></section>
        <section class="part side" id="side" tabindex="-1" aria-label=${t("part.side")}>
          <h2 class="hidden">${t("part.side")}</h2><${SidePanel} /></section>
      </div>
    </main>
    ${columns.value === 1 && html`<${PhoneDock} />`}
    <${Toast} />
    <${Dialogs} />`;
}

/** What stands beside the feed: the composer, or people, chat and log. */
function DeskTabs() {
  return html`<nav class="desktabs" aria-label=${t("table.parts")}>
    ${/** @type {("act"|"side")[]} */ (["act", "side"]).map((part) => html`<button type="button" key=${part} aria-current=${desk.value === part ? "page" : null}
      onClick=${() => { showPart(part); }}>${t(`part.${part}`)}${part === "side" && unread.value ? html` <span class="count">${unread.value}</span>` : ""}</button>`)}
  </nav>`;
}

/** A skip link past the header, visible while focused. */
function Skip() {
  const go = (event) => {
    event.preventDefault();
    shownPart.value = "feed";
    afterRender(() => document.getElementById("feed")?.focus());
  };
  return html`<a class="skip button" href="#feed" onClick=${go}>${t("table.skip")}</a>`;
}

export const tableTitle = () => view.value.table;

function Top() {
  const { seat, role } = view.value;
  return html`
    <header class="top">
      <${HomeLink} words=${false} />
      <div class="title"><h1>${tableTitle()}</h1>
        <p>${localize(game.value.title)} · <a href=${oddsOf(game.value.id)} target="_blank" rel="noopener">${t("odds.title")}</a></p></div>
      ${currentView.value !== "big" && html`<${Faces} />`}
      <p class="me">${seat && html`<span class="muted">${t("table.you")}</span> <strong>${seat}</strong>`} <span class=${role === "player" ? "player" : ""}>${badge(roleName(role))}</span></p>
      <details class="topmenu" open=${columns.value > 1}><summary>${icon("more")}<span class="hidden">${t("table.menu")}</span></summary>
        <div class="viewlinks"><${ViewSwitch} /><${Languages} /><${SoundSwitch} /><${ThemeSwitch} /></div></details>
    </header>`;
}

/** The connection notice; empty while connected. */
function Connection() {
  const count = pending.value.size;
  const lost = connection.value !== "open";
  return html`
    <div role="status" class=${lost || isLate.value ? "connection lost" : "connection"}>
      ${lost ? html`<p>⚡ ${t("table.lost")}${count ? ` ${tn("table.unsent", count)}` : ""}</p>`
        : isLate.value && html`<p>⏳ ${tn("table.late", count)}</p>`}
    </div>`;
}
