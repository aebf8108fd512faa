// The open question of a roll: dice to throw, or a decision with the exact odds of every answer.

import { html, useEffect, useRef, useState } from "../app/lib.js";
import { may, ownDice, currentView, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t, tn } from "../app/i18n.js";
import { paramLabel, percent, formatNumber, roleName, localize, fractionToNumber, nextRoller, resultText, wordFor } from "../app/format.js";
import { Dice } from "../ui/dice.js";
import { MOST_KEYS, FacePad, useTypedFaces } from "./facePad.js";
import { Need } from "./need.js";
import { Text } from "../ui/textField.js";

/** The value of an answer: its chance of success, or without a target the average. */
export function worth(odds, answer) {
  const chance = odds?.answers?.[answer];
  if (Array.isArray(chance)) return chance.map(percent).join(" · ");
  if (chance) return percent(chance);
  const mean = odds?.answer_means?.[answer];
  return mean ? t("chance.avg", { n: formatNumber(Math.round(fractionToNumber(mean) * 100) / 100) }) : "";
}

/** The certain result of an answer, if no dice follow, such as the totals of a ruling. */
function results(odds, answer, main) {
  const found = odds?.results?.[answer];
  return found === undefined || found === null ? "" : resultText(main, found);
}

export function Decision({ roll }) {
  const action = may("answer", roll.roll);
  const { question } = roll;
  const waits = !action && html`<p class="waits">${t("roll.waits_for", { who: whoDecides(roll) })}</p>`;
  return html`
    <div class="decision">
      <p class="question">${localize(question.question)}</p>
      ${waits}
      ${question.options
        ? html`<${Options} roll=${roll} open=${Boolean(action)} />`
        : html`<${ChooseDice} roll=${roll} open=${Boolean(action)} />`}
      ${question.odds?.unknown && html`<p class="small muted">${t("roll.unknown", {
        what: question.odds.unknown.map((one) => paramLabel(roll.asked.check, one)).join(", ") })}</p>`}
      ${question.odds?.note && html`<p class="small muted">${t("roll.no_odds")}</p>`}
    </div>`;
}

const whoDecides = (roll) => (roll.question.by === "gm" ? roleName("gm") : nextRoller(roll));

/** Decide, and throw the dice that follow in the same command if this seat uses virtual dice. */
function answerAndThrow(roll, data) {
  const own = nextRoller(roll) === view.value.seat && !roll.dice.some((die) => die.physical) && !ownDice.has(roll.roll);
  return act("answer", { roll: roll.roll, ...data, ...(own ? { throw: {} } : {}) }, roll.roll);
}

/** Chance and average of an answer; a certain result needs no average. */
function weight(odds, answer, main) {
  const result = results(odds, answer, main);
  return [result, result && !odds.answers?.[answer] ? "" : worth(odds, answer)].filter(Boolean).join(" · ");
}

function Options({ roll, open }) {
  const [words, setWords] = useState("");
  const { question } = roll;
  const { odds } = question;
  const answer = (name) => answerAndThrow(roll, { answer: name, ...(words ? { words } : {}) });
  return html`
    <div class="options">
      ${question.order.map((name) => html`
        <button key=${name} type="button" class="option" disabled=${!open} onClick=${() => answer(name)}>
          <span>${localize(question.options[name]) || wordFor(name)}</span>
          <span class="worth">${weight(odds, name, roll.main)}</span>
        </button>`)}
    </div>
    ${open && question.by === "gm" && html`
      <${Text} label=${t("roll.words")} value=${words} set=${setWords} />`}`;
}

