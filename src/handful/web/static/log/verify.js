// Verifies a roll as verifier.py does: the key matches its commitment, and the faces follow from the key.

import { lines } from "../app/state.js";
import { t, tn } from "../app/i18n.js";

const hex = (bytes) => [...new Uint8Array(bytes)].map((one) => one.toString(16).padStart(2, "0")).join("");
const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (one) => parseInt(one, 16));

/** Faces from 32-byte blocks read as 4-byte numbers; numbers beyond the last multiple are rejected. */
async function faces(key, number, count, sides, entropy) {
  const own = await crypto.subtle.importKey("raw", bytes(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const made = [], most = 2 ** 32 - (2 ** 32 % sides);
  for (let block = 0; made.length < count; block += 1) {
    const text = new TextEncoder().encode(`${number}\n${block}\n${entropy}`);
    const stream = new DataView(await crypto.subtle.sign("HMAC", own, text));
    for (let at = 0; at < 32; at += 4) {
      const found = stream.getUint32(at);
      if (found < most) made.push((found % sides) + 1);
    }
  }
  return made.slice(0, count);
}

/** The verdict in words. */
export async function checkRoll(roll) {
  if (!globalThis.crypto?.subtle) return t("proof.insecure");
  const promised = hex(await crypto.subtle.digest("SHA-256", bytes(roll.key)));
  if (promised !== roll.commitment) return t("proof.other_key");
  const about = lines.value.filter(({ data }) => data.roll === roll.roll);
  const story = about.find((line) => line.data.story)?.data.story;
  const taken = story?.taken ?? 0;
  const told = story ? story.replies.filter((one) => one.faces).slice(taken) : [];
  const thrown = [...told, ...about.filter((line) => line.kind === "dice_thrown"
    && line.data.faces).map((line) => line.data)];
  let count = 0;
  for (const one of thrown.filter((each) => !each.physical)) {
    const own = await faces(roll.key, one.throw, one.faces.length, one.sides, one.entropy ?? "");
    if (own.join() !== one.faces.join()) return t("proof.other_faces");
    count += own.length;
  }
  return tn("proof.good", count);
}

const sha = async (text) => hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

/** Verify an exported log: each line holds the hash of the one before. */
export async function checkLog(text) {
  if (!globalThis.crypto?.subtle) return t("proof.insecure");
  const [head, ...rest] = text.trimEnd().split("\n");
  const end = JSON.parse(rest.pop());
  let before = await sha(head);
  for (const line of rest) {
    const entry = JSON.parse(line);
    const mark = `"hash":"${entry.hash}",`;
    const at = line.lastIndexOf(mark);
    const own = line.slice(0, at) + line.slice(at + mark.length);
    if (entry.before !== before || (await sha(own)) !== entry.hash) return t("proof.broken", { n: entry.n });
    before = entry.hash;
  }
  if (end.end !== rest.length || end.head !== before) return t("proof.cut");
  return tn("proof.log", rest.length, { head: before.slice(0, 16) });
}
