// Dialogs over the table: a character's sheet, a new one, the luck report. Each is loaded when first opened.

import { html, useEffect, useState } from "../app/lib.js";
import { loadTexts } from "../app/i18n.js";
import { may, openDialog } from "../app/state.js";

/** Load a stylesheet that only dialogs need. @param {string} name */
function styled(name) {
  const href = `/static/css/${name}.css`;
  if (document.querySelector(`link[href="${href}"]`)) return null;
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  const loaded = new Promise((done) => { link.onload = link.onerror = done; });
  document.head.append(link);
  return loaded;
}

const PARTS = {
  sheet: () => import("../sheet/window.js").then((one) => one.SheetWindow),
  create: () => Promise.all([import("../sheet/create.js"), loadTexts("create"), styled("create")]).then(([one]) => one.CreateWindow),
  rename: () => Promise.all([import("../sheet/rename.js"), loadTexts("create")]).then(([one]) => one.RenameWindow),
  invite: () => Promise.all([import("./invite.js"), loadTexts("invite"), styled("invite")]).then(([one]) => one.InviteWindow),
  luck: () => import("../log/luck.js").then((one) => one.LuckWindow),
};

const CREATE = "#create";

export function Dialogs() {
  const { name, ...props } = openDialog.value ?? {};
  const [fetched, setFetched] = useState({});
  useEffect(() => { // a link may lead here: whoever joins can make a character at once
    if (location.hash !== CREATE) return;
    history.replaceState(null, "", location.pathname + location.search);
    if (may("bring")) openDialog.value = { name: "create" };
  }, []);
  useEffect(() => {
    if (!name || fetched[name]) return;
    Promise.all([PARTS[name]?.(), styled("dialogs")]).then(([Part]) => setFetched((had) => ({ ...had, [name]: Part })));
  }, [name]);
  const Part = name && fetched[name];
  return Part ? html`<${Part} key=${name} ...${props} close=${() => { openDialog.value = null; }} />` : null;
}
