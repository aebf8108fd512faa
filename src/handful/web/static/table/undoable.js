// Destructive actions: each is undone by a command, or waits until its note is gone.

import { signal } from "../app/lib.js";
import { ask } from "../app/api.js";
import { act } from "../app/socket.js";
import { seatPath, setFault } from "../app/state.js";
import { t } from "../app/i18n.js";
import { toastLater } from "../ui/toast.js";

/** The character that is being removed: this page shows it no longer. */
export const leaving = signal("");
const stay = () => { leaving.value = ""; };

/** Remove a character. A sheet could be brought again, but not its history or its place in a fight: it waits. */
export function dismissCharacter({ character, name }) {
  toastLater(t("toast.dismissed", { who: name }), () => act("dismiss", { character }, "table").then(stay), stay);
  leaving.value = character;
}

/** Remove somebody from the table: they can do nothing at once, and their links end when the note goes. */
export async function removeSeat({ name, role }) {
  if (!(await act("leave", { name }, "seats"))) return;
  toastLater(t("toast.removed", { who: name }), () => revoke(name, role), () => act("seat", { name, role }, "seats"));
}

const revoke = (seat, role) => ask(seatPath("links/revoke"), { seat, role }).catch((problem) => setFault("seats", problem));

/** End the links to a seat, or to new seats of a role. This cannot be undone, so it waits. */
export const revokeLinks = (seat, role, done) =>
  toastLater(t("toast.revoked", { who: seat || t(`links.${role}s`) }), () => revoke(seat, role).then(done));

/** End the fight, after a moment in which it can be called back. */
export const endFight = () => toastLater(t("toast.fight_over"), () => act("end_fight", {}, "fight"));
