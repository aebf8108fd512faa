// Notes on a roll, and a form to add one.

import { html, useState } from "../app/lib.js";
import { act } from "../app/socket.js";
import { may } from "../app/state.js";
import { t } from "../app/i18n.js";
import { Text } from "../ui/textField.js";

/** @param {{notes?: {by: string, text: string}[]}} props */
export function Notes({ notes = [] }) {
  if (!notes.length) return null;
  return html`<ul class="notes" aria-label=${t("note.title")}>${notes.map((one, at) => html`
    <li key=${at}><span class="words">${one.text}</span> <small>${one.by}</small></li>`)}</ul>`;
}

/** @param {{roll: {roll: string}}} props */
export function AddNote({ roll }) {
  const [text, setText] = useState("");
  if (!may("note", roll.roll)) return null;
  const send = async (event) => {
    event.preventDefault();
    if (await act("note", { roll: roll.roll, text }, roll.roll)) setText("");
  };
  return html`
    <form class="row" onSubmit=${send}>
      <${Text} grow label=${t("note.add")} value=${text} set=${setText} required maxlength="1000" />
      <button>${t("note.do")}</button>
    </form>`;
}
