// The offer of a GM's seat, which somebody has beside their own.

import { html, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { seatPath, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { Fault } from "../ui/fault.js";
import { textButton } from "../ui/button.js";

/** A GM's seat was given to the person at this seat: sit down there, in this browser. */
export function GmOffer() {
  const [problem, setProblem] = useState(null);
  const own = view.value.seats.find((one) => one.of === view.value.seat && !one.left);
  if (!own) return null;
  const sit = () => ask(seatPath("gm_seat"), {}).then(({ link }) => { location.href = link; }, setProblem);
  return html`
    <section class="box stack tight yours">
      <p>${t("seats.offered", { name: own.name })}</p>
      <div>${textButton(t("seats.sit_gm"), sit)}</div>
      <${Fault} problem=${problem} onClose=${() => setProblem(null)} />
    </section>`;
}
