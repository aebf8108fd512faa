// The face of a seat or a character at this table, with its colour and its picture.

import { html } from "../app/lib.js";
import { seatPath, view } from "../app/state.js";
import { characterOf } from "../app/format.js";
import { Avatar } from "../ui/avatar.js";

/** @param {string|null|undefined} hash */
export const pathOfPicture = (hash) => (hash ? seatPath(`pictures/${hash}`) : "");

/** @param {{name: string, size?: "s"|"l"|""}} props */
export function SeatFace({ name, size = "" }) {
  const seat = view.value?.seats.find((one) => one.name === name);
  return html`<${Avatar} name=${seat?.of || name} colour=${seat?.colour} picture=${pathOfPicture(seat?.picture)} size=${size} />`;
}

/** The face of a character: its own picture, or its letters on the colour of its owner. */
export function CharacterFace({ it, size = "" }) {
  const owner = view.value?.seats.find((one) => one.name === it.owner);
  return html`<${Avatar} name=${it.name} colour=${owner?.colour} picture=${pathOfPicture(it.picture)} size=${size} npc=${it.kind === "npc"} />`;
}

/** Who rolls: the character, if one is known, else the seat. @param {{roll: {roller: string, as?: string[]}, size?: "s"|"l"|""}} props */
export function RollFace({ roll, size = "" }) {
  const name = (roll.as ?? []).find(Boolean), it = name && characterOf(name);
  return it ? html`<${CharacterFace} it=${it} size=${size} />` : html`<${SeatFace} name=${roll.roller} size=${size} />`;
}
