// Steps of numbers on a sheet.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bounds, fromSteps, percentOf, stepped, toSteps } from "../../src/handful/web/static/sheet/numbers.js";

const whole = { type: "number", min: 0, max: 5 };
const halves = { type: "halves", min: 1, max: 7 };
const code = { type: "die_code", min: 0, max: 20 };
const rank = { type: "number", min: 1, max: 3 };
const open = { type: "number", min: null, max: null };

test("a value is counted in its smallest steps", () => {
  assert.equal(toSteps(3, whole), 3);
  assert.equal(toSteps("3.5", halves), 7);
  assert.equal(toSteps("3,5", halves), 7);
  assert.equal(toSteps("7/2", halves), 7);
  assert.equal(toSteps("4D+2", code), 14);
  assert.equal(toSteps(" 4 d + 2 ", code), 14);
  for (const wrong of ["", "x", "3.2", undefined, null]) assert.equal(toSteps(wrong, halves), null);
  assert.equal(toSteps("3.5", whole), null);
  assert.equal(toSteps("4", code), null);
});

test("every step of a range can be written and read again", () => {
  for (const param of [whole, halves, code, rank]) {
    const [least, most] = bounds(param);
    for (let steps = least; steps <= most; steps += 1) assert.equal(toSteps(fromSteps(steps, param), param), steps);
  }
  assert.equal(fromSteps(14, code), "4D+2");
  assert.equal(fromSteps(12, code), "4D");
  assert.equal(fromSteps(14, code, 4), "3D+2");
});

test("a step stays within the range", () => {
  assert.equal(stepped(5, 1, whole), 5);
  assert.equal(stepped(0, -1, whole), 0);
  assert.equal(stepped(1, -1, halves), 1);
  assert.equal(stepped(3, 1, halves), 3.5);
  assert.equal(stepped("2D+2", 1, code), "3D");
  assert.equal(stepped("3D", -1, code), "2D+2");
  assert.equal(stepped(99, 1, open), 100);
  assert.equal(stepped("nonsense", 1, whole), 0); // begins anew
});

test("an entry that need not be there comes and goes", () => {
  assert.equal(stepped(undefined, 1, rank, { optional: true }), 1);
  assert.equal(stepped(1, -1, rank, { optional: true }), undefined);
  assert.equal(stepped(undefined, 1, whole, { optional: true }), 1);
  assert.equal(stepped(1, -1, whole, { optional: true }), undefined);
  assert.equal(stepped(undefined, -1, whole, { optional: true }), undefined);
  assert.equal(stepped(undefined, 1, code, { optional: true }), "1D");
  assert.equal(stepped("0D+1", -1, code, { optional: true }), undefined);
});

test("a share is a part of 100", () => {
  assert.equal(percentOf(["9", "18"]), 50);
  assert.equal(percentOf(["58/3", "19"]), 100);
  assert.equal(percentOf(["0", "0"]), 0);
  assert.equal(percentOf(["3", "0"]), 100);
  assert.equal(percentOf(["-2", "8"]), 0);
});
