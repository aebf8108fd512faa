// Components, rendered from props without a browser, in both languages.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { LANGUAGES, load, render } from "./support/page.js";
import { GAME, VIEW } from "./support/games.js";

/** The words of HTML, as a screen shows them. */
const words = (html) => html.replaceAll(/<(style|svg)[\s\S]*?<\/\1>/g, "").replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ").trim();
const labels = (html) => [...html.matchAll(/aria-label="([^"]*)"/g)].map(([, one]) => one);

const DICE = [
  { face: 6, role: "wild", number: 1, side: 0, sides: 6, counts: "hit", physical: false },
  { face: 5, role: "regular", number: 2, side: 0, sides: 6, counts: "hit", physical: true, by: "ann" },
  { face: 2, role: "regular", number: 3, side: 0, sides: 6, counts: "none", physical: false },
  { face: 4, role: "reroll", of: 3, number: 4, side: 0, sides: 6, counts: "none", physical: false },
];
const ROLL = {
  roll: "ann/1", roller: "ann", phase: "finalised", commitment: "00", label: "1", title: "over the roof", modes: ["public"], hidden: [],
  asked: { check: "direct", sides: [], parameters: { attribute: 3, difficulty: "hard" }, options: {} },
  dice: DICE, key: "", judged: [], notes: [], question: null, decisions: [], main: "hits", modifiers: [], events: [],
  outcome: { hits: 2, success: false, margin: -1 }, as: ["ann/Mira"],
};

for (const language of LANGUAGES) {
  const state = await load("app/state.js", language);
  const { t } = await load("app/i18n.js", language);
  const { Dice } = await load("ui/dice.js", language);
  const { Outcome } = await load("table/outcome.js", language);
  const { RollCard } = await load("table/rollCard.js", language);
  const { ContestCard } = await load("table/contestCard.js", language);
  const { Fault } = await load("ui/fault.js", language);
  const draw = (Component, props) => render(Component, props, language);
  const set = (more = {}) => { state.view.value = { ...VIEW, rolls: [ROLL], ...more }; };

  beforeEach(() => {
    state.game.value = GAME;
    set();
  });

  test(`${language}: every die says its face, its role and how it counts`, async () => {
    const html = await draw(Dice, { dice: DICE, sides: 6 });
    const said = labels(html);
    assert.equal(said.length, DICE.length);
    for (const [at, die] of DICE.entries()) assert.ok(said[at].includes(String(die.face)), `${said[at]} lacks ${die.face}`);
    assert.ok(said[1].includes("ann"), "whose hand threw it");
    assert.match(html, /class="die wild hit/);
    assert.match(html, /class="die[^"]*\bold\b/, "the old face stands beside the new one");
  });

  test(`${language}: a die that may not be chosen says why`, async () => {
    const choosing = { face: new Map(), chosen: new Set([2]), flip() {}, lockedBecause: (number) => (number === 1 ? "because" : "") };
    const html = await draw(Dice, { dice: DICE.slice(0, 3), sides: 6, choosing });
    assert.ok(labels(html)[0].endsWith(": because"));
    assert.equal(html.match(/aria-pressed="true"/g).length, 1);
    assert.equal(html.match(/aria-pressed="false"/g).length, 1);
  });

  test(`${language}: an outcome is a word, a number and what is missing`, async () => {
    const failed = words(await draw(Outcome, { roll: ROLL }));
    assert.ok(failed.includes(t("failure")), failed);
    assert.ok(failed.includes({ en: "2 hits", de: "2 Treffer" }[language]), failed);
    assert.ok(failed.includes(t("roll.short", { n: "1" })), failed);
    const won = words(await draw(Outcome, { roll: { ...ROLL, outcome: { hits: 3, success: true, margin: 0 } } }));
    assert.ok(won.includes(t("success")), won);
  });

  test(`${language}: only what the game calls critical takes the whole band`, async () => {
    const tied = await draw(Outcome, { roll: { ...ROLL, events: [{ event: "tie" }] } });
    assert.match(words(tied), /\btie\b/);
    assert.doesNotMatch(tied, /\bmoment\b/);
    const fumbled = await draw(Outcome, { roll: { ...ROLL, events: [{ event: "fumble" }, { event: "tie" }] } });
    assert.match(fumbled, /class="outcome bad moment/);
    assert.match(fumbled, /class="event">.*fumble/);
    assert.match(fumbled, /class="reason">tie/);
  });

  test(`${language}: a card says who rolled what, against what, and its label`, async () => {
    const html = await draw(RollCard, { roll: ROLL });
    const said = words(html);
    for (const part of ["Mira", "over the roof", "#1", { en: "Hard (3 hits)", de: "Schwer (3 Treffer)" }[language]]) {
      assert.ok(said.includes(part), `${part} is not in: ${said}`);
    }
    assert.match(html, /id="card-ann\/1"/);
  });

  test(`${language}: names and titles are text, never markup`, async () => {
    const html = await draw(RollCard, { roll: { ...ROLL, title: "<img src=x onerror=alert(1)>" } });
    assert.ok(!html.includes("<img"));
    assert.ok(html.includes("&lt;img"));
  });

  test(`${language}: somebody's hidden roll says that it exists and nothing else`, async () => {
    const hidden = { roll: "gm/7", roller: "gm", phase: "rolling", commitment: "00", label: "k3" };
    set({ rolls: [hidden] });
    const said = words(await draw(RollCard, { roll: hidden }));
    assert.ok(said.includes("gm"), said);
    assert.ok(!/\d hits|Treffer|undefined|null/.test(said), said);
  });

  test(`${language}: a contest is one card with its sides and whom it waits for`, async () => {
    const other = { ...ROLL, roll: "bob/1", roller: "bob", as: [], label: "2", phase: "declared", outcome: null, dice: [] };
    const contest = {
      contest: "gm/9", check: "contest", parameters: {}, hidden: [], together: true, waits_for: ["bob"], result: "",
      sides: [{ name: "ann", roll: "ann/1", phase: "finalised" }, { name: "bob", roll: "bob/1", phase: "declared" }],
    };
    set({ rolls: [ROLL, other], contests: [contest] });
    const html = await draw(ContestCard, { contest }), said = words(html);
    for (const part of [{ en: "Contest", de: "Vergleich" }[language], "ann", "bob"]) assert.ok(said.includes(part), `${part}: ${said}`);
    assert.equal(html.match(/<article[^>]*\bcontest\b/g).length, 1);
    assert.ok(!/undefined|\[object/.test(said), said);
  });

  test(`${language}: a refusal is an alert with its hint`, async () => {
    const html = await draw(Fault, { problem: { message: "no", hint: "yes" } });
    assert.match(html, /role="alert"/);
    assert.ok(words(html).includes("no") && words(html).includes("yes"));
    assert.equal(await draw(Fault, { problem: null }), "");
  });
}
