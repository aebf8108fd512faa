// A chart by Observable Plot: drawn as wide as there is room, said in words, readable as a table.
//
// The library is large and comes when the first chart is shown.  It puts a style element into what
// it draws; the pages' policy forbids that, so it is taken out, and style.css says the same.
// Colours are names of style.css: light or dark, and far enough apart for everybody.  A second
// series differs by more than its colour: `series(1)` has a dash and a symbol, too.

import { html, useEffect, useRef, useState } from "../app/lib.js";
import { t } from "../app/i18n.js";

let library = null;
const fetched = () => (library ??= import("../vendor/plot.mjs"));

const SYMBOLS = ["circle", "triangle", "square", "diamond", "star", "cross"];
const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2"];

/** How the n-th series looks, from 0: a colour, and what tells it from the others without colour. */
export function series(n) {
  const at = n % SYMBOLS.length;
  return { colour: `var(--plot-${at + 1})`, symbol: SYMBOLS[at], dash: DASHES[at] };
}

/**
 * A chart, what it shows in words, and its numbers.
 * @param {{label: string, words: string, data: any, columns: string[], rows: any[][],
 *   draw: (Plot: any, width: number) => object, open?: boolean}} props
 *   `draw` gives the options of Plot.plot; it is asked again when `data` or the width is another.
 *   The first cell of each of the `rows` is its name.
 */
export function Plotted({ label, words, data, draw, columns, rows, open = false }) {
  const place = useRef(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(([one]) => setWidth(Math.floor(one.contentRect.width)));
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  useEffect(() => { // the page may be another one by the time that Plot has come
    let wanted = width > 0;
    if (wanted) {
      fetched().then((Plot) => wanted && place.current?.replaceChildren(drawn(Plot, draw(Plot, width), width, label)));
    }
    return () => { wanted = false; };
  }, [width, data]);
  return html`
    <figure class="plotted">
      <div class="plot" ref=${place}></div>
      <figcaption class="small">${words}</figcaption>
      <details open=${open}>
        <summary>${t("chart.table")}</summary>
        <div class="sideways" tabindex="0" role="group" aria-label=${label}>
          <table class="figures">
            <thead><tr>${columns.map((one) => html`<th key=${one} scope="col">${one}</th>`)}</tr></thead>
            <tbody>${rows.map(([name, ...cells], at) => html`<tr key=${at}><th scope="row">${name}</th>
              ${cells.map((cell, n) => html`<td key=${n}>${cell}</td>`)}</tr>`)}</tbody>
          </table>
        </div>
      </details>
    </figure>`;
}

function drawn(Plot, options, width, label) {
  const made = Plot.plot({ width, ...options });
  for (const one of made.querySelectorAll("style")) one.remove();
  for (const one of made.querySelectorAll("[aria-label]")) { // inside of a picture nobody reads labels
    one.dataset.mark = one.getAttribute("aria-label");
    one.removeAttribute("aria-label");
  }
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", label);
  return made;
}
