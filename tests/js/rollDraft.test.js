// Drafts of rolls: what is carried over, what is missing, and what is sent.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { load } from "./support/page.js";
import { GAME, VIEW } from "./support/games.js";

const state = await load("app/state.js");
const drafts = await load("app/rollDraft.js");

beforeEach(() => {
  state.game.value = GAME;
  state.view.value = VIEW;
});

test("a player's draft is for their own character, a GM's for nobody", () => {
  assert.equal(drafts.newDraft().sides[0].as, "ann/Mira");
  state.view.value = { ...VIEW, seat: "gm", role: "gm" };
  assert.equal(drafts.newDraft().sides[0].as, "");
});

test("a check with sides has as many as it needs", () => {
  assert.equal(drafts.newDraft("direct").sides.length, 1);
  assert.equal(drafts.newDraft("contest").sides.length, 2);
});

test("another check keeps the values that both have, and only those", () => {
  const filled = { ...drafts.newDraft("direct"), sides: [{ as: "ann/Mira", values: { attribute: "4", bonus: "2" } }] };
  const contest = drafts.withCheck(filled, "contest");
  assert.deepEqual(contest.sides.map((side) => side.values), [{ attribute: "4" }, {}]);
  assert.equal(contest.sides[0].as, "ann/Mira");
  const back = drafts.withCheck({ ...contest, whole: { stakes: "3" } }, "direct");
  assert.deepEqual(back.sides, [{ as: "ann/Mira", values: { attribute: "4" } }]);
  assert.deepEqual(back.whole, {});
});

test("numbers are sent as numbers, everything else as it was typed, blanks not at all", () => {
  assert.deepEqual(drafts.filledIn({ a: "3", b: " -2 ", c: "3.5", d: "2D+1", e: "", f: null, g: undefined, h: [], i: false, j: ["x"], k: "12345678901" }),
    { a: 3, b: -2, c: "3.5", d: "2D+1", i: false, j: ["x"], k: "12345678901" });
});

test("the first required parameter without a value is named, for each side too", () => {
  assert.equal(drafts.missingParameter(drafts.newDraft("direct")).name, "attribute");
  const direct = drafts.withSide(drafts.newDraft("direct"), 0, { values: { attribute: "0" } });
  assert.equal(drafts.missingParameter(direct), undefined, "zero is a value");
  const contest = drafts.withSide(drafts.newDraft("contest"), 0, { values: { attribute: "3" } });
  assert.equal(drafts.missingParameter(contest).name, "attribute", "the other side lacks it");
});

test("a declaration says what was chosen and nothing else", () => {
  const draft = drafts.withSide(drafts.newDraft("direct"), 0, { values: { attribute: "grace", difficulty: "hard", bonus: "" } });
  assert.deepEqual(drafts.declareFields(draft), { check: "direct", parameters: { attribute: "grace", difficulty: "hard" }, as: "ann/Mira" });
  const hidden = { ...draft, title: "  over the roof ", mode: "secret", hidden: ["difficulty", "bonus"], for: "bob" };
  assert.deepEqual(drafts.declareFields(hidden), {
    check: "direct", parameters: { attribute: "grace", difficulty: "hard" }, as: "ann/Mira", title: "over the roof", mode: "secret",
    hidden: ["difficulty"], for: "bob",
  });
});

test("a contest declares each side, and its characters in their order", () => {
  let draft = drafts.withSide(drafts.newDraft("contest"), 0, { values: { attribute: "3" } });
  draft = drafts.withSide({ ...draft, whole: { stakes: "2" } }, 1, { values: { attribute: "might" } });
  assert.deepEqual(drafts.declareFields(draft), {
    check: "contest", parameters: { stakes: 2 }, sides: [{ attribute: 3 }, { attribute: "might" }], as: ["ann/Mira", ""],
  });
});

test("a target whose sheet has the number to beat clears what was typed for it", () => {
  const draft = drafts.withSide(drafts.newDraft("direct"), 0, { values: { attribute: "3", difficulty: "hard" } });
  const aimed = drafts.withActionContext(draft, { target: "gm/Raider" });
  assert.deepEqual(aimed.sides[0].values, { attribute: "3" });
  const again = drafts.withSide(aimed, 0, { values: { attribute: "3", difficulty: "easy" } });
  assert.deepEqual(drafts.withActionContext(again, { target: "gm/Raider", item: "club" }).sides[0].values,
    { attribute: "3", difficulty: "easy" }, "the same target leaves later changes alone");
});

test("what stands on the sheet comes first, with its value; the rest of the game's names follow", () => {
  const param = GAME.checks[0].parameters[0];
  assert.deepEqual(drafts.sheetChoices(param, "ann/Mira"), [
    { name: "grace", value: 3, own: true }, { name: "stealth", value: 2, own: true },
    { name: "might", value: null, own: false }, { name: "climbing", value: null, own: false },
  ]);
  assert.equal(drafts.sheetChoices(param, drafts.ANYBODY).every((one) => !one.own && one.value === null), true);
  assert.deepEqual(drafts.sheetChoices(param, "gm/Unknown"), []);
  assert.deepEqual(drafts.sheetChoices(GAME.checks[0].parameters[2], "ann/Mira"), []);
});
