// Syntax highlighting: splits lines into tokens and marks mistakes.

const RULE = /(#.*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|\b(if|elif|else|while|for|in|and|or|not|True|False|None)\b|\b(d\d+)\b|(\d+)/g;
const QUOTES = /"""|'''/;

/** Tokens of a TOML line, and the multi-line string open after it. @returns {[[string, string][], string]} */
export function tokensOf(line, inside) {
  if (inside) {
    const end = line.indexOf(inside);
    if (end < 0) return [rule(line), inside];
    return [[...rule(line.slice(0, end)), ["text", line.slice(end)]], ""];
  }
  if (/^\s*#/.test(line)) return [[["note", line]], ""];
  if (/^\s*\[/.test(line)) return [[["head", line]], ""];
  const found = /^(\s*[\w."'-]+\s*)(=)(.*)$/s.exec(line);
  if (!found) return [[["", line]], ""];
  const [, key, sign, value] = found;
  const quotes = QUOTES.exec(value)?.[0] ?? "";
  const opens = quotes && value.split(quotes).length % 2 === 0;
  return [[["key", key], ["", sign], ...values(value)], opens ? quotes : ""];
}

function values(value) {
  const made = [];
  let last = 0;
  for (const one of value.matchAll(/"""|'''|"(?:[^"\\]|\\.)*"|'[^']*'|#.*$|\b\d+\b|\b(?:true|false)\b/g)) {
    if (one.index > last) made.push(["", value.slice(last, one.index)]);
    made.push([one[0][0] === "#" ? "note" : /^["']/.test(one[0]) ? "text" : "number", one[0]]);
    last = one.index + one[0].length;
  }
  if (last < value.length) made.push(["", value.slice(last)]);
  return made;
}

function rule(line) {
  const made = [];
  let last = 0;
  for (const one of line.matchAll(RULE)) {
    if (one.index > last) made.push(["", line.slice(last, one.index)]);
    made.push([one[1] ? "note" : one[2] ? "text" : one[3] ? "word" : "number", one[0]]);
    last = one.index + one[0].length;
  }
  if (last < line.length) made.push(["", line.slice(last)]);
  return made;
}

/**
 * The range of a mistake in its line: as reported, else the word there, else the whole line.
 * @param {string} line @param {Partial<import("../app/server.js").DraftMistake>} mistake @returns {[number, number]}
 */
export function rangeOf(line, { line: at, column = 0, end_line: endLine, end_column: end = 0 }) {
  const place = (number) => [...line].slice(0, Math.max(0, number - 1)).join("").length; // columns count code points
  const from = place(column);
  if (endLine === at && end > column && column) return [from, place(end)];
  const word = /^[\w.]+|^[^\w\s]+/.exec(line.slice(from));
  if (column > 1 && word) return [from, from + word[0].length];
  const start = line.length - line.trimStart().length;
  return [start, Math.max(line.trimEnd().length, start + 1)];
}

/** Tokens with a range marked. @param {[string, string][]} pieces @param {[number, number]} range */
export function withMark(pieces, [from, to]) {
  const made = [];
  let at = 0;
  for (const [kind, words] of pieces) {
    const cuts = [0, Math.min(Math.max(from - at, 0), words.length), Math.min(Math.max(to - at, 0), words.length),
      words.length];
    for (let n = 0; n < 3; n += 1) {
      const part = words.slice(cuts[n], cuts[n + 1]);
      if (part) made.push([n === 1 ? `${kind} wrong` : kind, part]);
    }
    at += words.length;
  }
  return made;
}
