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

const encoded = (text) => new TextEncoder().encode(text);
const sha = async (text) => hex(await crypto.subtle.digest("SHA-256", encoded(text)));
/** A text as canonical JSON writes it. */
const quote = (text) => JSON.stringify(text)
  .replaceAll(/[\u0080-\uffff]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** 30 digits of a hash, in groups of five. */
export function spokenDigits(hash) {
  const digits = String(BigInt(`0x${hash}`) % 10n ** 30n).padStart(30, "0");
  return (digits.match(/.{5}/g) ?? []).join(" ");
}

/** The texts that a line's hash and its hash in the public chain cover. */
function hashedTexts(line, entry, publicBefore) {
  const hashed = `"hash":"${entry.hash}","kind":"${entry.kind}","n":${entry.n},`;
  const at = line.lastIndexOf(hashed);
  const data = line.slice(`{"before":"${entry.before}","data":`.length, at - 1);
  const signature = entry.signature ? `"signature":"${entry.signature}",` : "";
  const rest = line.slice(at + hashed.length).replace(signature, "");
  const own = `{"before":"${entry.before}","data":${data},"kind":"${entry.kind}","n":${entry.n},${rest}`;
  if (!entry.public) return [own];
  const end = `"hash":"${entry.public.hash}","n":${entry.public.n}},`, field = '"public":{"data":';
  const split = rest.indexOf(end);
  const shown = rest.startsWith(field) ? rest.slice(field.length, split - 1) : data;
  return [own, `{"before":"${publicBefore}","data":${shown},"kind":"${entry.kind}","n":${entry.public.n},${rest.slice(split + end.length)}`];
}

/** A function that verifies signatures of the table; null if this browser cannot. */
async function signatureCheck(publicKey) {
  try {
    const key = await crypto.subtle.importKey("raw", bytes(publicKey), { name: "Ed25519" }, false, ["verify"]);
    return (hash, signature) => crypto.subtle.verify({ name: "Ed25519" }, key, bytes(signature ?? ""),
      encoded(`handful seat log\n${hash}`));
  } catch {
    return null;
  }
}

/** A function that notes announced commitments, and returns false for a roll that uses another one. */
function announcements() {
  let known = {};
  return ({ kind, data }) => {
    if (kind === "epoch_begun") known = structuredClone(data.commitments);
    if (kind === "seat_taken" && data.commitments) known[data.name] ??= { ...data.commitments };
    if (kind !== "roll_declared" || data.parts?.length) return true;
    const own = known[data.roller] ?? {};
    const stream = Object.keys(own).find((one) => own[one] === data.commitment);
    if (stream) own[stream] = data.next;
    return stream !== undefined;
  };
}

/** Verify an exported log: hashes, the public chain, announced commitments and, where possible, signatures. */
export async function checkLog(text) {
  if (!globalThis.crypto?.subtle) return t("proof.insecure");
  const [first, ...rest] = text.trimEnd().split("\n");
  const head = JSON.parse(first), end = JSON.parse(rest.pop());
  const isAnnounced = announcements();
  let before = await sha(first), publicHead = /** @type {string|null} */ (null);
  let verify = /** @type {((hash: string, signature: string) => Promise<boolean>)|null} */ (null);
  const begin = async (publicKey) => {
    publicHead = await sha(`{"format":"handful public chain","public_key":"${publicKey}","table":${quote(head.table)}}`);
    verify = await signatureCheck(publicKey);
  };
  if (head.version > 1) await begin(head.public_key);
  for (const line of rest) {
    const entry = JSON.parse(line);
    if (publicHead === null && entry.kind === "epoch_begun") await begin(entry.data.public_key);
    const [own, shared] = hashedTexts(line, entry, publicHead);
    if (entry.before !== before || (await sha(own)) !== entry.hash
      || (shared && (await sha(shared)) !== entry.public.hash)) return t("proof.broken", { n: entry.n });
    if (publicHead !== null && !isAnnounced(entry)) return t("proof.not_announced", { n: entry.n });
    if (verify && entry.kind === "roll_finalised" && !(await verify(entry.hash, entry.signature))) {
      return t("proof.unsigned", { n: entry.n });
    }
    before = entry.hash;
    publicHead = entry.public?.hash ?? publicHead;
  }
  const isCut = end.end !== rest.length || end.head !== before || (end.public?.head ?? null) !== publicHead;
  return isCut ? t("proof.cut") : tn("proof.log", rest.length, { head: before.slice(0, 16) });
}
