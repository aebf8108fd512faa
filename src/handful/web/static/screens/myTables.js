// My tables: where this browser has a seat, who is there now, and which seats are gone.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { feltOf } from "../app/felt.js";
import { localize } from "../app/format.js";
import { LANGUAGE, t, tn } from "../app/i18n.js";
import { forgetVisit, visits } from "../app/myTables.js";

const DAY = 24 * 3600 * 1000;
const SHOWN = 6;

/** A day in words: today, yesterday, 3 days ago. @param {number} at @param {number} now */
export function dayText(at, now = Date.now()) {
  const start = (time) => new Date(time).setHours(0, 0, 0, 0);
  const days = Math.round((start(now) - start(at)) / DAY);
  if (days > 20) return new Date(at).toLocaleDateString(LANGUAGE, { day: "numeric", month: "long", year: "numeric" });
  return new Intl.RelativeTimeFormat(LANGUAGE, { numeric: "auto" }).format(-days, "day");
}

export function MyTables() {
  const [all, setAll] = useState(visits);
  const [now, setNow] = useState({}); // place -> summary, or "gone"
  const [more, setMore] = useState(false);
  const shown = more ? all : all.slice(0, SHOWN);
  useEffect(() => {
    for (const { place } of shown) {
      if (now[place]) continue;
      ask(`/api/tables/${place}/summary`).then(
        (found) => setNow((had) => ({ ...had, [place]: found })),
        (problem) => problem.code === "forbidden" && setNow((had) => ({ ...had, [place]: "gone" })));
    }
  }, [shown.length]);
  if (!all.length) return null;
  const forget = (place) => {
    forgetVisit(place);
    setAll(visits());
  };
  return html`
    <section class="stack" aria-labelledby="mine">
      <h2 id="mine">${t("mine.title")}</h2>
      <ul class="mine">${shown.map((one) => html`<${Mine} key=${one.place} visit=${one} now=${now[one.place]} forget=${forget} />`)}</ul>
      ${!more && all.length > SHOWN && html`<div class="row"><button type="button" class="ghost"
        onClick=${() => setMore(true)}>${t("mine.more", { n: all.length - SHOWN })}</button></div>`}
    </section>`;
}

function Mine({ visit, now, forget }) {
  const gone = now === "gone";
  const others = Array.isArray(now?.here) ? now.here.filter((name) => name !== visit.seat) : [];
  const you = t(visit.role === "gm" ? "mine.gm" : visit.role === "watcher" ? "mine.watcher" : "mine.player", { who: visit.seat });
  return html`
    <li style=${feltOf(visit.game?.id)}>
      <span class="swatch" aria-hidden="true"></span>
      <div>
        <b>${now?.table || visit.table}</b>
        <p class="small muted">${[localize(visit.game?.title), you, t("mine.last", { when: dayText(visit.at) })].filter(Boolean).join(" · ")}</p>
        ${others.length > 0 && html`<p class="small here">${tn("mine.here", others.length, { who: others.join(", ") })}</p>`}
        ${gone && html`<p class="small">${t("mine.gone")}</p>`}
      </div>
      ${gone
        ? html`<button type="button" onClick=${() => forget(visit.place)} aria-label=${t("mine.forget_what", { what: visit.table })}>${t("mine.forget")}</button>`
        : html`<a class="button" href=${`/t/${visit.place}`} aria-label=${t("mine.sit_at", { what: visit.table })}>${t("mine.sit")}</a>`}
    </li>`;
}
