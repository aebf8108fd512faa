// Texts that several people write at once, and messages that belong together.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./support/page.js";

const { merge } = await load("chat/merge.js", "en");
const { grouped } = await load("chat/messages.js", "en");
const { initials, colourOf, COLOURS } = await load("ui/avatar.js", "en");

test("edits of different lines are both kept", () => {
  const base = "silver\nrope\nlamp";
  assert.equal(merge(base, "40 silver\nrope\nlamp", "silver\nrope\nlamp\noil"), "40 silver\nrope\nlamp\noil");
  assert.equal(merge(base, "silver\nrope\nlamp\noil", "40 silver\nrope\nlamp"), "40 silver\nrope\nlamp\noil");
  assert.equal(merge(base, "silver\nlamp", "silver\nrope\nlamp and oil"), "silver\nlamp and oil");
});

test("of edits of the same line both versions stay", () => {
  assert.equal(merge("silver", "40 silver", "50 silver"), "50 silver\n40 silver");
  assert.equal(merge("", "mine", "theirs"), "theirs\nmine");
  assert.equal(merge("a\nb", "a\nb\nmine", "a\nb\ntheirs"), "a\nb\ntheirs\nmine");
});

test("an edit of an unchanged text is the edit, and no edit is the new text", () => {
  assert.equal(merge("a", "b", "a"), "b");
  assert.equal(merge("a", "a", "b"), "b");
  assert.equal(merge("a", "b", "b"), "b");
});

test("no line that somebody added is ever lost", () => {
  const words = ["a", "b", "c", "d", ""];
  for (const base of words.flatMap((one) => words.map((other) => `${one}\n${other}`))) {
    for (const mine of [`${base}\nmine`, `mine\n${base}`, "mine", base.replace("\n", "\nmine\n")]) {
      for (const theirs of [`${base}\ntheirs`, `theirs\n${base}`, "theirs"]) {
        const lines = merge(base, mine, theirs).split("\n");
        assert.ok(lines.includes("mine"), `${base}|${mine}|${theirs}`);
        assert.ok(lines.includes("theirs"), `${base}|${mine}|${theirs}`);
      }
    }
  }
});

test("messages of one person to the same people belong together", () => {
  const say = (message, by, to) => ({ message, by, text: message, ...(to ? { to } : {}) });
  const groups = grouped([say("1", "ann"), say("2", "ann"), say("3", "ann", ["bob"]), say("4", "bob", ["ann"]), say("5", "ann")]);
  assert.deepEqual(groups.map((one) => one.said.map((said) => said.message)), [["1", "2"], ["3"], ["4"], ["5"]]);
});

test("a face has a letter, and a colour that follows from the name", () => {
  assert.equal(initials("Mira Quill"), "MQ");
  assert.equal(initials("ann"), "A");
  assert.equal(initials("ann (GM)"), "AG");
  assert.equal(initials("…"), "?");
  assert.ok(COLOURS.includes(colourOf("ann")));
  assert.equal(colourOf("ann"), colourOf("ann"));
});
