// A window over the table, for what needs the whole screen.  The browser keeps the focus inside, and
// gives it back when the window is closed: by its button, by Escape.

import { html, useEffect, useId, useRef } from "../app/lib.js";
import { t } from "../app/i18n.js";

/** @param {{title: any, close: () => void, children: any, kind?: string}} props */
export function Dialog({ title, close, children, kind = "" }) {
  const box = useRef(null);
  const id = useId();
  useEffect(() => { box.current.showModal(); }, []);
  return html`
    <dialog ref=${box} class=${`window ${kind}`} aria-labelledby=${id} onClose=${close}>
      <div class="head row between">
        <h2 id=${id}>${title}</h2>
        <button type="button" class="noprint" onClick=${() => box.current.close()}>${t("close")}</button>
      </div>
      ${children}
    </dialog>`;
}
