// The log as a page to read and print: each evening with a summary and its story.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { game, lines, seatPath, view } from "../app/state.js";
import { formatDay, formatTime, t, tn } from "../app/i18n.js";
import { characterName, localize, wordFor } from "../app/format.js";
import { asText, fetchEvenings, readable } from "../log/wholeLog.js";
import { eventText } from "../log/eventText.js";
import { percentile } from "../log/luck.js";
import { Avatar } from "../ui/avatar.js";
import { Fault } from "../ui/fault.js";
import { textButton } from "../ui/button.js";

export function LogPage() {
  const [evenings, setEvenings] = useState(null);
  const [problem, setProblem] = useState(null);
  const [everything, setEverything] = useState(false);
  useEffect(() => { fetchEvenings().then(setEvenings, setProblem); }, [lines.value.at(-1)?.n]);
  return html`
    <main class="logpage stack loose">
      <h2>${t("log.of", { table: view.value.table })}</h2>
      <div class="row wrap noprint">
        ${textButton(t("log.print"), () => print())}
        ${evenings && textButton(t("log.text"), () => download(asText(evenings, everything)))}
        <label class="row"><input type="checkbox" checked=${everything}
          onChange=${(event) => setEverything(event.target.checked)} /> <span>${t("log.everything")}</span></label>
      </div>
      <${Fault} problem=${problem} onClose=${() => setProblem(null)} />
      ${!evenings && !problem && html`<p role="status">${t("log.reading")}</p>`}
      ${[...(evenings ?? [])].reverse().map((one) => html`<${Evening} key=${one.first} evening=${one} everything=${everything} />`)}
    </main>`;
}

function download(text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = `${view.value.table}.txt`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function Evening({ evening, everything }) {
  const shown = readable(evening, everything);
  return html`
    <section class="evening card stack" aria-label=${formatDay(evening.begins)}>
      <header><h3>${formatDay(evening.begins)}</h3>
        <p class="muted small">${formatTime(evening.begins)}–${formatTime(evening.ends)} · ${tn("log.rolls", evening.rolls)}</p></header>
      ${evening.rolls > 0 && html`<${Summary} evening=${evening} />`}
      <ol class="story">${shown.map((line) => html`
        <li key=${line.n}><time class="muted num" datetime=${line.time}>${formatTime(line.time)}</time>
          <span class="words">${eventText(line)}</span></li>`)}</ol>
    </section>`;
}

/** Who rolled how often and how it went; luck on request, because it takes a while. */
function Summary({ evening }) {
  const [luck, setLuck] = useState(null);
  const [problem, setProblem] = useState(null);
  const look = () => ask(seatPath(`luck?first=${evening.first}&last=${evening.last}`)).then(setLuck, setProblem);
  const judged = Object.values(evening.seats).some((one) => one.successes + one.failures);
  return html`
    <div class="sideways" tabindex="0" role="group" aria-label=${t("log.summary")}><table class="figures summary">
      <thead><tr><th scope="col">${t("luck.who")}</th><th scope="col">${t("luck.count")}</th><th scope="col">${t("log.dice")}</th>
        ${judged && html`<th scope="col">${t("log.succeeded")}</th>`}${luck && html`<th scope="col">${t("log.lucky")}</th>`}
        <th scope="col" class="text">${t("log.special")}</th></tr></thead>
      <tbody>${Object.entries(evening.seats).map(([name, one]) => html`
        <tr key=${name}><th scope="row"><span class="row"><${Avatar} name=${name} size="s"
            colour=${view.value.seats.find((seat) => seat.name === name)?.colour} />${name}</span></th>
          <td>${one.rolls}</td><td>${one.dice}</td>${judged && html`<td>${one.successes}</td>`}
          ${luck && html`<td>${luck.seats[name] ? percentile(luck.seats[name].percentile) : "–"}</td>`}
          <td class="text">${one.events.map((event) => `${event.count} × ${wordFor(event.event)}`).join(", ")}</td></tr>`)}</tbody>
    </table></div>
    <${Points} points=${evening.points} />
    <${Fault} problem=${problem} onClose=${() => setProblem(null)} />
    ${!luck && html`<p class="noprint">${textButton(t("log.luck"), look, { class: "ghost" })}</p>`}`;
}

function Points({ points }) {
  const titles = game.value.sheet?.resources ?? {};
  const said = Object.entries(points).map(([character, changes]) => `${characterName(character)}: ${Object.entries(changes)
    .map(([name, by]) => `${localize(titles[name]?.title, wordFor(name))} ${by > 0 ? "+" : "−"}${Math.abs(by)}`).join(", ")}`);
  return said.length > 0 && html`<p class="small">${said.join(" · ")}</p>`;
}
