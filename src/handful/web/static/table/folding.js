// Which cards of the feed are folded to a line: everything finished, except the latest and attacks that go on.

import { computed, signal } from "../app/lib.js";
import { firstLogNumbers, view } from "../app/state.js";
import { isUnderway } from "../fight/attackState.js";

/** Cards that the reader has opened. */
const opened = signal(new Set());

const DONE = new Set(["finalised", "cancelled"]);

/** The latest roll or contest stays a card. */
const latest = computed(() => {
  const when = (one) => firstLogNumbers.value.get(one.roll) ?? 0;
  const parts = new Set((view.value?.rolls ?? []).flatMap((one) => (one.parts ?? []).map((part) => part.roll)));
  const shown = (view.value?.rolls ?? []).filter((one) => !parts.has(one.roll));
  return shown.reduce((found, one) => (!found || when(one) > when(found) ? one : found), /** @type {any} */ (null))?.roll;
});

const olds = computed(() => new Set((view.value?.rolls ?? [])
  .filter((one) => DONE.has(one.phase) && one.asked && one.roll !== latest.value && !isUnderway(one)).map((one) => one.roll)));

/** True for a finished roll that is not the latest. */
export const isOld = (name) => olds.value.has(name);
export const isOpened = (name) => opened.value.has(name);
export const isFolded = (name) => isOld(name) && !isOpened(name);

export function unfold(name) {
  opened.value = new Set([...opened.value, name]);
}

export function fold(name) {
  opened.value = new Set([...opened.value].filter((one) => one !== name));
}
