// A modal dialog. The browser keeps the focus inside and restores it when the dialog closes, by its
// button or by Escape.

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
