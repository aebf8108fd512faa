// The chance of a draft in large figures, with the distribution one tap away.

import { html, useEffect, useState } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { percent, formatNumber, fractionToNumber, wordFor } from "../app/format.js";

/** The chance of a draft, the average without a target, or the reason why it cannot be rolled. */
export function Chance({ found, main }) {
  const { odds, problem, busy, cannot } = found;
  if (cannot) return html`<p id="panel-cannot" class="chance muted">${cannot}</p>`;
  if (problem) return html`<p class="chance muted">${problem.message}</p>`;
  if (!odds) return html`<p class="chance muted">…</p>`;
  return html`<p class="chance" aria-busy=${busy}>${figure(odds, main)}</p>`;
}

function figure(odds, main) {
  if (Array.isArray(odds.success)) {
    return html`<strong>${odds.success.map(percent).join(" · ")}</strong> <span>${t("chance.each")}</span>`;
  }
  if (odds.wins?.length > 1) {
    return html`<strong title=${odds.wins[0]}>${percent(odds.wins[0])}</strong> <span>${t("chance.win")}</span>`;
  }
  if (odds.success !== null && odds.success !== undefined) {
    return html`<strong title=${odds.success}>${percent(odds.success)}</strong> <span>${t("chance.success")}</span>`;
  }
  if (odds.mean === null) return html`<span>${t("chance.none")}</span>`;
  const mean = Math.round(fractionToNumber(odds.mean) * 100) / 100;
  return html`<strong>${formatNumber(mean)}</strong> <span>${t("chance.mean", { what: wordFor(main, mean) })}</span>`;
}

/** The distribution; the chart is loaded when opened. */
export function Spread({ odds, main }) {
  const [open, setOpen] = useState(false);
  const [Chart, setChart] = useState(null);
  useEffect(() => {
    if (open && !Chart) import("../ui/chart.js").then((made) => setChart(() => made.Chart));
  }, [open]);
  if (!odds?.distribution) return null;
  return html`
    <details class="spread" onToggle=${(event) => setOpen(event.target.open)}>
      <summary>${t("chance.spread")}</summary>
      ${open && Chart && html`<${Chart} odds=${odds} main=${main} />`}
    </details>`;
}
