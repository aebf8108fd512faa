// One sentence for each event of the log.

import { game } from "../app/state.js";
import { t, tn } from "../app/i18n.js";
import { rolledWhat, rollOf, who } from "../table/rollCard.js";
import { outcomeText } from "../table/outcome.js";
import { characterName, checkTitle, choiceWord, itemTitle, roleName, localize, wordFor } from "../app/format.js";

/** The topic of a line, for the filter. */
export function topicOf(kind) {
  if (/^(roll|dice|faces|decision|line|target|contest)_/.test(kind)) return "rolls";
  if (/^(check|proposal|request|call)_/.test(kind)) return "requests";
  if (/^(character|points|item|task)_/.test(kind)) return "characters";
  if (/^(message|scratchpad)_/.test(kind)) return "talk";
  if (/^(table|epoch|seat|gm|link|house|visibility|rules)_/.test(kind)) return "table";
  return "fights";
}

const points = (changes = {}) => Object.entries(changes)
  .map(([name, by]) => `${localize(game.value.sheet?.resources[name]?.title, wordFor(name))} ${by > 0 ? "+"
    : "−"}${Math.abs(by)}`).join(", ");

/** The wording of a pace or a stance. */
function moveText({ pace, stance, choice }) {
  const rules = game.value.sheet?.rounds;
  if (pace) return localize(rules?.paces[pace], wordFor(pace));
  const own = rules?.stances[stance];
  return stance && [localize(own?.title, wordFor(stance)), choice && localize(own?.choices[choice], wordFor(choice))].filter(Boolean)
    .join(": ");
}

/** The text of an event that has several, by who did it and to whom. */
function wordingOf(kind, seat, data) {
  if (kind === "dice_thrown" && data.physical) return "dice_by_hand";
  if (kind === "message_sent" && data.to) return "whispered";
  if (kind === "scratchpad_changed" && data.for_gms) return "gm_notes_changed";
  if (kind === "seat_left" && seat !== data.name) return "seat_removed";
  if (kind !== "proposal_accepted") return kind;
  if (!data.request) return "side_declared"; // told to those who see the contest
  return seat === data.name ? "request_answered" : kind;
}

/** @param {{kind: string, seat: string, data: any}} line */
export function eventText({ kind, seat, data }) {
  const check = data.asked?.check ?? data.check;
  const story = data.story;
  const roll = kind === "roll_finalised" ? rollOf(data.roll) : null;
  const answer = Array.isArray(data.answer) ? data.answer.map((one) => `#${one}`).join(", ") || t("log.none")
    : localize(game.value.decisions?.[data.decision]?.[data.answer], wordFor(data.answer ?? ""));
  const key = wordingOf(kind, seat, data);
  const said = t(roll?.asked ? "log.roll_result" : `log.${key}`, {
    who: seat,
    by: data.by || t("log.host"),
    seat: data.seat ?? "",
    name: data.name ?? data.game?.id ?? "",
    role: data.role ? roleName(data.role) : "",
    roller: data.roller ?? story?.roller ?? rollOf(data.roll)?.roller ?? "",
    result: roll?.asked ? `${who(roll)}, ${rolledWhat(roll)}: ${outcomeText(roll)}` : "",
    check: check ? checkTitle(check) : t("log.something"),
    title: data.title ? t("quoted", { what: data.title }) : "",
    faces: data.faces?.map?.((one) => one.faces ?? one).join(", ") ?? "",
    answer,
    decision: data.decision ? wordFor(data.decision) : "",
    words: data.words || data.text ? t("quoted", { what: data.words ?? data.text }) : "",
    grade: data.grade ?? "",
    mode: data.mode ? t(`mode.${data.mode}`) : "",
    options: Object.entries(data.options ?? {}).map(([name, value]) => {
      const option = game.value.options.find((one) => one.name === name);
      return `${localize(option?.label, name)}: ${choiceWord(option, value)}`;
    }).join("; "),
    was: data.character?.split("/").slice(1).join("/") ?? "",
    character: data.character ? characterName(data.character) : "",
    combatant: data.combatant ? characterName(data.combatant) : data.name ?? "",
    changes: points(data.changes),
    to: data.to?.join?.(", ") ?? data.to ?? "",
    sides: data.sides?.map?.((one) => one.name).join(` ${t("contest.vs")} `) ?? "",
    found: data.found === undefined ? "" : t(data.found ? "call.found" : "call.nothing"),
    n: data.number ?? "",
    actions: Number.isInteger(data.actions) ? tn("fight.costs", data.actions) : "",
    what: data.what ?? (typeof data.leave === "string" ? t(`leave.${data.leave}`) : moveText(data)) ?? (data.item && itemTitle(data.item)) ?? data.task ?? "",
  });
  return said === `log.${key}` ? `${seat}: ${wordFor(kind)}`
    : said.replaceAll(/\s+/g, " ").replaceAll(/\s([.,:])/g, "$1");
}
