// Large keys for the faces of physical dice, on the shared tablet.

import { html, useEffect, useRef, useState } from "../app/lib.js";
import { typedFaces } from "../app/state.js";
import { act } from "../app/socket.js";
import { t, tn } from "../app/i18n.js";
import { wordFor } from "../app/format.js";
import { Dice } from "../ui/dice.js";

/** Dice with more sides have a text input instead. */
export const MOST_KEYS = 12;

/**
 * Faces typed but not sent: the rendered list, a setter, and a getter for the current list.
 * Keys can arrive faster than renders, so changes apply to the current list, not to the rendered one.
 */
export function useTypedFaces(roll) {
  const key = `${roll.roll} ${roll.dice?.length}`;
  const now = () => typedFaces.get(key) ?? [];
  const [faces, setFaces] = useState(now);
  return [faces, (made) => { typedFaces.set(key, made(now())); setFaces(now()); }, now];
}

export function FacePad({ roll, count, sides }) {
  const [faces, change, now] = useTypedFaces(roll);
  const keys = useRef(null);
  const whole = faces.length >= count;
  useEffect(() => { keys.current.querySelector(whole ? ".primary" : "button")?.focus(); }, [count, whole]);
  const put = (face) => change((typed) => (typed.length < count ? [...typed, face] : typed));
  const back = () => change((typed) => typed.slice(0, -1));
  const type = ({ key }) => {
    if (/^[1-9]$/.test(key) && Number(key) <= sides && sides < 10) put(Number(key));
    if (key === "Backspace") back();
  };
  const send = (event) => {
    event.preventDefault();
    if (now().length) act("throw", { roll: roll.roll, faces: now() }, roll.roll).then((done) => done && change(() => []));
  };
  const role = roll.question.role === "regular" ? "" : ` (${wordFor(roll.question.role)})`;
  return html`
    <form class="pad" ref=${keys} onSubmit=${send} onKeyDown=${type}>
      <p class="question">${tn("roll.type_faces", count, { sides, role })}</p>
      <div class="keys" role="group" aria-label=${t("pad.keys")}>
        ${Array.from({ length: sides }, (_, at) => html`
          <button type="button" key=${at} disabled=${whole} onClick=${() => put(at + 1)}>${at + 1}</button>`)}
      </div>
      <div class="typed" role="status"><p>${t("pad.typed", { n: faces.length, count })}</p>
        <${Dice} dice=${faces.map((face, at) => ({ face, number: at + 1, role: roll.question.role }))} sides=${sides} /></div>
      <div class="row wrap">
        <button class="primary" disabled=${!faces.length}>${faces.length && !whole
          ? tn("roll.some_faces", faces.length) : t("roll.take_faces")}</button>
        <button type="button" disabled=${!faces.length} onClick=${back}>${t("pad.back")}</button>
      </div>
    </form>`;
}
