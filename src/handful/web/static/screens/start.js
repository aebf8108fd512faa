// The start page: what this is in one sentence, my tables, and the games to try or to open a table with.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { feltOf } from "../app/felt.js";
import { formatNumber, localize, percent, fractionToNumber } from "../app/format.js";
import { t } from "../app/i18n.js";
import { oddsOf } from "../odds/link.js";
import { Dialog } from "../ui/dialog.js";
import { ExampleDice } from "../ui/exampleDice.js";
import { Fault } from "../ui/fault.js";
import { icon } from "../ui/icons.js";
import { HomeLink } from "../ui/homeLink.js";
import { Languages } from "../ui/languages.js";
import { ThemeSwitch } from "../ui/themeSwitch.js";
import { MyTables } from "./myTables.js";
import { NewTable, goToTable } from "./newTable.js";
import { Recover } from "./recover.js";

export function StartScreen() {
  const [games, setGames] = useState(null);
  const [problem, setProblem] = useState(null);
  const [chosen, setChosen] = useState(null); // the game of a new table
  const [busy, setBusy] = useState(false);
  const [recovering, setRecovering] = useState(location.hash === "#recover");
  useEffect(() => { ask("/api/games").then(setGames, setProblem); }, []);

  async function open(wanted) {
    setBusy(true);
    try {
      const made = await ask("/api/tables", wanted);
      if (wanted.demo) location.assign(made.links[wanted.gm]);
      else goToTable(made, wanted.gm);
    } catch (error) {
      setProblem(error);
      setChosen(null);
      setBusy(false);
    }
  }
  const demo = (game) => open({ game: game.id, title: t("start.demo_title", { game: localize(game.title) }),
    gm: t("start.demo_gm"), players: [t("start.demo_one"), t("start.demo_two")], watchers: true, demo: true, join: true });

  const featured = games?.findLast((one) => one.dice && one.glance) ?? games?.[0];
  return html`
    <main class="page start">
      <header class="row between centre"><${HomeLink} />
        <nav class="row centre" aria-label=${t("start.pages")}>
          <a class="button ghost wide-only" href="/odds">${t("odds.title")}</a>
          <a class="button ghost wide-only" href="/edit">${t("start.own_do")}</a>
          <${Languages} /><${ThemeSwitch} /></nav></header>
      <section class="welcome">
        <div class="stack loose">
          <h1>${t("start.hello")}</h1>
          <p>${t("start.what")}</p>
          <div class="row wrap">
            <button type="button" class="primary big" disabled=${busy || !games?.length} onClick=${() => demo(featured)}>${t("start.try_now")}</button>
            <a class="button big" href="#pick">${t("start.open")}</a></div>
          <p class="small">${t("start.foot")}</p>
        </div>
        <${Featured} game=${featured} />
      </section>
      <${Fault} problem=${problem} onClose=${() => setProblem(null)} />
      <${MyTables} />
      <section class="stack" aria-labelledby="pick">
        <div class="row between wrap"><h2 id="pick">${t("start.pick")}</h2>
          <a class="small" href="/edit">${t("start.own_why")}</a></div>
        ${!games && !problem && html`<p role="status">${t("start.loading")}</p>`}
        <ul class="games">${(games ?? []).map((game) => html`
          <${Game} key=${game.id} game=${game} busy=${busy} demo=${() => demo(game)} open=${() => setChosen(game)} />`)}</ul>
      </section>
      <footer class="facts">
        <div><h3>${t("start.fact_odds")}</h3><p class="small muted">${t("start.fact_odds_why")} <a href="/odds">${t("odds.explore")}</a></p></div>
        <div><h3>${t("start.fact_check")}</h3><p class="small muted">${t("start.fact_check_why")}</p></div>
        <div><h3>${t("start.fact_lost")}</h3><p class="small muted">${t("start.fact_lost_why")}</p>
          <button type="button" class="ghost" onClick=${() => setRecovering(true)}>${t("recover.have")}</button></div>
      </footer>
      ${chosen && html`<${Dialog} title=${t("start.new", { game: localize(chosen.title) })} close=${() => setChosen(null)} kind="short">
        <${NewTable} game=${chosen} open=${open} /><//>`}
      ${recovering && html`<${Recover} close=${() => setRecovering(false)} />`}
    </main>`;
}

/** A throw of one of the games, large, with its chance; the place is kept while the games load. */
function Featured({ game }) {
  const [thrown, setThrown] = useState(null);
  const [count, setCount] = useState(0);
  const again = () => ask(`/api/games/${game.id}/throw`, {}).then((made) => { setThrown(made); setCount(count + 1); }, () => {});
  const { dice, outcome } = thrown ?? game ?? {};
  return html`
    <div class="tray" style=${feltOf(game?.id)}>
      ${dice && html`<b>${localize(game.title)}</b>
        <div key=${count} class=${count ? "falling" : ""}><${ExampleDice} dice=${dice} /></div>
        <div class="row between wrap centre"><p role="status">${outcomeText(outcome)}</p>
          <button type="button" class="on-felt" onClick=${again}>${icon("again")} ${t("start.again")}</button></div>
        <${Chance} glance=${game.glance} />`}
    </div>`;
}

/** "Success: 2 successes" */
const outcomeText = ({ success, value, of }) => [success === true ? t("success") : success === false ? t("failure") : "",
  `${formatNumber(value)} ${localize(of)}`].filter(Boolean).join(": ");

function Game({ game, busy, demo, open }) {
  const title = localize(game.title);
  return html`
    <li class="game" style=${feltOf(game.id)}>
      <div class="tray"><h3>${title}</h3>${game.dice && html`<${ExampleDice} dice=${game.dice} />`}</div>
      <div class="inside">
        <p>${localize(game.about)}</p>
        <${Chance} glance=${game.glance} />
        <div class="row wrap">
          <button type="button" class="grow" disabled=${busy} onClick=${demo} aria-label=${t("start.demo_what", { what: title })}>${t("start.demo")}</button>
          <button type="button" class="grow" disabled=${busy} onClick=${open} aria-label=${t("start.open_what", { what: title })}>${t("start.open")}</button>
        </div>
        <a class="small" href=${oddsOf(game.id)}>${t("start.odds_of", { what: title })}</a>
      </div>
    </li>`;
}

/** The chance of the example throw: the game's first check with as many dice. */
function Chance({ glance }) {
  if (!glance) return null;
  const [value, chance] = glance.chances.find(([one]) => one === glance.example) ?? glance.chances[0];
  return html`
    <div class="stack tight">
      <div class="row between small"><span class="muted">${t("start.chance",
        { what: `${localize(glance.of)} ${value}`, goal: localize(glance.against) })}</span><b class="num">${percent(chance)}</b></div>
      <div class="bar" style=${`--at:${100 * fractionToNumber(chance)}`}><i></i></div>
    </div>`;
}
