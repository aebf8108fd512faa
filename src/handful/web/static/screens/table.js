// The table: what may be done at the left, what happens in the middle, who is there at the right.
// A narrow screen shows one of the three at a time.

import { html, useEffect, useState } from "../lib.js";
import { ask } from "../api.js";
import { connect } from "../wire.js";
import { connection, game, late, may, pending, seatPath, shownPart, view } from "../state.js";
import { t, tn } from "../texts.js";
import { oddsOf } from "../oddslink.js";
import { say } from "../words.js";
import { Lost } from "./lost.js";
import { Announcer } from "../parts/announcer.js";
import { ActPanel } from "../parts/actpanel.js";
import { FaultAt } from "../parts/fault.js";
import { Feed } from "../parts/feed.js";
import { FightBar } from "../parts/fight/bar.js";
import { Languages } from "../parts/language.js";
import { badge } from "../parts/press.js";
import { SidePanel } from "../parts/sidepanel.js";
import { moments, ownTurns } from "../fight.js";
import { Windows } from "../parts/windows.js";
import { waitingCount } from "../waiting.js";

const PARTS = ["act", "feed", "side"];

export function TableScreen({ table }) {
  const [problem, setProblem] = useState(null);
  useEffect(() => { connect(table); }, []);
  const rules = view.value?.game.hash; // others from one moment to the next, if the GM changes them
  useEffect(() => {
    if (rules) ask(seatPath("game")).then((found) => { game.value = found; }, setProblem);
  }, [rules]);
  if (connection.value === "gone") return html`<${Lost} />`;
  if (problem) return html`<main class="page narrow"><p role="alert">${problem.message}</p></main>`;
  if (!view.value || !game.value) return html`<main class="page narrow">
    <p role="status">${t(connection.value === "lost" ? "table.away" : "table.opening")}</p></main>`;
  document.title = `${tableTitle()} · ${t("name")}`;
  return html`
    <div class="table" data-part=${shownPart.value}>
      <${Top} />
      <${Connection} />
      <${FaultAt} place="table" />
      <${FightBar} />
      <main class="columns">
        <section class="part act" aria-label=${t("part.act")}><${ActPanel} /></section>
        <section class="part feed" aria-label=${t("part.feed")}><${Feed} /></section>
        <section class="part side" aria-label=${t("part.side")}><${SidePanel} /></section>
      </main>
      <${Switch} />
      <${Windows} />
      <${Announcer} />
    </div>`;
}

export const tableTitle = () => view.value.table;

function Top() {
  const { seat, role } = view.value;
  return html`
    <header class="top">
      <h1>${tableTitle()}</h1>
      <p>${say(game.value.title)} <a class="small" href=${oddsOf(game.value.id)} target="_blank" rel="noopener">${t("odds.title")}</a></p>
      <p class="me"><span class="muted">${t("table.you")}</span> <strong>${seat}</strong> ${badge(t(`role.${role}`))}</p>
      <${Languages} />
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
