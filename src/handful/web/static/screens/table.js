// The table: what may be done at the left, what happens in the middle, who is there at the right.
// A narrow screen shows one of the three at a time.

import { html, signal, useEffect, useRef, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { begin } from "../app/persist.js";
import { connect } from "../app/socket.js";
import { connection, game, isShared, late, may, pending, seatPath, shownAs, shownPart, view } from "../app/state.js";
import { t, tn } from "../app/i18n.js";
import { follow } from "../ui/focus.js";
import { oddsOf } from "../odds/link.js";
import { roleName, say } from "../app/format.js";
import { Lost } from "./lost.js";
import { Announcer } from "../table/announcer.js";
import { ActPanel } from "../table/actionPanel.js";
import { FaultAt } from "../ui/error.js";
import { Feed } from "../table/feed.js";
import { FightBar } from "../fight/bar.js";
import { Languages } from "../ui/languages.js";
import { badge } from "../ui/button.js";
import { SidePanel } from "../table/sidePanel.js";
import { Views } from "../table/viewSwitch.js";
import { moments, ownTurns } from "../fight/state.js";
import { Windows } from "../table/dialogs.js";
import { waitingCount } from "../app/inbox.js";

const PARTS = ["act", "feed", "side"];

/** How many parts have room beside each other; a rule of style would not know how large the letters are. */
function room() {
  const wide = innerWidth / parseFloat(getComputedStyle(document.documentElement).fontSize);
  return wide >= 75 ? 3 : wide >= 52 ? 2 : 1;
}
const columns = signal(room());

/** Each other way to show the table is fetched when it is wanted. */
const OTHERS = {
  big: () => import("./bigScreen.js").then((one) => one.BigScreen),
  middle: () => import("./tablet.js").then((one) => one.Middle),
};

export function TableScreen({ table }) {
  const [problem, setProblem] = useState(null);
  const [fetched, setFetched] = useState({});
  useEffect(() => {
    connect(table);
    new ResizeObserver(() => { columns.value = room(); }).observe(document.body);
  }, []);
  const rules = view.value?.game.hash; // others from one moment to the next, if the GM changes them
  useEffect(() => {
    if (rules) ask(seatPath("game")).then((found) => { begin(found.hash); game.value = found; }, setProblem);
  }, [rules]);
  useEffect(() => {
    const name = shownAs.value;
    if (OTHERS[name]) OTHERS[name]().then((Part) => setFetched((had) => ({ ...had, [name]: Part })));
  }, [shownAs.value]);
  if (connection.value === "gone") return html`<${Lost} />`;
  if (problem) return html`<main class="page narrow"><p role="alert">${problem.message}</p></main>`;
  if (!view.value || !game.value) return html`<main class="page narrow">
    <p role="status">${t(connection.value === "lost" ? "table.away" : "table.opening")}</p></main>`;
  document.title = `${tableTitle()} · ${t("name")}`;
  const Shown = shownAs.value === "table" ? Columns : fetched[shownAs.value];
  return html`
    <div class=${`table as-${shownAs.value}`} data-part=${shownPart.value} data-columns=${columns.value}>
      ${shownAs.value === "table" && html`<${Skip} />`}
      <${Top} />
      <${Connection} />
      <${FaultAt} place="table" />
      ${Shown && html`<${Shown} />`}
      ${!isShared.value && html`<${Announcer} />`}
    </div>`;
}

/** The usual view. */
function Columns() {
  const before = useRef(shownPart.value);
  useEffect(() => {
    if (before.current !== shownPart.value) follow(shownPart.value);
    before.current = shownPart.value;
  }, [shownPart.value]);
  return html`
    <${FightBar} />
    <main class="columns">
      <section class="part act" id="act" tabindex="-1" aria-label=${t("part.act")}>
        <h2 class="hidden">${t("part.act")}</h2><${ActPanel} /></section>
      <section class="part feed" id="feed" tabindex="-1" aria-label=${t("part.feed")}><${Feed} /></section>
      <section class="part side" id="side" tabindex="-1" aria-label=${t("part.side")}>
        <h2 class="hidden">${t("part.side")}</h2><${SidePanel} /></section>
    </main>
    <${Switch} />
    <${Windows} />`;
}

/** Past the head, for the keyboard: shown while it has the focus. */
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
      <p>${say(game.value.title)} <a class="small" href=${oddsOf(game.value.id)} target="_blank" rel="noopener">${t("odds.title")}</a></p>
      <p class="me">${seat && html`<span class="muted">${t("table.you")}</span> <strong>${seat}</strong>`} ${badge(roleName(role))}</p>
      <span class="viewlinks"><${Views} /><${Languages} /></span>
    </header>`;
}

/** Nothing to see while all is well. */
function Connection() {
  const count = pending.value.size;
  const lost = connection.value !== "open";
  return html`
    <div role="status" class=${lost || late.value ? "connection lost" : "connection"}>
      ${lost ? html`<p>⚡ ${t("table.lost")}${count ? ` ${tn("table.unsent", count)}` : ""}</p>`
        : late.value && html`<p>⏳ ${tn("table.late", count)}</p>`}
    </div>`;
}

/** At the foot of a narrow screen. */
function Switch() {
  const waiting = { act: ownTurns.value.length, feed: waitingCount.value + moments.value.length };
  return html`
    <nav class="switch" aria-label=${t("table.parts")}>
      ${PARTS.filter((part) => part !== "act" || may("declare")).map((part) => html`
        <button type="button" key=${part} aria-current=${shownPart.value === part ? "page" : null}
          onClick=${() => { shownPart.value = part; scrollTo(0, 0); }}>
          ${t(`part.${part}`)}${waiting[part] ? html` <span class="count">${waiting[part]}</span>`
            : ""}</button>`)}
    </nav>`;
}
