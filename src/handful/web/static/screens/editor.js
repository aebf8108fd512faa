// The ruleset editor: the file with inline mistakes on the left, odds and test rolls on the right.
// A narrow screen shows one of the two at a time.

import { html, useEffect, useRef, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { t } from "../app/i18n.js";
import { StartEditing } from "../editor/start.js";
import { startWith, cases, checked, initialText, watchTexts, isGood, savedTexts, mistakes, problem, text } from "../editor/model.js";
import { Code, Faults } from "../editor/codeField.js";
import { Form } from "../editor/form.js";
import { PublishButtons, Share, Use } from "../editor/publish.js";
import { SectionList } from "../editor/sections.js";
import { Tryout, CaseResults } from "../editor/tryout.js";
import { HomeLink } from "../ui/homeLink.js";
import { Fault } from "../ui/fault.js";
import { Tabs } from "../ui/tabs.js";

const PARTS = ["write", "try"];

export function EditScreen({ hash }) {
  const [lost, setLost] = useState(null);
  useEffect(() => {
    watchTexts();
    const before = savedTexts();
    if (before?.text) startWith(before.text, before.cases, before.first);
    else if (hash) ask(`/api/brews/${hash}`).then((found) => startWith(found.ruleset, found.cases), setLost);
  }, []);
  document.title = `${t("edit.title")} · ${t("name")}`;
  if (text.value === null) {
    return html`
      <main class="page narrow stack"><header><${HomeLink} /></header><h1>${t("edit.title")}</h1>
        <${Fault} problem=${lost} />
        ${(!hash || lost) && html`<${StartEditing} />`}
        <p><a href="/">${t("lost.start")}</a></p></main>`;
  }
  return html`<${Workspace} />`;
}

function Workspace() {
  const [part, setPart] = useState("write");
  const [tab, setTab] = useState("text");
  const [shown, show] = useState("");
  const field = useRef(null);
  const set = (next) => { text.value = next; };
  const base = useKept(checked.value.base);
  const tabs = [
    { name: "text", title: t("edit.text"), body: () => html`
      <${SectionList} value=${text.value} field=${field} />
      <${Code} label=${t("edit.text_label")} value=${text.value} set=${set} faults=${mistakes.value} says="faults"
        field=${field} />
      <${Faults} id="faults" faults=${mistakes.value} field=${field} />` },
    { name: "form", title: t("edit.form"), body: () => html`<${Form} />` },
    { name: "cases", title: t("edit.cases"), body: () => html`
      <p class="small muted">${t("edit.cases_why")}</p>
      <${Code} label=${t("edit.cases_label")} value=${cases.value} set=${(next) => { cases.value = next; }} />` },
    ...(base ? [{ name: "base", title: t("edit.base_tab", { game: base }), body: () => html`<${Base} game=${base} />` }] : []),
  ];
  return html`
    <div class="workspace" data-part=${part}>
      <header class="top"><${HomeLink} words=${false} /><h1>${t("edit.title")}</h1>
        <p class="me state">${stateText()}</p></header>
      <${PublishButtons} shown=${shown} show=${show} />
      ${shown === "begin" && html`<div class="box"><${StartEditing} back=${() => show("")} /></div>`}
      ${shown === "share" && isGood.value && html`<${Share} key=${text.value + cases.value} />`}
      ${shown === "use" && isGood.value && html`<${Use} back=${() => show("")} />`}
      <${Fault} problem=${problem.value} onClose=${() => { problem.value = null; }} />
      <div class="columns">
        <main class="write" aria-label=${t("edit.write")}><${Tabs} tabs=${tabs} now=${tab} set=${setTab}
          label=${t("edit.write")} /></main>
        <section class="try stack" aria-label=${t("edit.try")}>
          <div class="panel"><${Tryout} /></div><${CaseResults} />
        </section>
      </div>
      <nav class="switch" aria-label=${t("table.parts")}>${PARTS.map((one) => html`
        <button type="button" key=${one} aria-current=${part === one ? "page" : null}
          onClick=${() => { setPart(one); scrollTo(0, 0); }}>${t(`edit.${one}`)}${one === "write" && mistakes.value.length
            ? html` <span class="count">${mistakes.value.length}</span>` : ""}</button>`)}</nav>
    </div>`;
}

/** The last valid game, so that a mistake in the text does not clear the right side. */
function useKept(now) {
  const last = useRef("");
  if (checked.value.game) last.current = now;
  return last.current;
}

/** The file that the ruleset extends, to read and copy from. */
function Base({ game }) {
  const [found, setFound] = useState("");
  const [lost, setLost] = useState(null);
  useEffect(() => { ask(`/api/brews/bases/${game}`).then((one) => setFound(one.ruleset), setLost); }, [game]);
  return html`<p class="small muted">${t("edit.base_why")}</p><${Fault} problem=${lost} />
    <${Code} label=${t("edit.base_label")} value=${found} readonly />`;
}

/** The state of the text in one word. */
function stateText() {
  if (checked.value.of !== text.value) return t("edit.reading");
  if (!isGood.value) return `⚠ ${t("edit.wrong")}`;
  return text.value === initialText.value ? `✓ ${t("edit.good")}` : `✓ ${t("edit.good_changed")}`;
}
