// Merge of two edits of one text. Pure.

/** The length of the common beginning of two lists. */
function commonStart(one, other) {
  let at = 0;
  while (at < one.length && at < other.length && one[at] === other[at]) at += 1;
  return at;
}

/** What an edit did: it replaced the lines from `start` to `end` of the base by `lines`. */
function change(base, text) {
  const start = commonStart(base, text);
  const left = base.slice(start), made = text.slice(start);
  const tail = commonStart([...left].reverse(), [...made].reverse());
  return { start, end: base.length - tail, lines: made.slice(0, made.length - tail) };
}

/**
 * Merge two edits of a text line by line. Where both changed the same lines, both versions are kept, theirs
 * first: nothing is lost.
 * @param {string} base @param {string} mine @param {string} theirs
 */
export function merge(base, mine, theirs) {
  if (mine === theirs || mine === base) return theirs;
  if (theirs === base) return mine;
  const lines = base.split("\n");
  const own = change(lines, mine.split("\n")), other = change(lines, theirs.split("\n"));
  if (own.end <= other.start || other.end <= own.start) {
    const [first, second] = own.start < other.start ? [own, other] : [other, own];
    return [...lines.slice(0, first.start), ...first.lines, ...lines.slice(first.end, second.start), ...second.lines,
      ...lines.slice(second.end)].join("\n");
  }
  const start = Math.min(own.start, other.start), end = Math.max(own.end, other.end);
  const whole = (one) => [...lines.slice(start, one.start), ...one.lines, ...lines.slice(one.end, end)];
  const theirLines = whole(other);
  const added = whole(own).filter((line) => !theirLines.includes(line) && !lines.slice(start, end).includes(line));
  return [...lines.slice(0, start), ...theirLines, ...added, ...lines.slice(end)].join("\n");
}
