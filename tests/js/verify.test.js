// Verification in the browser: of one roll, and of an exported log.
// The fixture is the golden scene uwr-epochs as bob exports it.

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { load } from "./support/page.js";

const { lines } = await load("app/state.js");
const { t, tn } = await load("app/i18n.js");
const { checkLog, checkRoll, spokenDigits } = await load("log/verify.js");

const KEY = "11".repeat(32);
const COMMITMENT = createHash("sha256").update(Buffer.from(KEY, "hex")).digest("hex");
const LOG = readFileSync(new URL("./fixtures/uwr-epochs-bob.jsonl", import.meta.url), "utf8");

/** Faces as docs/table.md describes them, by another library. */
function faces(number, count, sides, entropy) {
  const made = [];
  for (let block = 0; made.length < count; block += 1) {
    const stream = createHmac("sha256", Buffer.from(KEY, "hex")).update(`${number}\n${block}\n${entropy}`).digest();
    for (let at = 0; at < 32; at += 4) {
      const found = stream.readUInt32BE(at);
      if (found < 2 ** 32 - (2 ** 32 % sides)) made.push((found % sides) + 1);
    }
  }
  return made.slice(0, count);
}

const thrown = (number, count, sides, entropy) => ({
  n: number, kind: "dice_thrown",
  data: { roll: "ann/1", throw: number, sides, entropy, faces: faces(number, count, sides, entropy) },
});

test("faces that follow from the key are right, for every kind of die and over several blocks", async () => {
  lines.value = [thrown(1, 5, 6, "abc"), thrown(2, 40, 10, ""), thrown(3, 3, 20, "\u00e4 \u{1f3b2}")];
  assert.equal(await checkRoll({ roll: "ann/1", key: KEY, commitment: COMMITMENT }), tn("proof.good", 48));
});

test("one other face is noticed", async () => {
  const [one] = lines.value = [thrown(1, 5, 6, "abc")];
  one.data.faces[3] = (one.data.faces[3] % 6) + 1;
  assert.equal(await checkRoll({ roll: "ann/1", key: KEY, commitment: COMMITMENT }), t("proof.other_faces"));
});

test("another key than the promised one is noticed", async () => {
  lines.value = [];
  assert.equal(await checkRoll({ roll: "ann/1", key: KEY, commitment: "00".repeat(32) }), t("proof.other_key"));
});

test("dice of somebody's own are not checked against a key", async () => {
  const typed = thrown(1, 3, 6, "");
  lines.value = [{ ...typed, data: { ...typed.data, faces: [1, 1, 1], physical: true } }];
  assert.equal(await checkRoll({ roll: "ann/1", key: KEY, commitment: COMMITMENT }), tn("proof.good", 0));
});

test("an exported log is verified", async () => {
  const rows = LOG.trimEnd().split("\n").slice(1, -1);
  const head = JSON.parse(rows.at(-1)).hash.slice(0, 16);
  assert.equal(await checkLog(LOG), tn("proof.log", rows.length, { head }));
});

test("a log that was changed, cut, or put in another order is not", async () => {
  const good = await checkLog(LOG), rows = LOG.trimEnd().split("\n");
  const swapped = [...rows];
  [swapped[3], swapped[4]] = [swapped[4], swapped[3]];
  const without = (at) => rows.filter((_, n) => n !== at).join("\n");
  for (const changed of [
    ...rows.slice(1).map((_, at) => without(at + 1)),
    ...rows.slice(1, -1).map((row) => LOG.replace(row, row.replace(/"time":"2\d/, '"time":"3'))),
    swapped.join("\n"),
    LOG.replace('"name":"', '"name":"x'),
    LOG.replace(/"faces":\[(\d)/, (_, face) => `"faces":[${(Number(face) % 6) + 1}`),
  ]) assert.notEqual(await checkLog(changed), good);
});

test("thirty digits to read out are the same for the same hash alone", () => {
  const said = spokenDigits("ff".repeat(32));
  assert.match(said, /^(\d{5} ){5}\d{5}$/);
  assert.equal(said, spokenDigits("ff".repeat(32)));
  assert.notEqual(said, spokenDigits("fe".repeat(32)));
  assert.equal(spokenDigits("00"), "00000 00000 00000 00000 00000 00000");
});