function ChooseDice({ roll, open }) {
  const { question, dice } = roll;
  const [chosen, setChosen] = useState(new Set());
  useEffect(() => setChosen(new Set()), [roll.decisions.length]);
  const face = new Map(question.dice.map((number, at) => [number, question.faces[at]]));
  const full = chosen.size >= question.at_most;
  const key = keyOf(chosen);
  const own = dice.filter((die) => die.side === question.side);
  const others = dice.filter((die) => die.side !== question.side);

  const choosing = {
    chosen,
    flip: (number) => {
      const next = new Set(question.at_most === 1 && !chosen.has(number) ? [] : chosen);
      next.has(number) ? next.delete(number) : next.add(number);
      setChosen(next);
    },
    face,
    lockedBecause: (number) => {
      if (chosen.has(number)) return "";
      if (!face.has(number)) return localize(question.only) ? t("die.only", { what: localize(question.only) }) : t("die.locked");
      if (!open) return t("die.not_yours");
      return full && question.at_most > 1 ? tn("die.no_more", question.at_most) : "";
    },
  };
  const best = question.odds?.best ?? key;
  const send = () => (chosen.size ? answerAndThrow(roll, { answer: [...chosen] })
    : answerAndThrow(roll, { answer: [], finish: true }));
  return html`
    <div class="tray">
      <${Dice} dice=${own} sides=${sidesOf(roll)} choosing=${choosing} of=${roll.roll} />
      ${others.length > 0 && html`<${Dice} dice=${others} sides=${sidesOf(roll)} of=${roll.roll} />`}
      <${Need} roll=${roll} dice=${own} />
      ${open && html`<p class="small muted">${tn("die.choose", question.at_most)}</p>`}
    </div>
    ${open && html`
      <${Choices} roll=${roll} chosen=${key} choose=${(numbers) => setChosen(new Set(numbers))} />
      <div class="options"><button type="button" class=${`big wide ${chosen.size || key === best ? "primary" : ""}`} onClick=${send}>
        <span>${answerText(question, chosen.size)}</span> <span class="worth">${worth(question.odds, key)}</span></button></div>`}`;
}

const keyOf = (numbers) => [...numbers].sort((one, other) => one - other).join(",") || "none";
const numbersOf = (key) => (key === "none" ? [] : key.split(",").map(Number));
const answerText = (question, count) => (count ? tn(`decision.${question.decision}`, count, {}, "decision.dice") : t("roll.keep"));

/** How good an answer is, as a number to compare by; among equals the one with the lowest faces. */
function valueOf({ odds, dice, faces }, key) {
  const chance = odds.answers?.[key] ?? odds.answer_means?.[key];
  const all = Array.isArray(chance) ? chance : chance ? [chance] : [];
  const shown = numbersOf(key).reduce((sum, one) => sum + faces[dice.indexOf(one)], 0);
  return all.reduce((sum, one) => sum + fractionToNumber(one), 0) - shown * 1e-9;
}

/** For each number of dice the best answer, with what it is worth. */
function bestBySize(question) {
  const { odds, at_most: most } = question;
  const found = new Map();
  for (const key of Object.keys({ ...odds?.answers, ...odds?.answer_means })) {
    const count = numbersOf(key).length;
    if (count > most) continue;
    const had = found.get(count);
    if (had === undefined || key === odds.best || (had !== odds.best && valueOf(question, key) > valueOf(question, had))) found.set(count, key);
  }
  return [...found].sort(([one], [other]) => other - one);
}

/** The choices side by side with their odds; picking one lifts its dice, and lifting other dice picks none. */
function Choices({ roll, chosen, choose }) {
  const { question } = roll;
  const { odds } = question;
  const all = bestBySize(question);
  if (all.length < 2) return null;
  const face = new Map(question.dice.map((number, at) => [number, question.faces[at]]));
  return html`
    <div class="choices" role="radiogroup" aria-label=${localize(question.question)}>
      ${all.map(([count, key]) => html`
        <label key=${key} class="choice"><input type="radio" name=${`choice ${roll.roll}`} checked=${key === chosen}
          onChange=${() => choose(numbersOf(key))} />
          <span>${answerText(question, count)}${count > 0 && html` <span class="muted small">${numbersOf(key).map((one) => face.get(one)).join(", ")}</span>`}
            ${key === odds.best && html` <span class="chip good">${t("choice.best")}</span>`}</span>
          <b class="worth">${worth(odds, key)}</b>
          ${typeof odds.answers?.[key] === "string" && html`<span class="bar" aria-hidden="true"
            style=${`--at: ${(fractionToNumber(odds.answers[key]) * 100).toFixed(1)}`}><i></i></span>`}</label>`)}
    </div>`;
}

export const sidesOf = (roll) => roll.question?.sides ?? Math.max(6, ...(roll.dice ?? []).map((die) => die.face));

