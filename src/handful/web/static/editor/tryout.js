// Try the game: exact odds of a check, a roll, and the results of its worked examples.

import { html, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { t, tn } from "../app/i18n.js";
import { checkOf, percent, localize, wordFor } from "../app/format.js";
import { game } from "../app/state.js";
import { CheckForm } from "../table/checkForm.js";
import { Chance, Spread } from "../table/chance.js";
import { Dice } from "../ui/dice.js";
import { Fault } from "../ui/fault.js";
import { Outcome } from "../table/outcome.js";
import { checkQuery, draft, isGood, tryout, text, caseResults } from "./model.js";

export function Tryout() {
  const [rolled, setRolled] = useState(null);
  const [problem, setProblem] = useState(null);
  const now = draft.value;
  const check = now && game.value && checkOf(now.check);
  if (!check) return html`<p class="muted">${t("edit.no_game")}</p>`;
  const { odds, before } = tryout.value;
  const { main } = check;
  const roll = async () => {
    setProblem(null);
    try {
      setRolled(await ask("/api/brews/roll", { ruleset: text.value, ...checkQuery(now) }));
    } catch (error) {
      setProblem(error);
    }
  };
  return html`
    <div class="stack">
      <h2>${localize(game.value.title)}</h2>
      <${CheckForm} draft=${now} set=${(next) => { draft.value = next; }} anybody=${false} />
      <div class="go"><div><${Chance} found=${tryout.value} main=${main} /><${Moved} odds=${odds} before=${before} /></div>
        <button type="button" class="primary" disabled=${!isGood.value || !odds} onClick=${roll}>${t("edit.roll")}</button></div>
      ${!isGood.value && html`<p class="small muted">${t("edit.stale")}</p>`}
      <${Spread} odds=${odds} main=${main} />
      <${Fault} problem=${problem} onClose=${() => setProblem(null)} />
      <div aria-live="polite">${rolled && html`<${Rolled} rolled=${rolled} />`}</div>
    </div>`;
}

/** Change of the chance since the initial text. */
function Moved({ odds, before }) {
  if (typeof odds?.success !== "string" || typeof before?.success !== "string") return null;
  const without = before.without.map((one) => localize(one.label)).join(", ");
  return html`<p class="small moved">${before.success === odds.success ? t("edit.same")
    : t(without ? "edit.moved_without" : "edit.moved", { was: percent(before.success), without })}</p>`;
}

function Rolled({ rolled }) {
  const { dice, main } = rolled;
  const sides = [...new Set(dice.map((one) => one.side))];
  const outcome = { ...rolled.tally, [main]: rolled.result, success: rolled.success, margin: rolled.margin, wins: rolled.wins };
  const events = rolled.events.map((event) => ({ event, says: wordFor(event) }));
  return html`
    <div class="card">
      ${sides.map((side) => {
        const own = dice.filter((one) => one.side === side);
        return html`<${Dice} key=${side} dice=${own} sides=${own[0].sides} />`;
      })}
      <${Outcome} roll=${{ outcome, main, events, judged: [] }} />
    </div>`;
}

/** The worked examples: passed, or with the actual result. */
export function CaseResults() {
  const found = caseResults.value;
  if (!found) return null;
  if (found.mistakes.length) return html`<${Fault} problem=${found.mistakes[0]} />`;
  const wrong = found.cases.filter((one) => one.differences.length).length;
  return html`
    <section class="stack" aria-label=${t("edit.cases")}>
      <p role="status">${found.cases.length ? wrong ? tn("edit.cases_wrong", wrong) : tn("edit.cases_good", found.cases.length)
        : t("edit.cases_none")}</p>
      <ul class="ticks">${found.cases.map((one, at) => html`
        <li key=${at} class=${one.differences.length ? "bad" : "good"}>
          <span aria-hidden="true">${one.differences.length ? "✗" : "✓"}</span>
          <span class="hidden">${one.differences.length ? t("edit.case_wrong") : t("edit.case_good")}</span> ${one.name}
          ${one.differences.map((own, n) => html`<small key=${n}>${own.what === "error" ? t("edit.impossible", { why: own.found })
            : t("edit.differs", { where: t(`edit.way.${own.way}`), what: own.what, expected: says(own.expected), found: says(own.found) })}</small>`)}
        </li>`)}</ul>
    </section>`;
}

const says = (value) => (typeof value === "string" ? value : JSON.stringify(value));
