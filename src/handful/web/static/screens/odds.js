// The odds page: exact odds of any game, side by side, without a table.

import { html, useEffect, useState } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { Fault } from "../ui/fault.js";
import { HomeLink } from "../ui/homeLink.js";
import { Languages } from "../ui/languages.js";
import { Tabs } from "../ui/tabs.js";
import { textButton } from "../ui/button.js";
import { followSeries, found } from "../odds/requests.js";
import { CopySeries } from "../odds/export.js";
import { Editor } from "../odds/seriesEditor.js";
import { Decisions, Figures, Rungs, Swatch, mainFigure, rows } from "../odds/figures.js";
import { Headline } from "../odds/headline.js";
import { OddsChart } from "../odds/chart.js";
import { LETTERS, MAX_SERIES } from "../odds/series.js";
import { active, addSeries, startPage, current, removeSeries, problem, ready, series, tab } from "../odds/state.js";
import { WhatIf, chanceOf } from "../odds/whatIf.js";
import { TableTab } from "../odds/tables.js";
import { CompareTab } from "../odds/compare.js";
import { ClaimsTab } from "../odds/claims.js";

const STAYS = 800; // milliseconds until a figure is announced

export function OddsScreen() {
  useEffect(() => {
    document.title = `${t("odds.title")} – ${t("name")}`;
    startPage().catch((error) => { problem.value = error; });
    return followSeries();
  }, []);
  return html`
    <main class="page odds">
      <header class="row wrap between"><div><h1>${t("odds.title")}</h1><p class="muted">${t("odds.about")}</p></div>
        <nav class="row centre"><${HomeLink} /><${Languages} /></nav></header>
      <${Fault} problem=${problem.value} onClose=${() => { problem.value = null; }} />
      ${ready.value ? html`<${Tabs} label=${t("odds.title")} now=${tab.value} set=${(name) => { tab.value = name; }} tabs=${[
        { name: "odds", title: t("odds.tab.odds"), body: () => html`<${SeriesTab} />` },
        { name: "table", title: t("odds.tab.table"), body: () => html`<${TableTab} />` },
        { name: "diff", title: t("odds.tab.diff"), body: () => html`<${CompareTab} />` },
        { name: "claims", title: t("odds.tab.claims"), body: () => html`<${ClaimsTab} />` },
      ]} />` : html`<p role="status">${t("start.loading")}</p>`}
    </main>`;
}

function SeriesTab() {
  return html`
    <${Headline} />
    <div class="twocolumns">
      <section class="panel controls"><h2 class="hidden">${t("odds.series")}</h2>
        <${Chosen} />
        <${Now} />
        ${current.value && html`<${Editor} one=${current.value} />`}</section>
      <div class="stack">
        <section class="panel"><${Figures} /><${Announced} /></section>
        <${OddsChart} />
        <${Changes} />
        <${Rungs} />
        <${Decisions} />
        <${CopySeries} />
      </div>
    </div>`;
}

/** Small changes of the active series, where it has a chance to change. */
function Changes() {
  const row = rows().find(({ one }) => one.id === current.value?.id);
  const chance = row?.survey && !row.problem ? chanceOf(row.survey) : null;
  return chance === null ? null : html`<${WhatIf} game=${row?.game} one=${row?.one} chance=${chance} />`;
}

/** Tabs of the series, with buttons to add and remove one. */
function Chosen() {
  const all = series.value;
  return html`
    <div class="chips" role="group" aria-label=${t("odds.series")}>
      ${all.map((one, at) => html`<button type="button" key=${one.id} aria-pressed=${at === active.value}
        aria-label=${t("odds.series_n", { n: LETTERS[at] })} onClick=${() => { active.value = at; }}><${Swatch} at=${at} /></button>`)}
      ${all.length < MAX_SERIES && textButton(t("odds.add"), addSeries)}
      ${all.length > 1 && textButton(t("odds.drop", { n: LETTERS[active.value] }), () => removeSeries(current.value.id))}
    </div>`;
}

/** The active series' main figure, near the sliders on narrow screens. */
function Now() {
  const { survey, problem: trouble } = found.value[current.value?.id] ?? {};
  if (!survey || trouble) return null;
  const [figure, name] = mainFigure(survey);
  return html`<p class="now" aria-hidden="true"><${Swatch} at=${active.value} /> <strong>${figure}</strong> <small>${name}</small></p>`;
}

/** Announces the active series' main figure to screen readers once it settles. */
function Announced() {
  const [said, setSaid] = useState("");
  const now = found.value[current.value?.id];
  const says = now?.survey && !now.problem && !now.busy ? `${LETTERS[active.value]}: ${mainFigure(now.survey).join(" ")}` : "";
  useEffect(() => {
    const timer = setTimeout(() => setSaid(says), STAYS);
    return () => clearTimeout(timer);
  }, [says]);
  return html`<p class="hidden" role="status">${said}</p>`;
}
