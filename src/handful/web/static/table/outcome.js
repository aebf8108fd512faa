// What came of a roll: in one word, in numbers, and what else happened.

import { html } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { plain, sideName, signed, word } from "../app/format.js";

const SHOWN = new Set(["success", "margin", "wins"]);

/** One sentence, for those who listen. */
export function outcomeSays(roll) {
  const { outcome, main } = roll;
  if (!outcome) return "";
  const parts = [compares(roll) ? winners(roll) : "", verdict(roll)];
  if (outcome[main] !== undefined && outcome[main] !== null) parts.push(`${word(main)} ${value(outcome[main], roll)}`);
  return [...parts, ...roll.events.map((one) => word(one.event))].filter(Boolean).join(", ");
}

/** Whether it says which of several sides wins. */
const compares = (roll) => roll.outcome.wins?.length > 1;

const successWord = (success) => (success === true ? t("success") : success === false ? t("failure") : "");

/** Success in words; against several for each of them, and nothing where it is said who wins. */
function verdict(roll) {
  const { success } = roll.outcome;
  if (!Array.isArray(success)) return compares(roll) ? "" : successWord(success);
  return success.map((one, at) =>
    t("contest.against", { who: sideName(roll, at + 2), what: successWord(one) })).join(" · ");
}

/** A value in words; pairs are of a side and what it has. */
function value(one, roll) {
  if (one === true) return t("yes");
  if (one === false) return t("no");
  if (!Array.isArray(one)) return plain(one);
  if (one.length && one.every((pair) => Array.isArray(pair) && pair.length === 2)) {
    return one.map(([side, own]) => `${sideName(roll, side)} ${value(own, roll)}`).join(", ");
  }
  return one.map((each) => value(each, roll)).join(", ");
}

/** What else there is, in words: the sides in their order, and what each of them has by that order. */
function restSays(name, one, roll) {
  const { ranking, gaps } = roll.outcome;
  if (name === "ranking") return ranking.map((side) => sideName(roll, side)).join(", ");
  if (name === "gaps" && gaps.length === ranking?.length) return value(ranking.map((side, at) => [side, gaps[at]]), roll);
  return value(one, roll);
}

/** Who wins, by name. */
function winners(roll) {
  const names = roll.outcome.wins.map((one, at) => one && sideName(roll, at + 1)).filter(Boolean);
  return names.length ? t("contest.wins", { who: names.join(", ") }) : t("contest.nobody");
}

export function Outcome({ roll, brief = false }) {
  const { outcome, main, events, judged } = roll;
  const { success, margin } = outcome;
  const good = Array.isArray(success) ? success.some(Boolean) : success;
  const says = verdict(roll);
  const plainly = compares(roll) || success === null || success === undefined; // one side's success is another's failure
  const rest = Object.entries(outcome).filter(([name, one]) =>
    name !== main && !SHOWN.has(name) && one !== null && (Array.isArray(one) ? one.length : typeof one !== "object"));
  return html`
    <div class=${`outcome ${plainly ? "" : good ? "good" : "bad"}`}>
      <p class="result">
        ${compares(roll) && html`<span class="verdict"><span aria-hidden="true">★</span> ${winners(roll)}</span>`}
        ${says && html`<span class="verdict">
          ${!plainly && html`<span aria-hidden="true">${good ? "✓" : "✗"}</span> `}${says}</span>`}
        ${outcome[main] !== undefined && outcome[main] !== null && html`
          <span class="main"><strong>${value(outcome[main], roll)}</strong> ${word(main)}</span>`}
        ${margin !== undefined && margin !== null
          && html`<span class="margin">${t("roll.margin")} <strong>${signed(margin)}</strong></span>`}
      </p>
      ${!brief && rest.length > 0 && html`<dl class="rest">${rest.map(([name, one]) => html`
        <div key=${name}><dt>${word(name)}</dt><dd>${restSays(name, one, roll)}</dd></div>`)}</dl>`}
      ${events.map((one) => html`<p key=${one.event} class="event"><span aria-hidden="true">✦</span> ${word(one.event)}</p>`)}
      ${judged.map((one, at) => html`<p key=${at}
        class="ruling"><strong>${one.by}:</strong> ${one.grade} ${one.words}</p>`)}
    </div>`;
}
