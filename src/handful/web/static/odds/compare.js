// Compare two rulesets, two settings of one, or a draft with its base: in words and in odds.

import { html, useEffect, useState } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { fractionToNumber, localize } from "../app/format.js";
import { Fault } from "../ui/fault.js";
import { CopyRow } from "./export.js";
import { HouseRules } from "./seriesEditor.js";
import { GameSelect } from "./gameSelect.js";
import { Progress, useStream } from "./stream.js";
import { difference, minus, shownAs } from "./format.js";
import { after, before, fetched, games, catalog } from "./state.js";

const FEW = 15;

export function CompareTab() {
  const long = useStream();
  const [draft, setDraft] = useState("");
  const [drafting, setDrafting] = useState(false);
  const first = catalog.value.games[0]?.id;
  const one = { game: first, options: {}, ...before.value };
  const other = { game: one.game, options: {}, ...after.value };
  useEffect(() => { fetched(one.game); }, [one.game]);
  useEffect(() => { fetched(other.game); }, [other.game]);
  useEffect(() => { if (before.value.game || after.value.game) go(); }, []);

  function go(event) {
    event?.preventDefault();
    before.value = one;
    after.value = other;
    long.ask("/api/diff", { before: one, after: { ...other, ...(drafting && draft.trim() ? { text: draft } : {}) } });
  }
  const edition = (of, set, label) => html`
    <fieldset class="stack"><legend><strong>${label}</strong></legend>
      <${GameSelect} label=${t("odds.game")} value=${of.game} set=${(game) => set({ game, options: {} })} shelf=${catalog.value} />
      ${games.value[of.game] && html`<${HouseRules} game=${games.value[of.game]} options=${of.options}
        set=${(options) => set({ ...of, options })} />`}</fieldset>`;
  return html`
    <section class="panel stack"><h2>${t("odds.compare")}</h2>
      <p class="muted">${t("odds.compare_why")}</p>
      <form class="stack" onSubmit=${go}>
        <div class="editions">
          ${edition(one, (next) => { before.value = next; }, t("odds.before"))}
          ${drafting ? html`<fieldset class="stack"><legend><strong>${t("odds.draft")}</strong></legend>
              <label class="field"><span>${t("odds.draft_text")}</span>
                <textarea rows="10" spellcheck="false" value=${draft} placeholder=${`extends = "${one.game}"`} maxlength="60000"
                  onInput=${(event) => setDraft(event.target.value)}></textarea>
                <small>${t("odds.draft_hint")}</small></label></fieldset>`
            : edition(other, (next) => { after.value = next; }, t("odds.after"))}
        </div>
        <div class="row wrap"><button class="primary">${t("odds.compare_do")}</button>
          <label class="check"><input type="checkbox" checked=${drafting}
            onChange=${(event) => {
              setDrafting(event.target.checked);
              if (!draft) setDraft(`language = 2\nid = "draft"\nextends = "${one.game}"\n\n[title]\nen = "Draft"\n\n`);
            }} /> ${t("odds.draft_of_mine")}</label></div>
      </form>
      <${Progress} long=${long} />
      <${Fault} problem=${long.problem} />
      ${long.answer && html`<${Compared} answer=${long.answer} />`}
    </section>`;
}

const asked = (one) => [one.check, ...Object.entries(one.parameters).map(([name, value]) => `${name}=${value}`),
  ...one.sides.map((side, at) => `${at ? "vs " : ""}${Object.entries(side).map(([name, value]) => `${name}=${value}`).join(" ")}`)]
  .filter(Boolean).join(" ");

function Compared({ answer }) {
  const [most, setMost] = useState(FEW);
  return html`
    <div class="stack compared">
      <h3>${answer.before.name} → ${answer.after.name}</h3>
      ${answer.words.length ? html`<ul class="changes">${answer.words.map((one) => html`<li key=${one}>${one}</li>`)}</ul>`
        : html`<p>${t("odds.same_words")}</p>`}
      <p role="status">${t("odds.moved", { n: answer.count, of: answer.compared })}</p>
      ${answer.moved.length > 0 && html`
        <div class="scroll"><table class="figures">
          <thead><tr><th scope="col">${t("odds.check")}</th><th scope="col">${t("odds.before")}</th>
            <th scope="col">${t("odds.after")}</th><th scope="col">${t("odds.change")}</th>
            <th scope="col"><span class="hidden">${t("odds.picture")}</span></th></tr></thead>
          <tbody>${answer.moved.slice(0, most).map((one, n) => html`
            <tr key=${n}><th scope="row"><code>${asked(one)}</code></th>
              <td title=${one.before}>${shownAs(one.shows, one.before)}</td><td title=${one.after}>${shownAs(one.shows, one.after)}</td>
              <td><strong>${difference(one.shows, minus(one.after, one.before))}</strong></td><td><${Bars} one=${one} /></td></tr>`)}</tbody>
        </table></div>`}
      ${answer.moved.length > most && html`<button type="button" onClick=${() => setMost(most + 50)}>
        ${t("odds.more_moved", { n: answer.moved.length - most })}</button>`}
      <${CopyRow} things=${[
        ["JSON", () => ["diff.json", "application/json", JSON.stringify(answer, null, 2)]],
        ["Markdown", () => ["diff.md", "text/markdown", markdown(answer)]],
        [t("odds.command"), () => ["diff.txt", "text/plain", answer.command]],
      ]} />
    </div>`;
}

function markdown(answer) {
  const rows = answer.moved.map((one) => `| ${asked(one)} | ${shownAs(one.shows, one.before)} | ${shownAs(one.shows, one.after)} |`);
  return [...answer.words.map((one) => `- ${one}`), "", `| | ${t("odds.before")} | ${t("odds.after")} |`, "|---|---:|---:|", ...rows, ""].join("\n");
}

/** Two bars, before and after; the figures next to them carry the same data. */
function Bars({ one }) {
  const most = one.shows === "mean" ? Math.max(fractionToNumber(one.before), fractionToNumber(one.after), 1e-9) : 1;
  const wide = (figure) => Math.max(0, 110 * fractionToNumber(figure) / most);
  return html`<svg class="bars" width="110" height="20" aria-hidden="true">
    <rect class="was" y="1" width=${wide(one.before)} height="8" /><rect class="now" y="11" width=${wide(one.after)} height="8" /></svg>`;
}
