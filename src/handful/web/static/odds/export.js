// Export: CSV, JSON, Markdown, SVG, PNG, command line, link.

import { fractionToNumber } from "../app/format.js";
import { html, useEffect, useRef, useState } from "../app/lib.js";
import { t, formatDecimal } from "../app/i18n.js";
import { LETTERS, title } from "./series.js";
import { rows } from "./figures.js";
import { grid } from "./chart.js";
import { link } from "./state.js";

/** Print colours, as in the charts of `--plot`. */
const PRINTED = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"];

const known = () => rows().filter((row) => row.survey && !row.problem);
const quoted = (cell) => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** One line per value and series, with decimal and exact chance. */
export function csv() {
  const lines = [["series", "game", "check", "value", "exactly", "at_least", "at_most", "exact"]];
  for (const { at, one, survey } of known()) {
    for (const [value, exactly, atLeast, atMost] of survey.curves) {
      lines.push([LETTERS[at], one.game, one.check, String(value), ...[exactly, atLeast, atMost].map((f) => String(fractionToNumber(f))), exactly]);
    }
  }
  return `${lines.map((line) => line.map(quoted).join(",")).join("\n")}\n`;
}

/** The output of `handful odds --json` for each series, with the page's other figures. */
export const json = () => JSON.stringify(known().map(({ at, worth, game, one, survey }) => ({
  series: LETTERS[at], title: title(game, one), ...survey, ...(worth ? { worth } : {}) })), null, 2);

export function markdown() {
  const found = known();
  const lines = found.map(({ at, game, one }) => `${LETTERS[at]}: ${title(game, one)}  `);
  const heads = [t("odds.value"), ...found.flatMap(({ at }) => ["exactly", "at_least", "at_most"]
    .map((which) => `${LETTERS[at]} ${t(`odds.curve.${which}`)}`))];
  lines.push("", `| ${heads.join(" | ")} |`, `|${"---:|".repeat(heads.length)}`);
  for (const { value, cells } of grid(found)) {
    const figures = cells.flatMap((cell) => (cell ? cell.slice(1, 4).map((f) => t("percent", { n: formatDecimal(100 * fractionToNumber(f), 1) })) : ["–", "–", "–"]));
    lines.push(`| ${[String(value), ...figures].join(" | ")} |`);
  }
  return `${lines.join("\n")}\n`;
}

export const command = () => known().map(({ survey }) => survey.command).join("\n");

/** The chart as a standalone SVG: colours inlined, white background. */
function standalone(svg) {
  const copy = svg.cloneNode(true);
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("style", "font: 10px system-ui, sans-serif; color: #222; background: white");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ width, height, fill: "white" })) ground.setAttribute(name, value);
  copy.prepend(ground);
  return new XMLSerializer().serializeToString(copy).replaceAll(/var\(--plot-(\d)\)/g, (_, n) => PRINTED[n - 1]);
}

async function png(svg) {
  const { width, height } = svg.viewBox.baseVal;
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = 2 * width;
  canvas.height = 2 * height;
  canvas.getContext("2d")?.drawImage(image, 0, 0, 2 * width, 2 * height);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Copy to the clipboard, or save a file if the browser refuses. */
export async function copyOrSave(name, type, made) {
  const blob = async () => (typeof made === "string" ? new Blob([made], { type }) : await made);
  try {
    if (typeof made === "string") await navigator.clipboard.writeText(made);
    else await navigator.clipboard.write([new ClipboardItem({ [type]: made })]);
    return "odds.copied";
  } catch {
    const there = URL.createObjectURL(await blob());
    Object.assign(document.createElement("a"), { href: there, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(there), 10_000);
    return "odds.saved";
  }
}

/** Copy buttons. @param {{things: [string, () => [string, string, any]][]}} props */
export function CopyRow({ things }) {
  const [said, setSaid] = useState("");
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const take = async (what, make) => {
    setSaid(t(await copyOrSave(...make()), { what }));
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setSaid(""), 4000);
  };
  return html`
    <div class="row wrap copyrow" role="group" aria-label=${t("odds.copy")}>
      <span class="muted">${t("odds.copy")}</span>
      ${things.map(([what, make]) => html`<button type="button" class="small" key=${what}
        onClick=${() => take(what, make)}>${what}</button>`)}
      <span role="status" class="small">${said}</span>
    </div>`;
}

export function CopySeries() {
  const svg = () => document.querySelector(".picture .plot svg");
  if (!known().length) return null;
  return html`
    <${CopyRow} things=${[
      ["CSV", () => ["odds.csv", "text/csv", csv()]],
      ["JSON", () => ["odds.json", "application/json", json()]],
      ["Markdown", () => ["odds.md", "text/markdown", markdown()]],
      ["SVG", () => ["odds.svg", "image/svg+xml", standalone(svg())]],
      ["PNG", () => ["odds.png", "image/png", png(svg())]],
      [t("odds.command"), () => ["odds.txt", "text/plain", command()]],
      [t("odds.link"), () => ["odds.txt", "text/plain", link()]],
    ]} />`;
}
