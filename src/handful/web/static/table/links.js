// Links to seats, to copy or as QR codes.

import { html, useEffect, useState } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { wholeLink } from "../app/invitation.js";
import { CopyButton } from "../ui/copy.js";

/** @import { Reach } from "../app/invitation.js" */

/** @param {{links: {title: string, link: string}[], reach?: Reach|null}} props */
export function Links({ links, reach = null }) {
  return html`<ul class="links">${links.map((one) => html`<${Link} key=${one.link} reach=${reach} ...${one} />`)}</ul>`;
}

/** @param {{title: string, link: string, reach?: Reach|null}} props */
export function Link({ title, link, reach = null }) {
  const whole = wholeLink(link, reach);
  const [open, setOpen] = useState(false);
  return html`
    <li>
      <label class="field"><span>${title}</span>
        <input readonly value=${whole} onFocus=${(event) => event.target.select()} /></label>
      <div class="row wrap">
        <${CopyButton} text=${whole}>${t("links.copy")}<//>
        <button type="button" aria-expanded=${open} onClick=${() => setOpen(!open)}>${t("links.code")}</button>
      </div>
      ${open && html`<${Code} text=${whole} title=${title} />`}
    </li>`;
}

/** A QR code as SVG. @param {{text: string, title: string}} props */
export function Code({ text, title }) {
  const [path, setPath] = useState(null);
  useEffect(() => {
    let wanted = true;
    import("../vendor/qrcode.mjs").then(({ qrcode }) => {
      const code = qrcode(0, "M");
      code.addData(text);
      code.make();
      const size = code.getModuleCount();
      let squares = "";
      for (let y = 0; y < size; y += 1) {
        for (let x = 0; x < size; x += 1) if (code.isDark(y, x)) squares += `M${x + 4} ${y + 4}h1v1h-1z`;
      }
      if (wanted) setPath({ squares, size: size + 8 });
    });
    return () => { wanted = false; };
  }, [text]);
  if (!path) return html`<div class="qr"></div>`;
  return html`
    <svg class="qr" viewBox=${`0 0 ${path.size} ${path.size}`} role="img"
      aria-label=${t("links.code_of", { what: title })}>
      <rect width="100%" height="100%" fill="#fff" /><path d=${path.squares} fill="#000" />
    </svg>`;
}
