// A tap on an attribute or a skill, wherever it stands, puts it into the roll panel.

import { actTab, game, openDialog, rollDraft, shownPart } from "../app/state.js";
import { newDraft, withCheck } from "../app/rollDraft.js";
import { checkOf } from "../app/format.js";
import { focusFirst } from "../ui/focus.js";

/** The parameter of a check that takes the name of an attribute or skill. @param {string} check @param {string} kind */
function pickFor(check, kind) {
  const picks = game.value.sheet?.picks ?? {};
  return checkOf(check)?.parameters.find((one) => picks[one.name]?.[kind] && one.type !== "text");
}

/** The draft's own check if it takes such a name, else the first that does. */
function checkFor(now, kind) {
  return [now, ...game.value.checks.map((one) => one.name)].find((one) => pickFor(one, kind));
}

/** Whether anything can be rolled with an attribute or a skill. @param {string} kind attributes or skills */
export const canTake = (kind) => Boolean(checkFor("", kind));

/**
 * @param {{character: string}} it
 * @param {string} kind attributes or skills
 * @param {string} name
 */
export function takeIntoRoll(it, kind, name) {
  const had = rollDraft.value ?? newDraft();
  const check = checkFor(had.check, kind);
  if (!check) return;
  const now = check === had.check ? had : withCheck(had, check);
  const same = now.sides[0].as === it.character;
  const values = { ...(same ? now.sides[0].values : {}), [pickFor(check, kind)?.name ?? ""]: name };
  rollDraft.value = { ...now, off: [], sides: [{ as: it.character, values }, ...now.sides.slice(1)] };
  openDialog.value = null;
  actTab.value = "roll";
  shownPart.value = "act";
  focusFirst(".part.act form button.primary, .part.act form button[type=submit], .part.act select");
}
