// The windows over the table: a character's sheet, the luck report.  Each is fetched when it is
// opened for the first time.

import { html, useEffect, useState } from "../app/lib.js";
import { openWindow } from "../app/state.js";

const PARTS = {
  sheet: () => import("../sheet/window.js").then((one) => one.SheetWindow),
  luck: () => import("../log/luck.js").then((one) => one.LuckWindow),
};

export function Windows() {
  const { name, ...props } = openWindow.value ?? {};
  const [fetched, setFetched] = useState({});
  useEffect(() => {
    if (name && !fetched[name]) PARTS[name]().then((Part) => setFetched((had) => ({ ...had, [name]: Part })));
  }, [name]);
  const Part = name && fetched[name];
  return Part ? html`<${Part} key=${name} ...${props} close=${() => { openWindow.value = null; }} />` : null;
}
