// The outcome of a roll: success or failure, numbers, further events.

import { html, useState } from "../app/lib.js";
import { game } from "../app/state.js";
import { isLive } from "../ui/throw.js";
import { t, tn } from "../app/i18n.js";
import { formatNumber, resultText, sideName, wordFor } from "../app/format.js";

const SHOWN = new Set(["success", "margin", "wins"]);

/** The outcome in one sentence, for screen readers. */
export function outcomeText(roll) {
  const { outcome, main } = roll;
  if (!outcome) return "";
  const parts = [compares(roll) ? winners(roll) : "", verdict(roll)];
  if (outcome[main] !== undefined && outcome[main] !== null) parts.push(Array.isArray(outcome[main])
    ? `${wordFor(main)} ${value(outcome[main], roll)}` : resultText(main, outcome[main]));
  return [...parts, ...roll.events.map((one) => wordFor(one.event))].filter(Boolean).join(", ");
}

/** True if the result names the winners among several sides. */
const compares = (roll) => roll.outcome.wins?.length > 1;

const successWord = (success) => (success === true ? t("success") : success === false ? t("failure") : "");

/** Success in words, one word per opponent; empty if winners are named instead. */
function verdict(roll) {
  const { success } = roll.outcome;
  if (!Array.isArray(success)) return compares(roll) ? "" : successWord(success);
  return success.map((one, at) =>
    t("contest.against", { who: sideName(roll, at + 2), what: successWord(one) })).join(" · ");
}

/** A value in words; pairs are [side, value]. */
function value(one, roll) {
  if (one === true) return t("yes");
  if (one === false) return t("no");
  if (!Array.isArray(one)) return formatNumber(one);
  if (one.length && one.every((pair) => Array.isArray(pair) && pair.length === 2)) {
    return one.map(([side, own]) => `${sideName(roll, side)} ${value(own, roll)}`).join(", ");
  }
  return one.map((each) => value(each, roll)).join(", ");
}

/** The remaining fields in words: ranked sides, and values per side in that order. */
function restText(name, one, roll) {
  const { ranking, gaps } = roll.outcome;
  if (name === "ranking") return ranking.map((side) => sideName(roll, side)).join(", ");
  if (name === "gaps" && gaps.length === ranking?.length) return value(ranking.map((side, at) => [side, gaps[at]]), roll);
  return value(one, roll);
}

/** Names of the winners. */
function winners(roll) {
  const names = roll.outcome.wins.map((one, at) => one && sideName(roll, at + 1)).filter(Boolean);
  return names.length ? tn("contest.wins", names.length, { who: names.join(", ") }) : t("contest.nobody");
}

/** The margin in words: 1 over, 2 short. */
function marginText(margin, success) {
  const size = formatNumber(margin);
  if (size === "0") return t(success === false ? "roll.tied" : "roll.even");
  return size.startsWith("−") ? t("roll.short", { n: size.slice(1) }) : t("roll.over", { n: size });
}

const SIGNS = { good: "M4 10.5l4 4L16 6", bad: "M5 5l10 10M15 5L5 15", wins: "M10 3l2.1 4.6 5 .6-3.7 3.4 1 5L10 14.2l-4.4 2.4 1-5L2.9 8.2l5-.6z",
  plain: "M4 10h12" };

/** Events that the game calls critical, and the others, which merely explain. */
function eventsOf({ events }) {
  const isCritical = ({ event }) => (game.value?.critical ?? []).includes(event);
  return { critical: events.filter(isCritical), plain: events.filter((one) => !isCritical(one)) };
}

export function Outcome({ roll, brief = false, known = false }) {
  const { outcome, main, judged } = roll;
  const { critical, plain } = eventsOf(roll);
  const { success, margin } = outcome;
  const [arrives] = useState(() => isLive() && !known);
  const good = Array.isArray(success) ? success.some(Boolean) : success;
  const says = verdict(roll);
  const plainly = compares(roll) || success === null || success === undefined; // one side's success is another's failure
  const tone = plainly ? "plain" : good ? "good" : "bad";
  const rest = Object.entries(outcome).filter(([name, one]) =>
    name !== main && !SHOWN.has(name) && one !== null && (Array.isArray(one) ? one.length : typeof one !== "object"));
  const number = outcome[main] !== undefined && outcome[main] !== null;
  return html`
    <div class=${`outcome ${tone} ${critical.length ? "moment" : ""} ${arrives ? "arrives" : ""}`}>
      <svg class="ico sign" viewBox="0 0 20 20" aria-hidden="true"><path d=${SIGNS[compares(roll) ? "wins" : tone]} /></svg>
      <div class="result">
        ${critical.map((one) => html`<p key=${one.event} class="event"><span aria-hidden="true">✦</span> ${wordFor(one.event)}</p>`)}
        ${(says || compares(roll)) && html`<p class="verdict">${[compares(roll) && winners(roll), says].filter(Boolean).join(" · ")}</p>`}
        ${plain.map((one) => html`<p key=${one.event} class="reason">${wordFor(one.event)}</p>`)}
        ${number && html`<p class=${says || compares(roll) ? "main" : "main alone"}><strong>${value(outcome[main], roll)}</strong> ${wordFor(main, outcome[main])}</p>`}
      </div>
      ${margin !== undefined && margin !== null && html`<p class="margin"><${Margin} margin=${margin} success=${success} /></p>`}
      ${!brief && rest.length > 0 && html`<dl class="rest">${rest.map(([name, one]) => html`
        <div key=${name}><dt>${wordFor(name)}</dt><dd>${restText(name, one, roll)}</dd></div>`)}</dl>`}
      ${judged.map((one, at) => html`<p key=${at}
        class="ruling"><strong>${one.by}:</strong> ${one.grade} ${one.words}</p>`)}
    </div>`;
}

/** The margin: its size large, in words below; read as "1 over". */
function Margin({ margin, success }) {
  const words = marginText(margin, success);
  const size = formatNumber(margin).replace(/^−/, "");
  const [before, after = ""] = words.split(size);
  return words.includes(size) ? html`${before && html`<small>${before}</small> `}<b>${size}</b> <small>${after.trim()}</small>`
    : html`<small>${words}</small>`;
}
