// Says each result once to those who listen, and that something waits for them.

import { html, useEffect, useRef, useState } from "../lib.js";
import { lines, view } from "../state.js";
import { t, tn } from "../texts.js";
import { moments, ownTurns } from "../fight.js";
import { waitingCount } from "../waiting.js";
import { momentSays } from "./fight/moments.js";
import { rolledWhat, rollOf, who } from "./card.js";
import { outcomeSays } from "./outcome.js";

export function Announcer() {
  const [said, setSaid] = useState("");
  const heard = useRef(lines.value.at(-1)?.n ?? 0);
  const all = lines.value;
  const waits = waitingCount.value;
  const waited = useRef(waits);
  const calls = fightCalls();
  const called = useRef(calls);
  useEffect(() => {
    const fresh = all.filter((line) => line.n > heard.current);
    heard.current = all.at(-1)?.n ?? 0;
    const words = fresh.map(saysOf).filter(Boolean);
    if (waits > waited.current) words.push(tn("tray.count", waits));
    waited.current = waits;
    words.push(...[...calls].filter(([key]) => !called.current.has(key)).map(([, says]) => says));
    called.current = calls;
    if (words.length) setSaid(words.join(". "));
  }, [all, waits, [...calls.keys()].join()]);
  return html`<div class="hidden" aria-live="polite" role="log">${said}</div>`;
}

/** What a fight asks of this seat: its turn, and moments that pass. */
function fightCalls() {
  const { fight } = view.value;
  const found = new Map(ownTurns.value.map((one) =>
    [`turn ${fight.round} ${one.combatant} ${fight.slots.length ? one.taken : ""}`, t("fight.turn_of", { who: one.name })]));
  for (const one of moments.value) found.set(one.key, momentSays(one));
  return found;
}

function saysOf({ kind, data }) {
  if (["roll_finalised", "roll_revealed", "roll_corrected"].includes(kind)) {
    const roll = rollOf(data.roll);
    return roll?.outcome ? t("say.result", { who: who(roll), what: rolledWhat(roll), result: outcomeSays(roll) }) : "";
  }
  if (kind === "check_requested" && data.to.includes(view.value.seat)) return t("say.asked",
    { what: data.title || data.check });
  if (kind === "fight_begun") return t("log.fight_begun");
  if (kind === "round_begun") return t("fight.round", { n: data.number });
  if (kind === "call_settled") return t(data.found ? "call.found" : "call.nothing");
  return "";
}
