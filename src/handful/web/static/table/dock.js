// The dock: at the foot of the feed what this seat may start; on a phone one large button between the two parts.
// If something waits for this seat, the large button is the answer to it.

import { html } from "../app/lib.js";
import { actTab, may, shownPart, showPart } from "../app/state.js";
import { act } from "../app/socket.js";
import { t, tn } from "../app/i18n.js";
import { checkTitle } from "../app/format.js";
import { inbox, inboxCount } from "../app/inbox.js";
import { ownTurns } from "../fight/state.js";
import { reactions } from "../fight/reactionState.js";
import { unread } from "../chat/messages.js";
import { focusFirst } from "../ui/focus.js";
import { icon } from "../ui/icons.js";
import { offeredActions } from "./actionPanel.js";
import { goToCard } from "./feed.js";
import { rolledWhat } from "./rollCard.js";

const ICONS = { roll: "plus", ask: "ask", contest: "versus", fight: "sword", call: "flag" };

/** Open the composer for something. */
function compose(name) {
  actTab.value = name;
  showPart("act");
  focusFirst(".part.act :is(select, input, button):not([role='tab'])");
}

/** Buttons at the foot of the feed, while the composer is closed. */
export function Dock() {
  const all = offeredActions();
  if (!all.length) return null;
  return html`<div class="dock">${all.map((name) => html`
    <button type="button" key=${name} class=${name === "roll" ? "primary big" : "big"} onClick=${() => compose(name)}>
      ${icon(ICONS[name])} ${t(`act.${name}`)}</button>`)}</div>`;
}

/** What waits for this seat, as the large button of a phone: what it does, and its words. */
function waitingStep() {
  const [first] = /** @type {{kind: string, it: any, what: string}[]} */ (inbox.value);
  if (!first) return null;
  const { kind, it, what } = first;
  const id = it.roll ?? it.request;
  const title = kind === "roll" ? rolledWhat(it) : it.title || checkTitle(it.check);
  if (what === "throw" && !it.question.typed.length && !it.dice?.at(-1)?.physical) {
    return { says: tn("roll.throw", it.question.due), title, go: () => act("throw", { roll: it.roll }, it.roll) };
  }
  return { says: t(kind === "request" ? "dock.answer" : `tray.${what}`), title, go: () => goToCard(`card-${id}`) };
}

/** Navigation of a narrow screen: table, one large button, people. */
export function PhoneDock() {
  const part = shownPart.value;
  const waiting = { feed: inboxCount.value + reactions.value.length, side: unread.value };
  const go = (to) => { shownPart.value = to; scrollTo(0, 0); };
  const tab = (to) => html`
    <button type="button" class="ghost" aria-current=${part === to ? "page" : null} onClick=${() => go(to)}>
      ${icon(to === "feed" ? "home" : "people")}<span>${t(`part.${to}`)}</span>${waiting[to] ? html` <span class="count">${waiting[to]}</span>` : ""}</button>`;
  const step = part === "feed" ? waitingStep() : null;
  const turn = ownTurns.value.length && offeredActions().includes("fight") ? "fight" : "roll";
  return html`
    <nav class="switch" aria-label=${t("table.parts")}>
      ${tab("feed")}
      ${step && html`<button type="button" class="primary big" onClick=${step.go}><span>${step.says}<small>${step.title}</small></span></button>`}
      ${may("declare") && part !== "act" && html`<button type="button" class=${step ? "icon compose" : "primary big compose"}
        onClick=${() => compose(turn)}>${icon("plus")}<span class=${step ? "hidden" : ""}>${t("act.roll")}</span></button>`}
      ${tab("side")}
    </nav>`;
}
