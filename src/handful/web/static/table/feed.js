// The feed: the inbox first, then requests, contests and rolls, newest on top.

import { html } from "../app/lib.js";
import { actTab, isGM, may, firstLogNumbers, shownPart, sideTab, view } from "../app/state.js";
import { t, tn } from "../app/i18n.js";
import { checkTitle } from "../app/format.js";
import { inbox } from "../app/inbox.js";
import { RollCard, rolledWhat, who } from "./rollCard.js";
import { ContestCard } from "./contestCard.js";
import { textButton } from "../ui/button.js";
import { RequestCard } from "./requestCard.js";

/** Requests, contests and rolls as one list; sides of a contest appear in the contest's card. */
export function entries() {
  const { rolls, requests, contests } = view.value;
  const when = (name) => firstLogNumbers.value.get(name) ?? 0;
  const joined = rolls.filter((one) => one.parts?.length);
  const opened = new Map(contests.map((one) => [one.contest, one]));
  const within = new Set([...joined.flatMap((one) => one.parts.map((part) => part.roll)),
    ...contests.flatMap((one) => one.sides.map((side) => side.roll))]);
  const made = [
    ...requests.filter(concerns).map((request) => ({ key: request.request, request })),
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
  if (contest || roll.parts?.length) return html`<${ContestCard} contest=${contest} roll=${roll} />`;
  return html`<${RollCard} roll=${roll} />`;
}

export function Feed() {
  const all = entries();
  return html`
    <${InboxList} />
    <h2 class="hidden">${t("feed.title")}</h2>
    ${!all.length && html`<${Empty} />`}
    ${all.map((one) => html`<div key=${one.key} class="entry"><${Entry} ...${one} key=${null} /></div>`)}`;
}

/** Empty feed: buttons for the first things this seat may do. */
function Empty() {
  const go = (part, tab, name) => {
    tab.value = name;
    shownPart.value = part;
    setTimeout(() => document.querySelector(`.part.${part} [role="tab"][aria-selected="true"]`)?.focus(), 60);
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

/** The inbox; a tap leads to the card. */
function InboxList() {
  const all = inbox.value;
  if (!all.length) return null;
  const go = (id) => {
    const card = document.getElementById(id);
    card?.scrollIntoView({ block: "center" });
    (card?.querySelector(".decision button:not(:disabled), .throw button, input, button")
      ?? card)?.focus({ preventScroll: true });
  };
  return html`
    <section class="inbox" aria-label=${t("tray.title")}>
      <h2>${tn("tray.count", all.length)}</h2>
      <ul>${all.map(({ kind, it, what }) => html`
        <li key=${it.roll ?? it.request}><button type="button" class="ghost"
          onClick=${() => go(`card-${it.roll ?? it.request}`)}>
          <span>${t(`tray.${what}`)}</span> <strong>${kind === "roll" ? `${who(it)}: ${rolledWhat(it)}` : it.title
            || checkTitle(it.check)}</strong></button></li>`)}
      </ul>
    </section>`;
}
