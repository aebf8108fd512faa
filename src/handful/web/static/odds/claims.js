// Claims: statements about odds, checked against exact figures; a game's own, and new ones.

import { fractionToNumber } from "../app/format.js";
import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { t } from "../app/i18n.js";
import { Fault } from "../ui/fault.js";
import { CopyRow } from "./export.js";
import { GameSelect } from "./gameSelect.js";
import { difference, minus, shownAs } from "./format.js";
import { active, claims, fetched, problem, series, catalog, tab } from "./state.js";
import { nextId } from "./series.js";

const EXAMPLE = (game) => `[[claim]]
id = "mine"
says = "…"
check = "${game?.checks[0]?.name ?? "check"}"
params = { }
range = ["50%", "60%"]
`;

export function ClaimsTab() {
  const game = claims.value || catalog.value.games[0]?.id;
  const [found, setFound] = useState(null);
  const [fault, setFault] = useState(null);
  const [own, setOwn] = useState("");
  const [mine, setMine] = useState(null);
  useEffect(() => {
    setFound(null);
    setMine(null);
    ask(`/api/games/${encodeURIComponent(game)}/claims`).then(setFound, setFault);
  }, [game]);
  const judge = async (event) => {
    event.preventDefault();
    setFault(null);
    try {
      setMine(await ask(`/api/games/${encodeURIComponent(game)}/claims`, { text: own }));
    } catch (error) {
      setMine(null);
      setFault(error);
    }
  };
  return html`
    <section class="panel stack"><h2>${t("odds.claims")}</h2>
      <p class="muted">${t("odds.claims_why")}</p>
      <div class="narrow"><${GameSelect} label=${t("odds.game")} value=${game} set=${(id) => { claims.value = id; }} shelf=${catalog.value} /></div>
      ${found ? html`<${Verdicts} judged=${found} game=${game} lang="en" />` : html`<p role="status">…</p>`}
      <details class="more" onToggle=${async (event) => { if (event.target.open && !own) setOwn(EXAMPLE(await fetched(game))); }}>
        <summary>${t("odds.own_claims")}</summary>
        <form class="stack" onSubmit=${judge}>
          <label class="field"><span>${t("odds.own_claims_text")}</span>
            <textarea rows="8" spellcheck="false" maxlength="60000" value=${own} onInput=${(event) => setOwn(event.target.value)}></textarea></label>
          <div class="row"><button>${t("odds.judge")}</button></div>
        </form></details>
      <${Fault} problem=${fault} onClose=${() => setFault(null)} />
      ${mine && html`<${Verdicts} judged=${mine} game=${game} />`}
    </section>`;
}

/** Add a claim's check to the series. */
async function open(game, claim) {
  try {
    await fetched(game);
    const typed = (values) => Object.fromEntries(Object.entries(values).map(([name, value]) =>
      [name, typeof value === "number" ? String(value) : value]));
    const one = { id: nextId(), game, check: claim.check, whole: typed(claim.parameters), sides: claim.sides.map(typed),
      options: claim.options, policy: claim.policy };
    series.value = [one];
    active.value = 0;
    tab.value = "odds";
  } catch (error) {
    problem.value = error;
  }
}

/** Distance of the exact figure from the claimed range. */
function off(claim) {
  const [low, high] = claim.range;
  const above = minus(claim.figure, high);
  return difference(claim.shows, fractionToNumber(above) > 0 ? above : minus(claim.figure, low));
}

/** Shipped claims quote the rulebooks, which are in English. */
function Verdicts({ judged, game, lang }) {
  if (!judged.claims.length) return html`<p>${t("odds.no_claims")}</p>`;
  const ends = (claim) => claim.range.map((end) => (claim.against ? difference(claim.shows, end) : shownAs(claim.shows, end)));
  const real = (claim, figure) => (figure === null ? t("odds.nothing") : claim.against ? difference(claim.shows, figure)
    : shownAs(claim.shows, figure));
  const sources = [...new Set(judged.claims.map((one) => one.source))];
  const count = (some) => t("odds.verdicts", { true: some.filter((one) => one.true).length, false: some.filter((one) => !one.true).length });
  return html`
    <p role="status"><strong>${count(judged.claims)}</strong>${sources.length > 1 && sources.map((source) => html`<br
      />${source}: ${count(judged.claims.filter((one) => one.source === source))}`)}</p>
    <div class="scroll"><table class="figures verdicts">
      <thead><tr><th scope="col">${t("odds.verdict")}</th><th scope="col">${t("odds.remark")}</th><th scope="col">${t("odds.real")}</th>
        <th scope="col">${t("odds.allowed")}</th><th scope="col">${t("odds.would")}</th></tr></thead>
      <tbody>${judged.claims.map((claim) => html`
        <tr key=${claim.id} class=${claim.true ? "right" : "wrong"}>
          <td>${claim.true ? html`<span class="good">✓ ${t("odds.true")}</span>` : html`<strong class="bad">✗ ${t("odds.false")}</strong>`}</td>
          <th scope="row"><button type="button" class="ghost small" lang=${lang} title=${claim.id} onClick=${() => open(game, claim)}>${claim.says}</button>${
            claim.source && html`<br /><small class="muted" lang=${lang}>${claim.source}</small>`}</th>
          <td title=${claim.figure}><strong>${real(claim, claim.figure)}</strong>${!claim.true && claim.figure !== null
            && html`<br /><small>${t("odds.off", { by: off(claim) })}</small>`}</td><td>${ends(claim).join(" – ")}</td>
          <td>${claim.would_be_true.map((one) => html`<div
            key=${one.parameter}>${`${one.parameter}=${one.value}: ${shownAs(claim.shows, one.figure)}`}</div>`)}</td></tr>`)}</tbody>
    </table></div>
    <${CopyRow} things=${[
      ["JSON", () => ["claims.json", "application/json", JSON.stringify(judged, null, 2)]],
      [t("odds.command"), () => ["claims.txt", "text/plain", judged.command]],
    ]} />`;
}
