// The talk panel: the chat and the texts that the table shares.

import { html } from "../app/lib.js";
import { view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { Chat } from "./chat.js";
import { Scratchpad } from "./scratchpad.js";

export function Talk() {
  const pads = ["scratchpad", "gm_notes"].filter((pad) => view.value[pad]);
  return html`
    <div class="stack loose">
      <${Chat} />
      ${pads.map((pad) => html`
        <details key=${pad} class="box" open=${pad === "scratchpad" && Boolean(view.value[pad].text)}>
          <summary>${t(`pad.${pad}`)}</summary><${Scratchpad} pad=${pad} /></details>`)}
    </div>`;
}
