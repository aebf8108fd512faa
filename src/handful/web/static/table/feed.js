// The feed: the inbox first, then requests, contests and rolls, newest on top.

import { html } from "../app/lib.js";
import { actTab, isGM, may, firstLogNumbers, firstLogTimes, shownPart, sideTab, view } from "../app/state.js";
import { formatDay, t, tn } from "../app/i18n.js";
import { checkTitle } from "../app/format.js";
import { inbox } from "../app/inbox.js";
import { RollCard, rolledWhat, who } from "./rollCard.js";
import { ContestCard, contestedRequests } from "./contestCard.js";
import { focusFirst } from "../ui/focus.js";
import { textButton } from "../ui/button.js";
import { isFolded } from "./folding.js";
import { Line } from "./line.js";
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

export function Feed() {
  const all = entries();
  return html`
    <${InboxList} />
    <h2 class="hidden">${t("feed.title")}</h2>
    ${!all.length && html`<${Empty} />`}
    <div class="stream">${all.map((one, at) => html`${dayOf(one) !== (at ? dayOf(all[at - 1]) : today()) && html`
      <p key=${`day ${one.key}`} class="divider"><span>${dayOf(one)}</span></p>`}<div key=${one.key} class=${one.roll && isFolded(one.roll.roll) ? "entry folded" : "entry"}><${Entry} ...${one} key=${null} /></div>`)}</div>`;
}

/** Empty feed: buttons for the first things this seat may do. */
function Empty() {
  const go = (part, tab, name) => {
    tab.value = name;
    shownPart.value = part;
    focusFirst(`.part.${part} [role="tab"][aria-selected="true"]`);
  };
  return html`
    <div class="empty">
      <p>${t("feed.empty")}</p>
      <div class="row wrap">
        ${may("declare") && textButton(t("feed.roll"), () => go("act", actTab, "roll"), { class: "primary" })}
        ${may("request") && textButton(t("feed.ask"), () => go("act", actTab, "ask"))}
        ${may("seat") && textButton(t("feed.invite"), () => go("side", sideTab, "seats"))}
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

/** What waits for this seat; a tap leads to its card. */
function InboxList() {
  const all = /** @type {{kind: string, it: any, what: string}[]} */ (inbox.value);
  if (!all.length) return null;
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
