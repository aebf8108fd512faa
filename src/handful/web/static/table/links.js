// Links to seats, to copy or as QR codes.

import { html, useEffect, useState } from "../app/lib.js";
import { t } from "../app/i18n.js";

export function Links({ links }) {
  return html`<ul class="links">${links.map((one) => html`<${Link} key=${one.link} ...${one} />`)}</ul>`;
}

export function Link({ title, link }) {
  const whole = new URL(link, location.href).href;
  const [copied, setCopied] = useState(false);
  const [open, setOpen] = useState(false);
  const copy = async (event) => {
    const field = event.currentTarget.closest("li").querySelector("input");
    try {
      await navigator.clipboard.writeText(whole);
    } catch {
      field.select();
      document.execCommand("copy");
    }
    setCopied(true);
    setTimeout(() => setCopied(false), 2000);
  };
  return html`
    <li>
      <label class="field"><span>${title}</span>
        <input readonly value=${whole} onFocus=${(event) => event.target.select()} /></label>
      <div class="row wrap">
        <button type="button" onClick=${copy}>${copied ? `✓ ${t("links.copied")}` : t("links.copy")}</button>
        <button type="button" aria-expanded=${open} onClick=${() => setOpen(!open)}>${t("links.code")}</button>
        <span class="hidden" role="status">${copied ? t("links.copied") : ""}</span>
      </div>
      ${open && html`<${Code} text=${whole} title=${title} />`}
    </li>`;
}

/** A QR code as SVG. */
function Code({ text, title }) {
  const [path, setPath] = useState(null);
  useEffect(() => {
    import("../vendor/qrcode.mjs").then(({ qrcode }) => {
      const code = qrcode(0, "M");
      code.addData(text);
      code.make();
      const size = code.getModuleCount();
      let squares = "";
      for (let y = 0; y < size; y += 1) {
        for (let x = 0; x < size; x += 1) if (code.isDark(y, x)) squares += `M${x + 4} ${y + 4}h1v1h-1z`;
      }
      setPath({ squares, size: size + 8 });
    });
  }, [text]);
  if (!path) return null;
  return html`
    <svg class="qr" viewBox=${`0 0 ${path.size} ${path.size}`} role="img"
      aria-label=${t("links.code_of", { what: title })}>
      <rect width="100%" height="100%" fill="#fff" /><path d=${path.squares} fill="#000" />
    </svg>`;
}
