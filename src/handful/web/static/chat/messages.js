// What was said at the table, as far as this seat has heard it: times, groups and what is unread.

import { computed, signal } from "../app/lib.js";
import { lines, view } from "../app/state.js";
import { persist } from "../app/persist.js";

/** When each message was sent, by its name; the log has the times. */
export const sentAt = computed(() => new Map(lines.value.filter((line) => line.kind === "message_sent")
  .map((line) => [line.data.message, line.time])));

/** The number of the last log line that this seat has seen in the chat. */
export const readUpTo = persist("heard", signal(0));

export const unread = computed(() => lines.value.filter((line) => line.kind === "message_sent"
  && line.n > readUpTo.value && line.seat !== view.value?.seat).length);

/** Remember that everything so far was read. */
export function markRead() {
  const last = lines.value.at(-1)?.n ?? 0;
  if (unread.value) readUpTo.value = last;
}

const audience = (one) => (one.to ? [one.by, ...one.to].sort().join("\n") : "");

/**
 * Messages of one person to the same people, one after the other, belong together.
 * @param {{message: string, by: string, text: string, to?: string[]}[]} messages
 */
export function grouped(messages) {
  const groups = [];
  for (const one of messages) {
    const last = groups.at(-1);
    if (last && last.by === one.by && audience(last.said[0]) === audience(one)) last.said.push(one);
    else groups.push({ key: one.message, by: one.by, to: one.to, said: [one] });
  }
  return groups;
}