/** Dice to throw: virtual dice, or faces typed from physical ones. */
export function Throw({ roll, own = false }) {
  const action = may("throw", roll.roll);
  const [byHand, setByHand] = useState(own || roll.question.typed.length > 0 || roll.dice?.at(-1)?.physical);
  const { question } = roll;
  if (!action) {
    return html`<p class="waits">${tn("roll.throw_due", question.due, { who: nextRoller(roll) })}</p>`;
  }
  const typing = action.by_hand && (byHand || question.typed.length > 0);
  const turn = () => {
    byHand ? ownDice.delete(roll.roll) : ownDice.add(roll.roll);
    setByHand(!byHand);
  };
  const Typing = currentView.value === "middle" && action.sides <= MOST_KEYS ? FacePad : Faces;
  return html`
    <div class="throw">
      ${typing
        ? html`<${Typing} roll=${roll} count=${action.count} sides=${action.sides} />`
        : html`<${VirtualDice} roll=${roll} />`}
      ${action.by_hand && !question.typed.length && html`
        <button type="button" class="ghost" onClick=${turn}>
          ${typing ? t("roll.table_dice") : t("roll.own_dice")}</button>`}
    </div>`;
}

/** Virtual dice; the roller may add randomness of their own. */
function VirtualDice({ roll }) {
  const [entropy, setEntropy] = useState("");
  const send = (event) => {
    event.preventDefault();
    act("throw", { roll: roll.roll, ...(entropy ? { entropy } : {}) }, roll.roll);
  };
  return html`
    <form class="stack" onSubmit=${send}>
      <button class="primary big wide">${tn("roll.throw", roll.question.due)}</button>
      <details class="small"><summary>${t("roll.entropy")}</summary>
        <${Text} label=${t("roll.entropy_words")} value=${entropy} set=${setEntropy} maxlength="200"
          hint=${t("roll.entropy_why")} /></details>
    </form>`;
}

/** The faces before the first empty input. */
const leadingFaces = (all) => (all.findIndex((one) => !one) < 0 ? all : all.slice(0, all.findIndex((one) => !one)));

/** One small input per die; the focus advances as faces are typed. */
function Faces({ roll, count, sides }) {
  const [faces, change, now] = useTypedFaces(roll);
  const row = useRef(null);
  useEffect(() => {
    const inputs = [...row.current.querySelectorAll("input")];
    (inputs.find((one) => !one.value) ?? inputs[0])?.focus();
  }, []);
  const long = String(sides).length;
  const type = (at, event) => {
    const said = event.target.value.replaceAll(/\D/g, "").slice(-long);
    const number = Number(said);
    const face = number >= 1 && number <= sides ? number : undefined;
    change((typed) => Array.from({ length: count }, (_, place) => (place === at ? face : typed[place])));
    event.target.value = face ?? (long > 1 ? said : "");
    if (face && (said.length === long || number * 10 > sides)) {
      row.current.querySelectorAll("input")[at + 1]?.focus();
    }
  };
  const back = (at, event) => {
    if (event.key === "Backspace" && !event.target.value && at) row.current.querySelectorAll("input")[at - 1].focus();
  };
  const all = Array.from({ length: count }, (_, at) => faces[at]);
  const typed = leadingFaces(all);
  const whole = typed.length === count;
  useEffect(() => { if (whole) row.current.querySelector("button").focus(); }, [whole]);
  const send = (event) => {
    event.preventDefault();
    const sent = leadingFaces(now());
    if (!sent.length) return;
    act("throw", { roll: roll.roll, faces: sent }, roll.roll).then((done) => {
      if (done) change(() => []);
      row.current?.querySelector("input")?.focus(); // more dice follow, or the faces were refused
    });
  };
  return html`
    <form class="faces" ref=${row} onSubmit=${send}>
      <p class="small">${tn("roll.type_faces", count,
        { sides, role: roll.question.role === "regular" ? "" : ` (${wordFor(roll.question.role)})` })}</p>
      <div class="row wrap">
        ${all.map((face, at) => html`<input key=${at} class="face" inputmode="numeric" autocomplete="off"
          value=${face ?? ""} aria-label=${t("roll.face_of", { n: at + 1, sides })}
          onInput=${(event) => type(at, event)} onKeyDown=${(event) => back(at, event)} />`)}
        <button class="primary" disabled=${!typed.length}>${typed.length && typed.length < count
          ? tn("roll.some_faces", typed.length) : t("roll.take_faces")}</button>
      </div>
    </form>`;
}
