// The start page: pick a game, try a demo table, or open one and send the links.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { t } from "../app/i18n.js";
import { oddsOf } from "../odds/link.js";
import { localize } from "../app/format.js";
import { Fault } from "../ui/fault.js";
import { Glance } from "../odds/glance.js";
import { Languages } from "../ui/languages.js";
import { Links } from "../table/links.js";
import { Text } from "../ui/textField.js";

export function StartScreen() {
  const [games, setGames] = useState(null);
  const [problem, setProblem] = useState(null);
  const [chosen, setChosen] = useState(null);
  const [opened, setOpened] = useState(null);
  useEffect(() => { ask("/api/games").then(setGames, setProblem); }, []);

  async function open(wanted) {
    try {
      const made = await ask("/api/tables", wanted);
      if (wanted.demo) location.assign(made.links[wanted.gm]);
      else setOpened({ ...made, gm: wanted.gm });
    } catch (error) {
      setProblem(error);
    }
  }
  const demo = (game) => open({ game: game.id, title: t("start.demo_title", { game: localize(game.title) }),
    gm: t("start.demo_gm"), players: [t("start.demo_one"), t("start.demo_two")], watchers: true, demo: true });

  if (opened) return html`<${Opened} opened=${opened} />`;
  return html`
    <main class="page">
      <header class="hero"><div class="row between"><h1>${t("name")}</h1><span><${Languages} /></span></div>
        <p>${t("start.hello")}</p>
        <p><a href="/odds">${t("odds.explore")}</a></p></header>
      <${Fault} problem=${problem} onClose=${() => setProblem(null)} />
      ${!games && !problem && html`<p role="status">${t("start.loading")}</p>`}
      ${chosen
        ? html`<${NewTable} game=${chosen} open=${open} back=${() => setChosen(null)} />`
        : html`<ul class="games">${(games ?? []).map((game) => html`
            <li key=${game.id} class="game">
              <h2>${localize(game.title)}</h2>
              <p>${localize(game.about)}</p>
              <${Glance} glance=${game.glance} />
              <div class="row wrap">
                <button type="button" class="primary" onClick=${() => demo(game)}>${t("start.demo")}</button>
                <button type="button" onClick=${() => setChosen(game)}>${t("start.open")}</button>
                <a class="button ghost" href=${oddsOf(game.id)}>${t("odds.title")}</a>
              </div>
            </li>`)}</ul>`}
      ${!chosen && html`<section class="game own"><h2>${t("start.own")}</h2><p>${t("start.own_why")}</p>
        <div class="row"><a class="button" href="/edit">${t("start.own_do")}</a></div></section>`}
      <footer class="small muted"><p>${t("start.foot")}</p></footer>
    </main>`;
}

export function NewTable({ game, open, back }) {
  const [title, setTitle] = useState(t("start.usual_title"));
  const [gm, setGM] = useState("");
  const [players, setPlayers] = useState("");
  const names = players.split(/[,\n]/).map((one) => one.trim()).filter(Boolean);
  const send = (event) => {
    event.preventDefault();
    open({ game: game.id, title: title.trim(), gm: gm.trim(), players: [...new Set(names)], watchers: true });
  };
  return html`
    <form class="stack narrow" onSubmit=${send}>
      <h2>${t("start.new", { game: localize(game.title) })}</h2>
      <${Text} label=${t("start.title")} value=${title} set=${setTitle} required maxlength="60" />
      <${Text} label=${t("start.gm")} value=${gm} set=${setGM} required maxlength="60" autofocus
        autocomplete="nickname" />
      <${Text} label=${t("start.players")} value=${players} set=${setPlayers} hint=${t("start.players_hint")}
        placeholder=${t("start.players_example")} />
      <div class="row"><button class="primary">${t("start.make")}</button>
        <button type="button" onClick=${back}>${t("back")}</button></div>
    </form>`;
}

export function Opened({ opened }) {
  const seats = Object.entries(opened.links).filter(([seat]) => seat !== opened.gm)
    .map(([seat, link]) => ({ title: seat || t("links.watchers"), link }));
  return html`
    <main class="page narrow stack">
      <h1>${t("opened.title")}</h1>
      <p>${t("opened.once")}</p>
      <${Links} links=${[{ title: t("opened.yours", { name: opened.gm }), link: opened.links[opened.gm] }, ...seats]} />
      <a class="button primary" href=${opened.links[opened.gm]}>${t("opened.sit")}</a>
    </main>`;
}
