// Where the page begins: the address says what is shown.

import { html, render } from "./app/lib.js";
import { LANGUAGE, t } from "./app/i18n.js";

const [, first, second] = location.pathname.split("/");
const root = document.getElementById("app");

/** Each screen is loaded when it is needed. */
async function screen() {
  if (first === "t") {
    return [(await import("./screens/table.js")).TableScreen, { table: decodeURIComponent(second) }];
  }
  if (first === "join") return [(await import("./screens/join.js")).Join, { token: second }];
  if (first === "odds") return [(await import("./screens/odds.js")).OddsScreen, {}];
  if (first === "edit" || first === "brew") {
    return [(await import("./screens/editor.js")).EditScreen, { hash: first === "brew" ? second : "" }];
  }
  return [(await import("./screens/start.js")).Start, {}];
}

document.title = t("name");
document.documentElement.lang = LANGUAGE;
const [Screen, props] = await screen();
root.replaceChildren();
render(html`<${Screen} ...${props} />`, root);

// On a phone's home screen: a table opens at its seat, and without a network an honest page says so.
if (first === "t") document.querySelector("link[rel=manifest]").href = `/t/${second}/manifest.webmanifest`;
navigator.serviceWorker?.register("/sw.js").catch(() => null); // not everywhere, and nothing hangs on it
