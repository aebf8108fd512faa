// A chart by Observable Plot that fills the available width, with a summary in words and a data table.
//
// The library is large, so it is loaded with the first chart. It inserts a style element, which the
// content security policy forbids; we remove it, and css/base.css has the same rules.
// Colours are variables of css/base.css, for light and dark. Series also differ by dash and symbol, so
// that colour alone never carries meaning.

import { html, useEffect, useRef, useState } from "../app/lib.js";
import { t } from "../app/i18n.js";

/** @type {Promise<any>|undefined} */
let library;
const fetched = () => (library ??= import("../vendor/plot.mjs"));

const SYMBOLS = ["circle", "triangle", "square", "diamond", "star", "cross"];
const DASHES = ["none", "7 3", "2 3", "9 3 2 3", "12 4", "4 2 1 2"];

/** Colour, dash and symbol of the n-th series, counted from 0. */
export function series(n) {
  const at = n % SYMBOLS.length;
  return { colour: `var(--plot-${at + 1})`, symbol: SYMBOLS[at], dash: DASHES[at] };
}

/**
 * A chart, a summary in words, and its numbers as a table.
 * @param {{label: string, words: string, data: any, columns: string[], rows: any[][],
 *   draw: (Plot: any, width: number) => object, open?: boolean}} props
 *   `draw` returns the options of Plot.plot; it is called again when `data` or the width changes.
 *   The first cell of each row is its heading.
 */
export function Plotted({ label, words, data, draw, columns, rows, open = false }) {
  const place = useRef(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const watch = new ResizeObserver(([one]) => setWidth(Math.floor(one.contentRect.width)));
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  useEffect(() => { // the component may be gone by the time Plot has loaded
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
  for (const one of made.querySelectorAll("[aria-label]")) { // labels inside an image are never read out
    one.dataset.mark = one.getAttribute("aria-label");
    one.removeAttribute("aria-label");
  }
  made.setAttribute("role", "img");
  made.setAttribute("aria-label", label);
  return made;
}
