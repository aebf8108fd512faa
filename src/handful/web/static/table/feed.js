// The feed: the inbox first, then requests, contests and rolls, newest on top.

import { html } from "../app/lib.js";
import { actTab, desk, isGM, may, firstLogNumbers, firstLogTimes, openDialog, shownPart, view } from "../app/state.js";
import { formatDay, t, tn } from "../app/i18n.js";
import { checkTitle } from "../app/format.js";
import { inbox } from "../app/inbox.js";
import { RollCard, rolledWhat, who } from "./rollCard.js";
import { ContestCard, contestedRequests } from "./contestCard.js";
import { focusFirst } from "../ui/focus.js";
import { textButton } from "../ui/button.js";
import { isFolded } from "./folding.js";
import { Line } from "./line.js";
import { OwnCharacter, ownCharacter } from "./ownCharacter.js";
import { RequestCard } from "./requestCard.js";

/**
 * @typedef {{key: string, request?: import("../app/types.js").Request, contest?: import("../app/types.js").Contest, roll?: import("../app/types.js").Roll}} FeedEntry
 */

/** Requests, contests and rolls as one list; sides of a contest appear in the contest's card. @returns {FeedEntry[]} */
export function entries() {
  const { rolls, requests, contests } = view.value;
  /** @param {string} name */
  const when = (name) => firstLogNumbers.value.get(name) ?? 0;
  const joined = rolls.filter((one) => one.parts?.length);
  const opened = new Map(contests.map((one) => [one.contest, one]));
  const within = new Set([...joined.flatMap((one) => (one.parts ?? []).map((part) => part.roll)),
    ...contests.flatMap((one) => one.sides.map((side) => side.roll))]);
  const inContest = contestedRequests();
  const made = [
    ...requests.filter((one) => concerns(one) && !inContest.has(one.request)).map((request) => ({ key: request.request, request })),
    ...contests.filter((one) => !rolls.some((roll) => roll.roll === one.contest))
      .map((contest) => ({ key: contest.contest, contest })),
    ...joined.filter((one) => !within.has(one.roll))
      .map((roll) => ({ key: roll.roll, contest: opened.get(roll.roll), roll })),
    ...rolls.filter((one) => !one.parts?.length && !within.has(one.roll)).map((roll) => ({ key: roll.roll, roll })),
  ];
  return made.sort((one, other) => when(other.key) - when(one.key));
}

/** A request whose roll exists is shown by that roll. */
const concerns = (one) => one.open && (one.called || isGM.value || !(view.value.seat in one.rolls));

/** One entry as its card. */
export function Entry({ request, contest, roll }) {
  if (request) return html`<${RequestCard} request=${request} />`;
  if (roll && isFolded(roll.roll)) return html`<${Line} roll=${roll} />`;
  if (contest || roll.parts?.length) return html`<${ContestCard} contest=${contest} roll=${roll} />`;
  return html`<${RollCard} roll=${roll} />`;
}

/** The day on which an entry began; a table goes on over many evenings. */
const dayOf = ({ key }) => formatDay(firstLogTimes.value.get(key) ?? Date.now());
const today = () => formatDay(Date.now());

/** @param {{alone?: boolean}} props alone: nothing stands beside the feed, so the own character stands in it */
export function Feed({ alone = false }) {
  const all = entries();
  const past = all.findIndex((one) => one.roll && isFolded(one.roll.roll));
  return html`
    <${InboxList} first=${all[0]?.key} />
    <h2 class="hidden">${t("feed.title")}</h2>
    ${!all.length && html`<${Empty} alone=${alone} />`}
    <div class="stream">${all.map((one, at) => html`${alone && at === past && html`<${OwnCharacter} key="own" />`}${dayOf(one) !== (at ? dayOf(all[at - 1]) : today()) && html`
      <p key=${`day ${one.key}`} class="divider"><span>${dayOf(one)}</span></p>`}<div key=${one.key} class=${one.roll && isFolded(one.roll.roll) ? "entry folded" : "entry"}><${Entry} ...${one} key=${null} /></div>`)}
      ${alone && past < 0 && html`<${OwnCharacter} key="own" />`}</div>`;
}

/** Empty feed: buttons for the first things this seat may do, one of them in front. @param {{alone: boolean}} props */
function Empty({ alone }) {
  const { seats, seat } = view.value;
  const isFirst = isGM.value && !seats.some((one) => one.name !== seat && !one.left);
  const lacksCharacter = !isGM.value && may("bring") && !ownCharacter();
  const canRollBeside = alone || desk.value === "act"; // the large button is in sight
  const go = (tab) => {
    actTab.value = tab;
    shownPart.value = "act";
    focusFirst('.part.act [role="tab"][aria-selected="true"]');
  };
  const opener = (name, says, first) => textButton(says, () => { openDialog.value = { name }; },
    { class: first ? "primary" : "", "aria-haspopup": "dialog" });
  return html`
    <div class="empty">
      <p>${t(alone && ownCharacter() ? "feed.empty_own" : "feed.empty")}</p>
      <div class="row wrap">
        ${lacksCharacter && opener("create", t("create.open"), true)}
        ${may("declare") && !canRollBeside && textButton(t("feed.roll"), () => go("roll"), { class: lacksCharacter ? "" : "primary" })}
        ${may("request") && !isFirst && textButton(t("feed.ask"), () => go("ask"))}
        ${may("seat") && opener("invite", t("feed.invite"), isFirst)}
      </div>
    </div>`;
}

/** Lead to a card: scroll there and focus its next control. @param {string} id */
export function goToCard(id) {
  const card = document.getElementById(id);
  card?.scrollIntoView({ block: "center" });
  const first = /** @type {HTMLElement|null|undefined} */ (
    card?.querySelector(".decision button:not(:disabled), .throw button, input, button"));
  (first ?? card)?.focus({ preventScroll: true });
}

/** What waits for this seat; a tap leads to its card. A single thing whose card comes first needs no list. @param {{first?: string}} props */
function InboxList({ first }) {
  const all = /** @type {{kind: string, it: any, what: string}[]} */ (inbox.value);
  if (!all.length || (all.length === 1 && first === (all[0].it.roll ?? all[0].it.request))) return null;
  return html`
    <section class="inbox" aria-label=${t("tray.title")}>
      <h2>${tn("tray.count", all.length)}</h2>
      <ul>${all.map(({ kind, it, what }) => html`
        <li key=${it.roll ?? it.request}><button type="button" class="ghost"
          onClick=${() => goToCard(`card-${it.roll ?? it.request}`)}>
          <span class="chip brass">${t(`tray.${what}`)}</span> <strong>${kind === "roll" ? `${who(it)}: ${rolledWhat(it)}` : it.title
            || checkTitle(it.check)}</strong></button></li>`)}
      </ul>
    </section>`;
}
