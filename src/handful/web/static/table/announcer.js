// A live region for screen readers: announces dice, results and the inbox, each once and in order.
// Each announcement is its own element, so that repeated words are read out again.

import { html, useEffect, useRef, useState } from "../app/lib.js";
import { connection, lines, view } from "../app/state.js";
import { t, tn } from "../app/i18n.js";
import { ownTurns } from "../fight/state.js";
import { reactions } from "../fight/reactionState.js";
import { eventText } from "../log/eventText.js";
import { inbox } from "../app/inbox.js";
import { checkTitle, localize, sideName } from "../app/format.js";
import { reactionText } from "../fight/reactions.js";
import { rolledWhat, rollOf, who } from "./rollCard.js";
import { outcomeText } from "./outcome.js";

const MAX_LINES = 30; // earlier announcements stay readable

export function Announcer() {
  const [said, setSaid] = useState([]);
  const count = useRef(0);
  const heard = useRef(lines.value.at(-1)?.n ?? 0);
  const all = lines.value;
  const calls = new Map(/** @type {[string, string][]} */ ([...inboxAnnouncements(), ...fightAnnouncements()]));
  const called = useRef(calls);
  const state = connection.value;
  const before = useRef(state);
  useEffect(() => {
    const words = before.current === "lost" && state === "open" ? [t("say.back")] : [];
    before.current = state;
    words.push(...all.filter((line) => line.n > heard.current).map(saysOf).filter(Boolean));
    heard.current = all.at(-1)?.n ?? 0;
    words.push(...[...calls].filter(([key]) => !called.current.has(key)).map(([, says]) => says));
    called.current = calls;
    if (words.length) setSaid((had) => [...had, ...words.map((says) => ({ says, n: count.current++ }))].slice(-MAX_LINES));
  }, [all, state, [...calls.keys()].join()]);
  return html`<div class="hidden" aria-live="polite" role="log" aria-label=${t("say.title")}>
    ${said.map(({ says, n }) => html`<p key=${n}>${says}</p>`)}</div>`;
}

/** New inbox entries, except the seat's own declarations and requests that are announced anyway. */
function inboxAnnouncements() {
  const own = new Set(lines.value.filter(({ kind, seat }) => kind === "roll_declared" && seat === view.value.seat)
    .map(({ data }) => data.roll));
  return inbox.value.filter(({ what, it }) => what !== "propose" && !(what === "throw" && "roll" in it && own.has(it.roll)))
    .map((one) => [waitKey(one), waitText(one)]);
}

const waitKey = ({ what, kind, it }) => (kind === "roll"
  ? `${what} ${it.roll} ${it.decisions?.length} ${it.dice?.length}`
  : `${what} ${it.request} ${Object.keys(it.proposals).join()} ${Object.keys(it.rolls).join()}`);

function waitText({ kind, it, what }) {
  const names = kind === "roll" ? `${who(it)}: ${rolledWhat(it)}` : it.title || checkTitle(it.check);
  const more = what === "answer" ? localize(it.question.question)
    : what === "throw" ? tn("say.dice", it.question.due) : kind === "request"
      ? Object.keys(it.proposals).filter((name) => !(name in it.rolls)).join(", ") : "";
  return [`${t(`tray.${what}`)}: ${names}`, more].filter(Boolean).join(". ");
}

/** A fight's demands on this seat: its turns and reactions. */
function fightAnnouncements() {
  const { fight } = view.value;
  const found = ownTurns.value.map((one) =>
    [`turn ${fight?.round} ${one.combatant} ${fight?.slots.length ? one.taken : ""}`, t("fight.turn_of", { who: one.name })]);
  return [...found, ...reactions.value.map((one) => [one.key, reactionText(one)])];
}

/** Log lines that are announced as they are. */
const AS_LOGGED = ["decision_undone", "roll_cancelled", "roll_judged", "contest_opened", "contest_called_off",
  "proposal_refused", "request_withdrawn", "fight_begun", "fight_ended", "call_settled", "message_sent", "gm_shared"];

function saysOf(line) {
  const { kind, data } = line;
  const roll = rollOf(data.roll);
  if (kind === "roll_revealed" && !data.story) return eventText(line); // this seat saw the roll before, and it was announced then
  if (["roll_finalised", "roll_revealed", "roll_corrected"].includes(kind)) {
    return roll?.outcome ? t("say.result", { who: who(roll), what: rolledWhat(roll), result: outcomeText(roll) }) : "";
  }
  if (kind === "dice_thrown" && roll) return thrown(roll, data);
  if (kind === "roll_declared" && roll && !roll.asked) return t("roll.presence", { who: roll.roller });
  if (kind === "check_requested" && data.to.includes(view.value.seat)) {
    return t("say.asked", { who: line.seat, what: data.title || checkTitle(data.check) });
  }
  if (kind === "round_begun") return t("fight.round", { n: data.number });
  return AS_LOGGED.includes(kind) ? eventText(line) : "";
}

/** The faces of a throw; for a blind roll, only that dice were thrown. */
function thrown(roll, data) {
  const name = roll.parts?.length && data.side ? sideName(roll, data.side) : who(roll);
  return data.faces ? t("say.throws", { who: name, faces: data.faces.join(", ") }) : t("roll.rolled_blind");
}
