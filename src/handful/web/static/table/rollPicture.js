// A picture of a roll, drawn from what its card shows: felt, dice and the result. Loaded when it is wanted.

import { firstLogTimes, game, view } from "../app/state.js";
import { formatDay, formatTime } from "../app/i18n.js";
import { localize } from "../app/format.js";
import { sidesOf } from "./decision.js";
import { ownDiceOf, rolledWhat, who } from "./rollCard.js";
import { outcomeText } from "./outcome.js";

const WIDTH = 1000, MARGIN = 56, DIE = 92, GAP = 18, LINE = 44;
const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Lines of a text that fit the picture. */
function wrap(pen, text, width) {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (pen.measureText(longer).width > width && lines.at(-1)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** A die as on the card: brass if it counts, dim if it does not. */
function drawDie(pen, x, y, { face, counts, sides }) {
  pen.globalAlpha = counts === "none" ? 0.45 : 1;
  pen.fillStyle = colour(counts === "hit" ? "--brass" : "--ivory");
  pen.beginPath();
  pen.roundRect(x, y, DIE, DIE, 18);
  pen.fill();
  pen.fillStyle = colour("--pip");
  if (sides === 6) {
    for (const at of PIPS[face]) {
      pen.beginPath();
      pen.arc(x + DIE * (0.25 + 0.25 * (at % 3)), y + DIE * (0.25 + 0.25 * Math.floor(at / 3)), DIE * 0.085, 0, 7);
      pen.fill();
    }
    pen.globalAlpha = 1;
    return;
  }
  pen.font = `700 ${DIE * 0.45}px ${colour("--display")}`;
  pen.textAlign = "center";
  pen.fillText(String(face), x + DIE / 2, y + DIE * 0.66);
  pen.textAlign = "left";
  pen.globalAlpha = 1;
}

/** Draw everything; returns the height that it takes. */
function draw(pen, roll) {
  const dice = ownDiceOf(roll), inside = WIDTH - 2 * MARGIN;
  const perRow = Math.floor((inside + GAP) / (DIE + GAP));
  const sides = sidesOf(roll);
  const time = firstLogTimes.value.get(roll.roll);
  let y = MARGIN + 34;
  const write = (text, font, fill) => {
    pen.font = font;
    pen.fillStyle = fill;
    for (const line of wrap(pen, text, inside)) {
      pen.fillText(line, MARGIN, y);
      y += LINE;
    }
  };
  write(rolledWhat(roll), `700 38px ${colour("--display")}`, colour("--on-felt"));
  write(who(roll), `26px ${colour("--text")}`, colour("--felt-muted"));
  for (const [at, die] of dice.entries()) {
    drawDie(pen, MARGIN + (at % perRow) * (DIE + GAP), y - 12 + Math.floor(at / perRow) * (DIE + GAP), { ...die, sides: die.sides ?? sides });
  }
  y += Math.ceil(dice.length / perRow) * (DIE + GAP) + 36;
  write(outcomeText(roll), `700 34px ${colour("--display")}`, colour("--on-felt"));
  const place = [`#${roll.label}`, view.value.table, localize(game.value.title), time && `${formatDay(time)}, ${formatTime(time)}`];
  write(place.filter(Boolean).join(" · "), `22px ${colour("--text")}`, colour("--felt-muted"));
  return y + MARGIN - LINE;
}

/** A PNG of a roll. @returns {Promise<Blob>} */
export async function rollPicture(roll) {
  await document.fonts.ready;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, 10];
  const height = draw(canvas.getContext("2d"), roll);
  canvas.height = Math.ceil(height);
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.fillStyle = colour("--felt") || "#14261f";
  pen.fillRect(0, 0, WIDTH, height);
  draw(pen, roll);
  return new Promise((resolve, reject) => {
    canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("no picture"))), "image/png");
  });
}
