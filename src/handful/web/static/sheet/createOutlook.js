// What follows from the choices: points left, derived numbers, granted skills.

import { html } from "../app/lib.js";
import { game } from "../app/state.js";
import { t } from "../app/i18n.js";
import { formatNumber, localize } from "../app/format.js";
import { entryTitle, inOrder, sectionTitle } from "./format.js";
import { percentOf } from "./numbers.js";

const FEW_POINTS = 24; // that are drawn one by one

/** The points that are left for a section. @param {{section: string, found: any}} props */
export function BudgetsOf({ section, found }) {
  const { budgets } = game.value.sheet.form.creation;
  const own = (found.budgets ?? []).filter((one) => budgets[one.budget]?.over.some(([bought]) => bought === section));
  return own.map((one) => html`<${BudgetLeft} key=${one.budget} one=${one} />`);
}

/** One budget: how much of it is spent, as a picture and in words. */
function BudgetLeft({ one }) {
  const { max } = game.value.sheet.form.creation.budgets[one.budget];
  const whole = /^\d+$/.test(one.share[0]) && Number(one.share[1]) <= FEW_POINTS;
  const high = one.too_high.map(([section, name]) => entryTitle(section, name)).join(", ");
  return html`
    <div class=${one.keeps ? "budget" : "budget over"}>
      ${whole ? html`<span class="points-of" aria-hidden="true">${Array.from({ length: Number(one.share[1]) }, (_, at) =>
        html`<i key=${at} class=${at < Number(one.share[0]) ? "in" : ""}></i>`)}</span>`
        : html`<span class="bar" aria-hidden="true"><i style=${`--at:${percentOf(one.share)}`}></i></span>`}
      <p class="small" role="status"><span>${localize(one.title)}</span>: <b>${leftText(one)}</b>${high
        && html` <span class="bad">${t("create.too_high", { what: high, most: formatNumber(max) })}</span>`}</p>
    </div>`;
}

/** All points that are left, in a line. @param {{found: any}} props */
export function PointsLeft({ found }) {
  const open = (found.budgets ?? []).filter((one) => !one.keeps || !/^0D?$/.test(one.left));
  if (!open.length) return null;
  return html`<p class="small left" aria-hidden="true">${open.map((one) => html`
    <span key=${one.budget} class=${one.keeps ? "" : "bad"}>${localize(one.title)}: <b>${leftText(one)}</b></span>`)}</p>`;
}

/** @param {{left: string, least: string|null, spent: string, keeps: boolean, too_high: any[]}} one */
function leftText(one) {
  if (one.left.startsWith("-")) return t("create.too_many", { n: formatNumber(one.left.slice(1)) });
  if (/^0D?$/.test(one.left)) return t("create.all_spent");
  const few = one.least !== null && !one.keeps && !one.too_high.length;
  return few ? t("create.too_few", { least: formatNumber(one.least), n: formatNumber(one.left) }) : t("create.left", { n: formatNumber(one.left) });
}

/** The numbers that follow, on felt; those that just changed are marked. @param {{sheet: any, found: any, changed: string[]}} props */
export function Outlook({ sheet, found, changed }) {
  const { comes_to: to } = found;
  const { form, resources } = game.value.sheet;
  if (!to) return null;
  const derived = form.order.derived.filter((name) => name in to.derived);
  const points = form.order.resources.filter((name) => name in to.ranges);
  const skills = form.proficiency ? inOrder("skills", Object.keys(to.skills)) : [];
  if (!derived.length && !points.length && !skills.length) return null;
  return html`
    <aside class="tray live" aria-label=${t("create.follows")}>
      <div class="row centre"><span class="who l" aria-hidden="true">${(sheet.name.trim()[0] ?? "?").toUpperCase()}</span>
        <div><h3>${sheet.name.trim() || t("create.nameless")}</h3><p class="small">${t(`kind.${sheet.kind}`)}</p></div></div>
      <dl class="figures-of">
        ${points.map((name) => html`<div key=${name}><dt>${localize(resources[name].title, name)}</dt>
          <dd>${formatNumber(found.sheet.resources?.[name] ?? 0)}</dd></div>`)}
        ${derived.map((name) => html`<div key=${name} class=${changed.includes(name) ? "up" : ""}>
          <dt>${entryTitle("derived", name)}</dt><dd>${formatNumber(to.derived[name])}</dd></div>`)}
      </dl>
      ${skills.length > 0 && html`<section class="stack tight"><h4>${sectionTitle("skills")}</h4>
        <ul class="granted">${skills.map((name) => html`<li key=${name}><span>${entryTitle("skills", name)}</span> <b>${formatNumber(to.skills[name])}</b></li>`)}</ul></section>`}
    </aside>`;
}
