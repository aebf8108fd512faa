// Further actions on a roll, and its verification.

import { html, useState } from "../app/lib.js";
import { lines, may, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { paramLabel, formatForInput } from "../app/format.js";
import { lazy } from "../ui/lazy.js";
import { AddNote } from "../chat/notes.js";
import { Select } from "../ui/select.js";
import { textButton } from "../ui/button.js";
import { Text } from "../ui/textField.js";

const ShareRoll = lazy(() => import("./shareRoll.js").then((one) => one.ShareRoll));

/** What the menu of a roll holds; it is fetched when the page is drawn. */
export function RollActions({ roll }) {
  const can = (what) => may(what, roll.roll);
  const simple = ["cancel", "reveal_target"].filter(can);
  return html`
      <div class="stack">
        ${(simple.length > 0 || can("reveal")) && html`
          <div class="row wrap">
            ${simple.map((what) => textButton(t(`do.${what}`), () => act(/** @type {any} */ (what), { roll: roll.roll }, roll.roll),
              { key: what }))}
            ${can("reveal") && html`<${Reveal} roll=${roll} />`}
          </div>`}
        <${ShareRoll} roll=${roll} />
        <${AddNote} roll=${roll} />
        ${can("judge") && html`<${Judge} roll=${roll} />`}
        ${can("add_line") && html`<${AddLine} roll=${roll} />`}
        ${can("correct") && html`<${Correct} roll=${roll} />`}
        ${can("correct") && roll.dice?.some((die) => die.physical) && html`<${CorrectFaces} roll=${roll} />`}
        <${Proof} roll=${roll} />
      </div>`;
}

function Reveal({ roll }) {
  const modes = roll.modes ?? [];
  const others = view.value.seats.filter((one) => one.name !== roll.roller && one.role !== "gm");
  if (modes.every((mode) => mode === "public")) return null;
  return html`
    <button type="button" onClick=${() => act("reveal", { roll: roll.roll }, roll.roll)}>${t("do.reveal")}</button>
    ${others.map((one) => textButton(t("do.reveal_to", { who: one.name }), () =>
      act("reveal", { roll: roll.roll, to: [one.name] }, roll.roll), { key: one.name }))}`;
}

function Judge({ roll }) {
  const [words, setWords] = useState("");
  const send = (event) => {
    event.preventDefault();
    act("judge", { roll: roll.roll, words }, roll.roll).then((done) => done && setWords(""));
  };
  return html`
    <form class="row" onSubmit=${send}>
      <${Text} grow label=${t("do.judge")} value=${words} set=${setWords} required />
      <button>${t("say")}</button>
    </form>`;
}

const asTyped = (text) => (/^-?\d{1,9}$/.test(text.trim()) ? Number(text) : text);

/** Choose a parameter and a new value for it. */
function ParameterForm({ roll, title, words, button, send }) {
  const own = roll.asked.sides?.length ? roll.asked.sides[0] : {};
  const names = Object.keys({ ...roll.asked.parameters, ...own });
  const [name, setName] = useState(names[0]);
  const [value, setValue] = useState("");
  const [note, setNote] = useState("");
  const now = roll.asked.parameters[name];
  const submit = async (event) => {
    event.preventDefault();
    if (!(await send(name, asTyped(value), note))) return;
    setValue("");
    setNote("");
  };
  return html`
    <details><summary>${title}</summary>
      <form class="stack" onSubmit=${submit}>
        <${Select} label=${t("correct.what")} value=${name} set=${setName}
          options=${names.map((one) => [one, paramLabel(roll.asked.check, one)])} />
        <${Text} label=${t("correct.value")} value=${value} set=${setValue} required
          placeholder=${now === undefined || now === null ? "" : formatForInput(now)} />
        <${Text} label=${words} value=${note} set=${setNote} />
        <button>${button}</button>
      </form>
    </details>`;
}

function Correct({ roll }) {
  const send = (name, value, words) => act("correct",
    { roll: roll.roll, parameters: { [name]: value }, ...(words ? { words } : {}) }, roll.roll);
  return html`<${ParameterForm} roll=${roll} title=${t("do.correct")} words=${t("correct.why")}
    button=${t("correct.do")} send=${send} />`;
}

/** Correct mistyped faces; virtual dice cannot be changed. */
function CorrectFaces({ roll }) {
  const typed = lines.value.filter(({ kind, data }) => kind === "dice_thrown" && data.roll === roll.roll
    && data.physical);
  const [number, setNumber] = useState(String(typed[0]?.data.throw ?? 0));
  const [faces, setFaces] = useState("");
  if (!typed.length) return null;
  const send = (event) => {
    event.preventDefault();
    act("correct", { roll: roll.roll, throw: Number(number), faces: faces.match(/\d+/g)?.map(Number) ?? [] },
      roll.roll);
  };
  return html`
    <details><summary>${t("do.correct_faces")}</summary>
      <form class="row wrap" onSubmit=${send}>
        <${Select} grow label=${t("correct.throw")} value=${number} set=${setNumber}
          options=${typed.map(({ data }) => [String(data.throw), data.faces.join(", ")])} />
        <${Text} grow label=${t("correct.faces")} value=${faces} set=${setFaces} required />
        <button>${t("correct.do")}</button>
      </form>
    </details>`;
}

function AddLine({ roll }) {
  const send = (parameter, value, note) => act("add_line",
    { roll: roll.roll, parameter, value, ...(note ? { note } : {}) }, roll.roll);
  return html`<${ParameterForm} roll=${roll} title=${t("do.add_line")} words=${t("line.note")}
    button=${t("line.add")} send=${send} />`;
}

/** Commitment, key and verdict on the faces, computed in this browser. */
function Proof({ roll }) {
  const [found, setFound] = useState("");
  const check = async () => setFound(await (await import("../log/verify.js")).checkRoll(roll));
  return html`
    <details><summary>${t("proof.title")}</summary>
      <dl class="proof"><div><dt>${t("proof.roll")}</dt><dd>${roll.roll}</dd></div>
        <div><dt>${t("proof.promise")}</dt><dd><code>${roll.commitment}</code></dd></div>
        ${roll.key && html`<div><dt>${t("proof.key")}</dt><dd><code>${roll.key}</code></dd></div>`}</dl>
      ${roll.key
        ? textButton(t("proof.check"), check)
        : html`<p class="small muted">${t("proof.later")}</p>`}
      <p role="status">${found}</p>
    </details>`;
}
