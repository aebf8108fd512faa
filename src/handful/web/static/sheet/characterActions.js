// What can be done with a character as a whole, beside playing it: another name, a copy.

import { may, openDialog } from "../app/state.js";
import { t } from "../app/i18n.js";
import { textButton } from "../ui/button.js";

/** Buttons for a character that this seat may change. @param {any} it */
export const characterActions = (it) => [
  may("rename", it.character) && textButton(t("rename.open"), () => { openDialog.value = { name: "rename", character: it.character }; },
    { key: "rename", "aria-haspopup": "dialog" }),
  may("bring", it.character) && textButton(t("create.duplicate"), () => {
    openDialog.value = { name: "create", copy: it.sheet, owner: it.owner };
  }, { key: "duplicate", "aria-haspopup": "dialog" }),
];
