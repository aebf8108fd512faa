// The history of a sheet from this seat's log, newest first.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { game, lines, seatPath } from "../app/state.js";
import { formatTime, t } from "../app/i18n.js";
import { itemTitle, localize } from "../app/format.js";
import { Fault } from "../ui/fault.js";
import { changeText, entryTitle } from "./format.js";

export function SheetHistory({ it }) {
  const [found, setFound] = useState(null);
  const [problem, setProblem] = useState(null);
  const last = lines.value.filter((line) => line.data.character === it.character).at(-1)?.n;
  useEffect(() => {
    ask(seatPath(`history?character=${encodeURIComponent(it.character)}`)).then(setFound, setProblem);
  }, [it.character, last]);
  if (problem) return html`<${Fault} problem=${problem} />`;
  return html`
    <ol class="log history" aria-busy=${!found} aria-label=${t("sheet.history")}>
      ${[...(found ?? [])].reverse().map((one) => html`
        <li key=${one.n}><span class="number">#${one.n}</span>
          <div class="sentence"><p><strong>${one.seat}</strong> ${saysOf(one)}</p>
            ${one.changes.length > 0 && html`<ul>${one.changes.map((change, at) => html`
              <li key=${at}>${changeText(change)}</li>`)}</ul>`}
            ${one.about.words && html`<p class="muted">${t("quoted", { what: one.about.words })}</p>`}
          </div>
          <time datetime=${one.time} class="number">${formatTime(one.time)}</time></li>`)}
    </ol>`;
}

function saysOf({ kind, about }) {
  if (kind === "points_changed") {
    if (about.undone) return t("history.undone");
    if (about.rolls) return t("history.harmed");
    return about.use ? t("history.used", { what: useTitle(about.use) }) : t("history.points_changed");
  }
  const what = (about.item && itemTitle(about.item)) ?? about.task ?? (about.shown ? t(`shown.${about.shown}`) : "");
  return t(`history.${kind}`, { what });
}

function useTitle(use) {
  for (const [name, { uses }] of Object.entries(game.value.sheet.resources)) {
    if (uses[use]) return `${entryTitle("resources", name)}: ${localize(uses[use])}`;
  }
  return use;
}
