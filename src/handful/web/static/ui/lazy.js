// Parts of a page that are fetched after the page is drawn: when they are shown, or when the browser is idle.

import { html, useEffect, useState } from "../app/lib.js";

const RETRY = 3000; // milliseconds until a part that could not be fetched is asked for again

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
    const [isDrawn, draw] = useState(Boolean(Part));
    useEffect(() => {
      let timer = 0;
      const go = () => (Part ? Promise.resolve() : fetched()).then(() => draw(true), () => { timer = setTimeout(go, RETRY); });
      if (!isDrawn) go(); // it may have come between drawing and now
      return () => clearTimeout(timer);
    }, []);
    return Part ? html`<${Part} ...${props} />` : meanwhile && html`<p class="muted" role="status">${meanwhile}</p>`;
  };
}
