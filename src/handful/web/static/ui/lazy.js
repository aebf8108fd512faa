// Parts of a page that are fetched after the page is drawn: when they are shown, or when the browser is idle.

import { html, useEffect, useState } from "../app/lib.js";

/** @type {((work: () => void) => void)} */
const whenIdle = globalThis.requestIdleCallback ?? ((work) => setTimeout(work, 1500));

/**
 * A component that is loaded on demand.
 * @param {() => Promise<(props: any) => any>} load @param {string} [meanwhile] what stands there until then
 */
export function lazy(load, meanwhile = "…") {
  /** @type {((props: any) => any)|null} */
  let Part = null;
  const fetched = () => load().then((found) => { Part = found; });
  whenIdle(() => { fetched().catch(() => null); }); // without a network it is fetched when it is shown
  return function Lazy(/** @type {any} */ props) {
    const [, draw] = useState(false);
    useEffect(() => { if (!Part) fetched().then(() => draw(true)); }, []);
    return Part ? html`<${Part} ...${props} />` : meanwhile && html`<p class="muted" role="status">${meanwhile}</p>`;
  };
}
