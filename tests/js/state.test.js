// State of the table page: what it looks up in the log, and sets whose readers notice changes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./support/page.js";

const { createLogIndex } = await load("app/logIndex.js");
const { computed, effect } = await load("app/lib.js");
const { SignalMap, SignalSet } = await load("app/signalSet.js");
const state = await load("app/state.js");

const line = (n, kind, data) => ({ n, kind, time: `2026-11-18T20:00:0${n}`, data });
const LOG = [
  line(1, "check_requested", { request: "gm/1" }), line(2, "roll_declared", { roll: "ann/1", request: "gm/1" }),
  line(3, "dice_thrown", { roll: "ann/1" }), line(4, "roll_revealed", { roll: "ann/1" }), line(5, "contest_opened", { contest: "gm/2" }),
];

test("the index of a log that grows is that of the whole log", () => {
  const growing = createLogIndex();
  for (let count = 0; count <= LOG.length; count += 1) {
    const found = growing(LOG.slice(0, count)), whole = createLogIndex()(LOG.slice(0, count));
    for (const name of ["gm/1", "ann/1", "gm/2", "bob/9"]) {
      assert.equal(found.first(name)?.n, whole.first(name)?.n, `${name} after ${count}`);
      assert.equal(found.isRevealed(name), whole.isRevealed(name));
    }
  }
});

test("lines are read once, and again only if the log begins anew", () => {
  let reads = 0;
  const counted = LOG.map((one) => ({ ...one, get kind() { reads += 1; return one.kind; } }));
  const index = createLogIndex();
  index(counted.slice(0, 3));
  index(counted.slice(0, 4));
  index(counted);
  assert.equal(reads, LOG.length);
  const anew = index([line(1, "roll_declared", { roll: "bob/1" })]);
  assert.equal(anew.first("ann/1"), undefined);
  assert.equal(anew.first("bob/1").n, 1);
});

test("whoever looks something up in the log notices a new line", () => {
  state.lines.value = LOG.slice(0, 1);
  const seen = [];
  const stop = effect(() => { seen.push([state.firstLogNumbers.value.get("ann/1"), state.revealed.value.has("ann/1")]); });
  state.lines.value = LOG.slice(0, 2);
  state.lines.value = LOG;
  stop();
  assert.deepEqual(seen, [[undefined, false], [2, false], [2, true]]);
  assert.equal(state.firstLogTimes.value.get("gm/2"), "2026-11-18T20:00:05");
});

test("readers of a set and of a map notice changes", () => {
  const set = new SignalSet(), map = new SignalMap();
  const both = computed(() => [set.has("a"), map.get("a") ?? null]);
  assert.deepEqual(both.value, [false, null]);
  set.add("a");
  map.set("a", [1, 2]);
  assert.deepEqual(both.value, [true, [1, 2]]);
  set.delete("a");
  map.delete("a");
  assert.deepEqual(both.value, [false, null]);
});

test("actions are found by what they are about", () => {
  state.view.value = {
    may: [{ do: "declare", checks: ["direct"] }], characters: [{ character: "ann/Mira", may: [{ do: "use" }] }], requests: [], contests: [],
    rolls: [{ roll: "ann/1", may: [{ do: "throw", roll: "ann/1" }, { do: "cancel" }] }], messages: [],
    fight: { order: [{ combatant: "ann/Mira", may: [{ do: "act" }] }] },
  };
  assert.deepEqual(state.may("declare").checks, ["direct"]);
  assert.equal(state.may("throw", "ann/1").roll, "ann/1");
  assert.deepEqual(state.actions("ann/Mira").map((one) => one.do), ["use", "act"], "a character may be a combatant, too");
  assert.equal(state.may("throw"), undefined);
});
