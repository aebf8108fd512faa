// Applies the server's messages to what the page has: pure, and so tested without a page.

/** @import { ListPatch, LogLine, View } from "./types.js" */

/**
 * The lists of a view that are patched item by item, and the field with an item's name.
 * @type {Record<string, string>}
 */
const KEYED = {
  characters: "character", requests: "request", contests: "contest", rolls: "roll", messages: "message",
};

/**
 * A view after a patch: the parts that changed, and in keyed lists the items that changed.
 * @param {View} before @param {Record<string, any>} patch @returns {View}
 */
export function applyPatch(before, patch) {
  /** @type {Record<string, any>} */
  const after = { ...before };
  for (const [name, part] of Object.entries(patch)) {
    after[name] = name in KEYED ? patchList(after[name], part, KEYED[name]) : part;
  }
  return /** @type {View} */ (after);
}

/**
 * New items come last, unless the patch lists all names in order.
 * @param {Record<string, any>[]} before @param {ListPatch} patch @param {string} key
 */
function patchList(before, { put = {}, gone = [], order }, key) {
  const items = new Map(before.map((one) => [one[key], one]));
  for (const [name, item] of Object.entries(put)) items.set(name, item);
  for (const name of gone) items.delete(name);
  return order ? order.map((name) => items.get(name)) : [...items.values()];
}

/**
 * The seat's log after a message: lines that came twice count once; a log that `begins` replaces all.
 * @param {LogLine[]} before @param {{lines: LogLine[], begins?: boolean}} message
 */
export function appendLines(before, { lines, begins = false }) {
  const last = begins ? 0 : before.at(-1)?.n ?? 0;
  const fresh = lines.filter((line) => line.n > last);
  return begins ? fresh : [...before, ...fresh];
}
