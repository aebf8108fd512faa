// A snapshot and its patches give the same page as a later snapshot.

import assert from "node:assert/strict";
import { test } from "node:test";

import { load } from "./support/page.js";

const { appendLines, applyPatch } = await load("app/patch.js");
const LISTS = { characters: "character", requests: "request", contests: "contest", rolls: "roll", messages: "message" };

/** A generator of numbers below a limit that draws the same in every run. */
function seeded(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const newView = () => ({ seat: "ann", mode: "public", fight: null, characters: [], requests: [], contests: [], rolls: [], messages: [] });

/** Change a list as a table does: items come, change, go, and sometimes change places. */
function changeList(items, key, draw) {
  const after = items.map((one) => (draw(4) ? one : { ...one, value: draw(1000) }));
  if (draw(3)) after.push({ [key]: `${key}${draw(1e9)}`, value: draw(1000) });
  if (after.length && !draw(4)) after.splice(draw(after.length), 1);
  if (after.length > 1 && !draw(4)) after.unshift(after.pop());
  return after;
}

/** The patch that the server sends: see PatchMessage in the OpenAPI document. */
function patchBetween(before, after) {
  const patch = {};
  for (const [part, value] of Object.entries(after)) {
    if (value === before[part]) continue;
    patch[part] = part in LISTS ? listPatch(before[part], value, LISTS[part]) : value;
  }
  return patch;
}

function listPatch(before, after, key) {
  const had = new Map(before.map((one) => [one[key], one])), has = new Set(after.map((one) => one[key]));
  const changed = after.filter((one) => had.get(one[key]) !== one);
  const kept = before.filter((one) => has.has(one[key])), fresh = after.filter((one) => !had.has(one[key]));
  const order = [...kept, ...fresh].map((one) => one[key]), wanted = after.map((one) => one[key]);
  return {
    ...(changed.length ? { put: Object.fromEntries(changed.map((one) => [one[key], one])) } : {}),
    ...(had.size > kept.length ? { gone: [...had.keys()].filter((one) => !has.has(one)) } : {}),
    ...(String(order) === String(wanted) ? {} : { order: wanted }),
  };
}

test("a snapshot and patches give what a later snapshot gives, for 300 random evenings", () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const draw = seeded(seed);
    let truth = newView(), page = newView();
    for (let step = 0; step < 20; step += 1) {
      const next = { ...truth };
      for (const [part, key] of Object.entries(LISTS)) if (!draw(2)) next[part] = changeList(truth[part], key, draw);
      if (!draw(5)) next.fight = draw(2) ? { round: draw(9) } : null;
      page = applyPatch(page, patchBetween(truth, next));
      truth = next;
      assert.deepEqual(page, truth, `seed ${seed}, step ${step}`);
    }
  }
});

test("what a patch does not name keeps its identity, so that it is not drawn again", () => {
  const mira = { character: "ann/Mira" }, roll = { roll: "ann/1" };
  const before = { ...newView(), characters: [mira], rolls: [roll] };
  const after = applyPatch(before, { rolls: { put: { "ann/2": { roll: "ann/2" } } } });
  assert.equal(after.characters, before.characters);
  assert.equal(after.rolls[0], roll);
  assert.deepEqual(after.rolls.map((one) => one.roll), ["ann/1", "ann/2"]);
  assert.deepEqual(before.rolls, [roll], "a view is never changed");
});

test("a line that comes twice counts once", () => {
  const [one, two, three] = [1, 2, 3].map((n) => ({ n }));
  assert.deepEqual(appendLines([one, two], { lines: [two, three] }), [one, two, three]);
  assert.deepEqual(appendLines([], { lines: [one] }), [one]);
});

test("a log that begins replaces everything, and an empty one too", () => {
  assert.deepEqual(appendLines([{ n: 7 }], { lines: [{ n: 1 }], begins: true }), [{ n: 1 }]);
  assert.deepEqual(appendLines([{ n: 7 }], { lines: [], begins: true }), []);
});
