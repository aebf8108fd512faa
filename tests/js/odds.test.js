// The odds page: series, and the link that carries them.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LANGUAGES, load } from "./support/page.js";
import { GAME } from "./support/games.js";

for (const language of LANGUAGES) await (await load("app/i18n.js", language)).loadTexts("odds");
const { decodeState, encodeState } = await load("odds/urlState.js");
const { missingParameter, newSeries, title, toQuery, withCheck } = await load("odds/series.js");

const stateWith = (more) => ({
  tab: "odds", curve: "exactly", active: 0, series: [], sweep: {}, find: {}, before: {}, after: {}, claims: "", ...more,
});
const withoutIds = (state) => ({ ...state, series: state.series.map(({ id: _, fresh: __, ...one }) => one) });

test("a link brings back the state that it was made from", () => {
  const first = newSeries(GAME), second = { ...newSeries(GAME, "contest"), options: { wild: true }, policy: "best" };
  for (const state of [
    stateWith({ series: [first] }),
    stateWith({ tab: "table", curve: "at_least", active: 1, series: [first, second], sweep: { down: "attribute", range: "1..8" } }),
    stateWith({ tab: "diff", series: [first], before: { game: "toy" }, after: { game: "toy", options: { wild: true } } }),
    stateWith({ tab: "claims", series: [first], claims: "toy", find: { of: "attribute", chance: "80%" } }),
    stateWith({ series: [{ ...first, whole: { attribute: "3/2 & <odd> #?%", difficulty: "hard" } }] }),
  ]) {
    const found = decodeState(encodeState(state));
    assert.equal(found.problem, null);
    assert.deepEqual(withoutIds(found.state), withoutIds(state));
  }
});

test("a page without a link begins anew", () => {
  assert.deepEqual(decodeState(""), { problem: null, state: null });
});

test("a broken link is a problem in words and never an exception", () => {
  const good = encodeState(stateWith({ series: [newSeries(GAME)] }));
  const broken = ["#%", "#{", "#[]", "#null", "#1", `#${encodeURIComponent('{"v":99}')}`,
    `#${encodeURIComponent(JSON.stringify({ v: 1, s: Array.from({ length: 50 }, () => ({ g: "toy" })) }))}`];
  for (let at = 2; at < good.length; at += 1) broken.push(good.slice(0, at));
  for (const one of broken) {
    const found = decodeState(one);
    assert.ok(found.problem || found.state, one);
    if (found.problem) assert.ok(found.problem.message && found.problem.hint, one);
  }
  assert.ok(decodeState("#{").problem);
});

test("a new series can be computed at once", () => {
  for (const check of GAME.checks) {
    const made = newSeries(GAME, check.name);
    assert.equal(missingParameter(GAME, made), undefined, check.name);
    assert.equal(made.sides.length, check.sides ? 2 : 0);
  }
});

test("a query has numbers for digits, and each side apart", () => {
  const made = { ...newSeries(GAME, "contest"), whole: { stakes: "2" }, sides: [{ attribute: "4" }, { attribute: "2D" }] };
  assert.deepEqual(toQuery(made), { check: "contest", parameters: { stakes: 2 }, sides: [{ attribute: 4 }, { attribute: "2D" }], options: {} });
});

test("another check keeps shared values, house rules and the policy", () => {
  const made = { ...newSeries(GAME), whole: { attribute: "7", difficulty: "hard" }, options: { wild: true }, policy: "best" };
  const contest = withCheck(GAME, made, "contest");
  assert.equal(contest.sides[0].attribute, "7");
  assert.deepEqual([contest.id, contest.options, contest.policy], [made.id, { wild: true }, "best"]);
});

for (const language of LANGUAGES) {
  test(`${language}: a series is named as a reader would say it`, async () => {
    const words = await load("odds/series.js", language);
    const made = { ...words.newSeries(GAME), whole: { attribute: "4", difficulty: "hard" }, options: { wild: true } };
    const said = words.title(GAME, made);
    assert.ok(said.startsWith({ en: "Toy game, Direct check: Attribute 4", de: "Spielzeug, Einfache Probe: Attribut 4" }[language]), said);
    assert.ok(said.includes({ en: "Hard (3 hits)", de: "Schwer (3 Treffer)" }[language]), said);
    assert.ok(said.includes({ en: "Wild dice: yes", de: "Joker: ja" }[language]), said);
  });
}

test("a series without values is still named", () => {
  assert.match(title(GAME, { ...newSeries(GAME), whole: {} }), /^Toy game, Direct check: –$/);
});

const { variations, chanceOf } = await load("odds/whatIf.js");

test("what if: one step more and one less of what is filled in, and the difficulties beside", () => {
  const made = { ...newSeries(GAME), whole: { attribute: "4", difficulty: "easy" } };
  assert.deepEqual(variations(GAME, made).map((one) => one.says), ["Attribute 5", "Hard (3 hits)", "Attribute 3"]);
  assert.deepEqual(variations(GAME, made)[1].series.whole, { attribute: "4", difficulty: "hard" });
  assert.deepEqual(made.whole, { attribute: "4", difficulty: "easy" }, "the series itself stays");
});

test("what if: never beyond the limits of a parameter, and nothing for words", () => {
  const at = (attribute) => variations(GAME, { ...newSeries(GAME), whole: { attribute } }).map((one) => one.says);
  assert.deepEqual(at("20"), ["Attribute 19"]);
  assert.deepEqual(at("0"), ["Attribute 1"]);
  assert.deepEqual(at("grace"), []);
});

test("what if: in a contest the first side changes", () => {
  const made = { ...newSeries(GAME, "contest"), sides: [{ attribute: "3" }, { attribute: "5" }] };
  assert.deepEqual(variations(GAME, made)[0].series.sides, [{ attribute: "4" }, { attribute: "5" }]);
  assert.equal(chanceOf({ success: null, wins: ["1/3", "2/3"] }), "1/3");
  assert.equal(chanceOf({ success: null }), null);
});

test("a chance in round words is near, and only certainty has none", async () => {
  const { aboutIn, exactly } = await load("odds/format.js");
  assert.equal(aboutIn("473/729"), "about 2 in 3");
  assert.equal(aboutIn("1/216"), "about 1 in 216");
  assert.equal(aboutIn("215/216"), "about 215 in 216");
  assert.deepEqual([aboutIn("0"), aboutIn("1")], ["", ""]);
  for (let top = 1; top < 200; top += 1) {
    const [, n, of] = /(\d+) in (\d+)/.exec(aboutIn(`${top}/200`)).map(Number);
    assert.ok(Math.abs(n / of - top / 200) < 0.031, `${top}/200 is not about ${n} in ${of}`);
  }
  assert.equal(exactly("473/729"), "473 of 729");
  assert.equal(exactly("1"), "");
  assert.equal(exactly(`${10n ** 20n}/${10n ** 21n}`), "");
});
