// Declare a draft and throw its dice in one command; own dice are typed on the card.

import { newKey } from "../app/api.js";
import { act } from "../app/socket.js";
import { ownDice, shownPart, view } from "../app/state.js";
import { declareFields } from "../app/rollDraft.js";
import { focusCard } from "../ui/focus.js";

/**
 * @param {import("../app/rollDraft.js").Draft} draft
 * @param {(name: string, draft: any) => void} keep notes the draft of the new roll
 * @returns {Promise<boolean>} whether the server has accepted it
 */
export async function declare(draft, keep) {
  const key = newKey();
  const name = `${view.value.seat}/${key}`;
  if (draft.own) ownDice.add(name);
  keep(name, draft);
  const fields = { ...declareFields(draft), ...(draft.own ? {} : { throw: {} }) };
  if (!(await act("declare", fields, "panel", key))) return false;
  shownPart.value = "feed";
  focusCard(name);
  return true;
}
