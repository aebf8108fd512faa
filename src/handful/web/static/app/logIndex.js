// What the page looks up in the seat's log, kept up to date line by line: a long evening has thousands of them.

/** @import { LogLine } from "./types.js" */

/**
 * @typedef {{first: (name: string) => LogLine|undefined, isRevealed: (roll: string) => boolean}} LogIndex
 *   first: the first line about a roll, request or contest
 */

/** A function that takes the log and reads only the lines that it has not seen. */
export function createLogIndex() {
  /** @type {LogLine[]} */
  let seen = [];
  /** @type {Map<string, LogLine>} */
  let first = new Map();
  /** @type {Set<string>} */
  let revealed = new Set();

  /** @param {LogLine} line */
  function add(line) {
    for (const name of [line.data.roll, line.data.request, line.data.contest]) {
      if (name && !first.has(name)) first.set(name, line);
    }
    if (line.kind === "roll_revealed") revealed.add(line.data.roll);
  }

  /** @param {LogLine[]} lines @returns {LogIndex} a new one each time, so that its readers notice */
  return (lines) => {
    const goesOn = lines.length >= seen.length && lines[seen.length - 1] === seen.at(-1);
    if (!goesOn) [seen, first, revealed] = [[], new Map(), new Set()];
    for (const line of lines.slice(seen.length)) add(line);
    seen = lines;
    return { first: (name) => first.get(name), isRevealed: (roll) => revealed.has(roll) };
  };
}
