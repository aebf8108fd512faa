// Sections of the text by heading: jump to one, uncomment one, or comment it out again.

import { html, useId, useState } from "../app/lib.js";
import { t } from "../app/i18n.js";

const HEAD = /^(# ?)?(\[[\w."-]+\])\s*$/;

/** All sections: {head, line, to, off}; `to` is the line after it, `off` if commented out. */
export function sectionsOf(text) {
  const lines = text.split("\n"), made = [];
  let quotes = "", marked = false;
  lines.forEach((raw, line) => {
    const off = raw.startsWith("#"), words = off ? raw.replace(/^# ?/, "") : raw;
    const found = quotes && off === marked ? null : HEAD.exec(raw);
    if (found) {
      made.push({ head: found[2], line, off });
      quotes = "";
    }
    for (const [one] of words.matchAll(/"""|'''/g)) {
      if (!quotes) [quotes, marked] = [one, off];
      else if (quotes === one) quotes = "";
    }
  });
  return made.map((one) => ({ ...one, to: endOf(lines, one) }));
}

/** A section ends at an empty line, a heading, or where comments start or stop; not inside a string. */
function endOf(lines, { line, off }) {
  let at = line + 1, quotes = "";
  for (; at < lines.length; at += 1) {
    const raw = lines[at], words = off ? raw.replace(/^# ?/, "") : raw;
    if (!quotes && (!raw.trim() || raw.startsWith("#") !== off || HEAD.test(raw))) break;
    if (quotes && off && !raw.startsWith("#")) break; // the string is never closed
    for (const [one] of words.matchAll(/"""|'''/g)) quotes = !quotes ? one : quotes === one ? "" : quotes;
  }
  return at;
}

/** A list of sections, and a button that toggles comments on the chosen one. */
export function SectionList({ value, field }) {
  const id = useId();
  const [head, setHead] = useState("");
  const parts = sectionsOf(value);
  const now = parts.find((one) => one.head === head && !one.off) ?? parts.find((one) => one.head === head);
  const select = (part, whole) => {
    const area = field.current, lines = area.value.split("\n");
    const start = (line) => lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
    area.focus({ preventScroll: true });
    area.setSelectionRange(start(part.line), whole ? start(part.to) - 1 : start(part.line) + lines[part.line].length);
    area.closest(".code").querySelector(`.line:nth-child(${part.line + 1})`)?.scrollIntoView({ block: "center" });
  };
  const go = (name) => {
    setHead(name);
    const part = parts.find((one) => one.head === name && !one.off) ?? parts.find((one) => one.head === name);
    if (part) select(part, false);
  };
  const flip = () => {
    const lines = value.split("\n").slice(now.line, now.to);
    select(now, true);
    const made = lines.map((one) => (now.off ? one.replace(/^# ?/, "") : `# ${one}`.trimEnd()));
    document.execCommand("insertText", false, made.join("\n")); // keeps the browser's undo working
    select({ ...now, to: now.line + made.length }, false);
  };
  if (!parts.length) return null;
  return html`
    <div class="row wrap parts">
      <label for=${id}>${t("edit.part")}</label>
      <select id=${id} value=${now ? head : ""} onChange=${(event) => go(event.target.value)}>
        <option value="">${t("edit.part_none")}</option>
        ${unique(parts).map((one) => html`<option key=${one.head} value=${one.head} selected=${now?.head === one.head}>
          ${one.off ? "# " : ""}${one.head}</option>`)}</select>
      <button type="button" disabled=${!now} onClick=${flip}>${t(now && !now.off ? "edit.part_out" : "edit.part_in")}</button>
    </div>`;
}

/** One section per heading, preferring one that is not commented out. */
function unique(parts) {
  const made = new Map();
  for (const one of parts) if (!made.has(one.head) || !one.off) made.set(one.head, one);
  return [...made.values()];
}
