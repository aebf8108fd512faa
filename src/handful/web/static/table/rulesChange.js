// Change the table's rules, after a preview of the differences.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { game, may, seatPath } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { characterName, checkTitle, percent, localize, valueWord, wordFor } from "../app/format.js";
import { Fault, FaultAt } from "../ui/fault.js";
import { Select } from "../ui/select.js";
import { Text } from "../ui/textField.js";

const HASH = /[0-9a-f]{64}/;

export function RuleChange() {
  const [games, setGames] = useState([]);
  const [chosen, setChosen] = useState("");
  const [link, setLink] = useState("");
  const [found, setFound] = useState(null);
  const [problem, setProblem] = useState(null);
  useEffect(() => { ask("/api/games").then(setGames, setProblem); }, []);
  if (!may("rules")) return null;
  const brew = HASH.exec(link)?.[0] ?? "";
  const look = async (event) => {
    event.preventDefault();
    setProblem(null);
    setFound(null);
    try {
      setFound(await ask(seatPath("rules"), chosen ? { game: chosen } : { brew }));
    } catch (error) {
      setProblem(error);
    }
  };
  const take = async () => {
    const done = await act("rules", { hash: found.game.hash, dismisses: Object.keys(found.unfit) }, "rules");
    if (done) setFound(null);
  };
  return html`
    <details class="box"><summary>${t("rules.change")}</summary>
      <form class="stack" onSubmit=${look}>
        <p class="small muted">${t("rules.why")} <a href="/edit">${t("start.own_do")}</a></p>
        <${Select} label=${t("rules.which")} value=${chosen} set=${(next) => { setChosen(next); setFound(null); }}
          options=${[["", t("rules.own")], ...games.map((one) => [one.id, localize(one.title)])]} />
        ${!chosen && html`<${Text} label=${t("rules.link")} value=${link} set=${(next) => { setLink(next); setFound(null); }}
          hint=${t("rules.link_hint")} />`}
        <${Fault} problem=${problem} onClose=${() => setProblem(null)} />
        <div class="row"><button disabled=${!chosen && !brew}>${t("rules.look")}</button></div>
      </form>
      <div aria-live="polite">${found && html`<${Preview} found=${found} take=${take} />`}</div>
      <${FaultAt} place="rules" />
    </details>`;
}

function Preview({ found, take }) {
  const list = (title, entries) => entries.length > 0 && html`<h4>${title}</h4><ul class="changes small">${entries}</ul>`;
  const unfit = Object.entries(found.unfit);
  return html`
    <div class="stack">
      <h3>${localize(found.title)}</h3>
      ${list(t("rules.waits"), found.waits_for.map((one) => html`<li key=${one}>⏳ ${one}</li>`))}
      ${list(t("rules.unfit"), unfit.map(([name, why]) => html`<li key=${name}><strong>${characterName(name)}</strong>: ${why[0]}</li>`))}
      ${list(t("rules.dropped"), found.dropped.map((one) => html`<li key=${one}>${wordFor(one)}</li>`))}
      ${list(t("rules.moved"), found.moved.map((one, at) => html`<li key=${at}>${checkTitle(one.check)}
        ${" "}${given(one)}: ${percent(one.before)} → <strong>${percent(one.after)}</strong></li>`))}
      ${list(t("rules.words"), found.words.map((one, at) => html`<li key=${at}>${one}</li>`))}
      ${!found.words.length && !found.moved.length && html`<p class="small muted">${t("rules.same")}</p>`}
      <p class="small muted">${t("rules.keep")}</p>
      <div class="row"><button type="button" class="primary" disabled=${found.waits_for.length > 0}
        onClick=${take}>${t("rules.take")}</button></div>
    </div>`;
}

/** A check's parameters in words. */
function given({ check, parameters, sides }) {
  const all = [...Object.entries(parameters), ...sides.flatMap((side) => Object.entries(side))];
  return all.map(([name, value]) => `${wordFor(name)} ${valueWord(check, name, value)}`).join(", ");
}

/** The rules in use at this table. */
export const rulesNow = () => html`<p>${t("rules.now")} <strong>${localize(game.value.title)}</strong>${" "}
  <code>${game.value.hash.slice(0, 12)}</code></p>`;
