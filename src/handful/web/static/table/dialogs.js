// Dialogs over the table: a character's sheet, the luck report. Each is loaded when first opened.

import { html, useEffect, useState } from "../app/lib.js";
import { openDialog } from "../app/state.js";

const PARTS = {
  sheet: () => import("../sheet/window.js").then((one) => one.SheetWindow),
  luck: () => import("../log/luck.js").then((one) => one.LuckWindow),
};

export function Dialogs() {
  const { name, ...props } = openDialog.value ?? {};
  const [fetched, setFetched] = useState({});
  useEffect(() => {
    if (name && !fetched[name]) PARTS[name]().then((Part) => setFetched((had) => ({ ...had, [name]: Part })));
  }, [name]);
  const Part = name && fetched[name];
  return Part ? html`<${Part} key=${name} ...${props} close=${() => { openDialog.value = null; }} />` : null;
}
