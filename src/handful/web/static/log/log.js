// The log: search, filter, export, verify.

import { html, useState } from "../app/lib.js";
import { lines, openDialog, seatPath, shownPart, switchView, view } from "../app/state.js";
import { formatDay, formatTime, t, tn } from "../app/i18n.js";
import { eventText, topicOf } from "./eventText.js";
import { checkLog, spokenDigits } from "./verify.js";
import { Select } from "../ui/select.js";

const MOST = 300, TOPICS = ["all", "rolls", "requests", "characters", "fights", "talk", "table"];

/** The card a line is about, if it is shown. */
const about = ({ data }) => view.value.rolls.some((one) => one.roll === data.roll) && data.roll;

const today = () => formatDay(Date.now());

export function Log() {
  const [search, setSearch] = useState("");
  const [topic, setTopic] = useState("all");
  const [seat, setSeat] = useState("");
  const wanted = search.trim().toLowerCase();
  const found = lines.value.map((line) => ({ line, says: eventText(line) })).filter(({ line, says }) =>
    (topic === "all" || topicOf(line.kind) === topic) && (!seat || line.seat === seat)
    && (!wanted || `${line.n} ${says} ${line.data.roll ?? ""}`.toLowerCase().includes(wanted)));
  const shown = found.slice(-MOST).reverse();
  return html`
    <div class="stack">
      <label class="field"><span>${t("log.search")}</span><input type="search" value=${search}
        onInput=${(event) => setSearch(event.target.value)} /></label>
      <div class="row">
        <${Select} grow label=${t("log.topic")} value=${topic} set=${setTopic}
          options=${TOPICS.map((one) => [one, t(`topic.${one}`)])} />
        <${Select} grow label=${t("log.seat")} value=${seat} set=${setSeat}
          options=${[["", t("log.anybody")], ...view.value.seats.map((one) => [one.name, one.name])]} />
      </div>
      <${Export} />
      <${Head} />
      <p class="small muted" role="status">${tn("log.count", found.length)}</p>
      <ol class="log">${shown.map(({ line, says }, at) => html`
        ${formatDay(line.time) !== (at ? formatDay(shown[at - 1].line.time) : today()) && html`
          <li key=${`day ${line.n}`}><p class="divider"><span>${formatDay(line.time)}</span></p></li>`}
        <li key=${line.n}><span class="number">#${line.n}</span>
          <span class="sentence"><${Says} line=${line} says=${says} /></span>
          <time datetime=${line.time} class="number">${formatTime(line.time)}</time></li>`)}
      </ol>
    </div>`;
}

/** The head of the public chain, the same for everybody, as digits that players can read to each other. */
function Head() {
  const last = lines.value.findLast((line) => line.public)?.public;
  if (!last) return null;
  return html`<p class="small">${t("log.head", { n: last.n, digits: spokenDigits(last.hash) })}
    <span class="muted">${t("log.head_hint")}</span></p>`;
}

/** A log line that links to its card. */
function Says({ line, says }) {
  const card = about(line);
  if (!card) return says;
  return html`<a href=${`#card-${card}`} onClick=${() => { shownPart.value = "feed"; }}>${says}</a>`;
}

function Export() {
  const [checked, setChecked] = useState("");
  const path = seatPath("export");
  const check = async () => setChecked(await checkLog(await (await fetch(path)).text()));
  return html`
    <div class="row wrap">
      <button type="button" onClick=${() => switchView("log")}>${t("log.read")}</button>
      <a class="button" href=${path} download>${t("log.export")}</a>
      <button type="button" onClick=${check}>${t("log.verify")}</button>
      <button type="button" aria-haspopup="dialog"
        onClick=${() => { openDialog.value = { name: "luck" }; }}>${t("luck.title")}</button>
    </div>
    <p role="status" class="small">${checked}</p>`;
}
