// The steps below an attack's card: damage, resistance and the wound; loaded with the first hit.

import { html } from "../app/lib.js";
import { lazy } from "../ui/lazy.js";
import { hasSteps } from "./attackState.js";

const AttackSteps = lazy(() => import("./attackFlow.js").then((one) => one.AttackSteps));

/** Shown below an attack with a told result, unless it failed. */
export function DamagePanel({ roll }) {
  return hasSteps(roll) ? html`<div class="flow"><${AttackSteps} roll=${roll} /></div>` : null;
}
