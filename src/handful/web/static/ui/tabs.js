// Tabs; arrow keys move between them.

import { html, useId, useRef } from "../app/lib.js";

/**
 * @param {{tabs: {name: string, title: string, body: () => any}[], now: string,
 *   set: (name: string) => void, label: string}} props
 */
export function Tabs({ tabs, now, set, label }) {
  const id = useId();
  const row = useRef(null);
  const shown = tabs.find((one) => one.name === now) ?? tabs[0];
  if (!shown) return null;
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = (tabs.indexOf(shown) + step + tabs.length) % tabs.length;
    set(tabs[at].name);
    row.current.children[at].focus();
  };
  return html`
    <div class="tabs" role="tablist" aria-label=${label} ref=${row} onKeyDown=${move}>
      ${tabs.map((one) => html`
        <button type="button" role="tab" key=${one.name} id=${`${id}${one.name}`} aria-selected=${one === shown}
          aria-controls=${`${id}panel`} tabindex=${one === shown ? 0 : -1}
            onClick=${() => set(one.name)}>${one.title}</button>`)}
    </div>
    <div role="tabpanel" id=${`${id}panel`} aria-labelledby=${`${id}${shown.name}`}
      key=${shown.name}>${shown.body()}</div>`;
}
