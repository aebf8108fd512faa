// A code editor: a plain textarea over a highlighted copy with line numbers.
// Keyboards, phones and screen readers get a native text field.

import { html, useEffect, useRef } from "../app/lib.js";
import { t, tn } from "../app/i18n.js";
import { withMark, tokensOf, rangeOf } from "./highlight.js";

const STEP = "    ";

/**
 * @param {{label: string, value: string, set: (value: string) => void, faults?: import("../app/server.js").DraftMistake[],
 *   says?: string, field?: {current: HTMLTextAreaElement}|null, readonly?: boolean}} props field: a ref to the text field
 */
export function Code({ label, value, set, faults = [], says = "", field = null, readonly = false }) {
  const own = useRef(null);
  const area = field ?? own;
  const known = useRef(new Map());
  useEffect(() => { known.current.clear(); }, [faults]);
  return html`
    <div class="code">
      <div class="behind" aria-hidden="true">${linesOf(value, faults, known.current)}</div>
      <textarea ref=${area} readonly=${readonly} value=${value} aria-label=${label} aria-invalid=${faults.length > 0}
        aria-describedby=${says || null} spellcheck="false" autocapitalize="off" autocomplete="off" autocorrect="off"
        onInput=${(event) => set?.(event.target.value)} onKeyDown=${indent}></textarea>
    </div>`;
}

/** Rendered lines; an unchanged line keeps its element. */
function linesOf(value, faults, known) {
  const at = new Map(faults.map((one) => [one.line, one]).reverse());
  let inside = "";
  return value.split("\n").map((line, index) => {
    const number = index + 1, key = `${number} ${inside} ${line}`, fault = at.get(number);
    let made = fault ? null : known.get(key);
    if (!made) {
      const [pieces, after] = tokensOf(line, inside);
      made = { after, picture: picture(number, pieces, line, fault) };
      if (!fault) known.set(key, made);
    }
    inside = made.after;
    return made.picture;
  });
}

function picture(number, pieces, line, fault) {
  const parts = fault ? withMark(pieces, rangeOf(line, fault)) : pieces;
  return html`<div key=${number} class=${fault ? "line faulty" : "line"}>${parts.map(([kind, words]) =>
    (kind ? html`<span class=${kind}>${words}</span>` : words))}${!line && "\u200b"}${fault
      && html`<em>⚠ ${fault.message}</em>`}</div>`;
}

/** Enter keeps the indentation, one level deeper after a colon. */
function indent(event) {
  if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const { value, selectionStart } = event.target;
  const line = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
  const before = (/^ */.exec(line)?.[0] ?? "") + (/:\s*$/.test(line) ? STEP : "");
  if (!before) return;
  event.preventDefault();
  document.execCommand("insertText", false, `\n${before}`); // keeps the browser's undo working
}

/** The list of mistakes; a click jumps to the first word of one. */
export function Faults({ id, faults, field }) {
  const go = (one) => {
    const area = field.current, lines = area.value.split("\n");
    const start = lines.slice(0, Math.max(0, one.line - 1)).reduce((sum, line) => sum + line.length + 1, 0);
    const [from, to] = rangeOf(lines[Math.max(0, one.line - 1)] ?? "", { column: one.column });
    area.focus();
    area.setSelectionRange(start + from, start + to);
    area.closest(".code").querySelector(`.line:nth-child(${Math.max(1, one.line)})`)
      ?.scrollIntoView({ block: "center" });
  };
  return html`
    <div id=${id} class="faults">
      <p role="status" class=${faults.length ? "" : "hidden"}>${faults.length ? tn("edit.mistakes", faults.length) : t("edit.good")}</p>
      <ul>${faults.map((one, at) => html`
        <li key=${at}><button type="button" class="ghost" onClick=${() => go(one)}>
          <span aria-hidden="true">⚠</span> ${one.line ? html`<strong>${t("edit.line", { n: one.line })}</strong> ` : ""}${one.message}
          ${one.hint && html`<small>${one.hint}</small>`}</button></li>`)}</ul>
    </div>`;
}
