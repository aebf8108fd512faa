// Copying text, also where the clipboard is not offered: pages without TLS, such as those on a home network.

import { html, useEffect, useRef, useState } from "../app/lib.js";
import { t } from "../app/i18n.js";

/** @param {string} text @returns {Promise<boolean>} */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** @param {string} text */
function copyBySelection(text) {
  const had = /** @type {HTMLElement|null} */ (document.activeElement);
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "hidden";
  (had?.closest("dialog") ?? document.body).append(field); // outside of an open dialog nothing can be selected
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  had?.focus();
  return done;
}

/**
 * A button that copies a text and says so.
 * @param {{text: string, children: any, class?: string}} props
 */
export function CopyButton({ text, children, class: kind = "" }) {
  const [copied, setCopied] = useState(false);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), 2000);
  };
  return html`
    <button type="button" class=${kind} onClick=${copy}>${copied ? `✓ ${t("links.copied")}` : children}</button>
    <span class="hidden" role="status">${copied ? t("links.copied") : ""}</span>`;
}
