// The table screen: actions on the left, feed in the middle, side panel on the right.
// A narrow screen shows one of the three at a time.

import { html, signal, useEffect, useRef, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { restore } from "../app/persist.js";
import { connect } from "../app/socket.js";
import { connection, game, isShared, isLate, may, pending, seatPath, currentView, shownPart, view } from "../app/state.js";
import { t, tn } from "../app/i18n.js";
import { moveFocus } from "../ui/focus.js";
import { oddsOf } from "../odds/link.js";
import { roleName, localize } from "../app/format.js";
import { LostScreen } from "./lost.js";
import { Announcer } from "../table/announcer.js";
import { ActionPanel } from "../table/actionPanel.js";
import { FaultAt } from "../ui/fault.js";
import { Feed } from "../table/feed.js";
import { FightBar } from "../fight/bar.js";
import { Languages } from "../ui/languages.js";
import { badge } from "../ui/button.js";
import { SidePanel } from "../table/sidePanel.js";
import { ViewSwitch } from "../table/viewSwitch.js";
import { reactions, ownTurns } from "../fight/state.js";
import { Dialogs } from "../table/dialogs.js";
import { inboxCount } from "../app/inbox.js";

const PARTS = ["act", "feed", "side"];

/** Number of columns that fit, measured in characters, which a media query cannot do. */
function room() {
  const wide = innerWidth / parseFloat(getComputedStyle(document.documentElement).fontSize);
  return wide >= 75 ? 3 : wide >= 52 ? 2 : 1;
}
const columns = signal(room());

/** The other views are loaded on demand. */
const OTHERS = {
  big: () => import("./bigScreen.js").then((one) => one.BigScreen),
  middle: () => import("./tablet.js").then((one) => one.TabletScreen),
};

export function TableScreen({ table }) {
  const [problem, setProblem] = useState(null);
  const [fetched, setFetched] = useState({});
  useEffect(() => {
    connect(table);
    new ResizeObserver(() => { columns.value = room(); }).observe(document.body);
  }, []);
  const rules = view.value?.game.hash; // changes when the GM changes the rules
  useEffect(() => {
    if (rules) ask(seatPath("game")).then((found) => { restore(found.hash); game.value = found; }, setProblem);
  }, [rules]);
  useEffect(() => {
    const name = currentView.value;
    if (OTHERS[name]) OTHERS[name]().then((Part) => setFetched((had) => ({ ...had, [name]: Part })));
  }, [currentView.value]);
  if (connection.value === "gone") return html`<${LostScreen} />`;
  if (problem) return html`<main class="page narrow"><p role="alert">${problem.message}</p></main>`;
  if (!view.value || !game.value) return html`<main class="page narrow">
    <p role="status">${t(connection.value === "lost" ? "table.away" : "table.opening")}</p></main>`;
  document.title = `${tableTitle()} · ${t("name")}`;
  const Shown = currentView.value === "table" ? Columns : fetched[currentView.value];
  return html`
    <div class=${`table as-${currentView.value}`} data-part=${shownPart.value} data-columns=${columns.value}>
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
  return html`
    <${FightBar} />
    <main class="columns">
      <section class="part act" id="act" tabindex="-1" aria-label=${t("part.act")}>
        <h2 class="hidden">${t("part.act")}</h2><${ActionPanel} /></section>
      <section class="part feed" id="feed" tabindex="-1" aria-label=${t("part.feed")}><${Feed} /></section>
      <section class="part side" id="side" tabindex="-1" aria-label=${t("part.side")}>
        <h2 class="hidden">${t("part.side")}</h2><${SidePanel} /></section>
    </main>
    <${Switch} />
    <${Dialogs} />`;
}

/** A skip link past the header, visible while focused. */
function Skip() {
  const go = (event) => {
    event.preventDefault();
    shownPart.value = "feed";
    setTimeout(() => document.getElementById("feed").focus());
  };
  return html`<a class="skip button" href="#feed" onClick=${go}>${t("table.skip")}</a>`;
}

export const tableTitle = () => view.value.table;

function Top() {
  const { seat, role } = view.value;
  return html`
    <header class="top">
      <h1>${tableTitle()}</h1>
      <p>${localize(game.value.title)} <a class="small" href=${oddsOf(game.value.id)} target="_blank" rel="noopener">${t("odds.title")}</a></p>
      <p class="me">${seat && html`<span class="muted">${t("table.you")}</span> <strong>${seat}</strong>`} ${badge(roleName(role))}</p>
      <span class="viewlinks"><${ViewSwitch} /><${Languages} /></span>
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

/** Navigation at the bottom of a narrow screen. */
function Switch() {
  const waiting = { act: ownTurns.value.length, feed: inboxCount.value + reactions.value.length };
  return html`
    <nav class="switch" aria-label=${t("table.parts")}>
      ${PARTS.filter((part) => part !== "act" || may("declare")).map((part) => html`
        <button type="button" key=${part} aria-current=${shownPart.value === part ? "page" : null}
          onClick=${() => { shownPart.value = part; scrollTo(0, 0); }}>
          ${t(`part.${part}`)}${waiting[part] ? html` <span class="count">${waiting[part]}</span>`
            : ""}</button>`)}
    </nav>`;
}
