// Entry point: picks the screen by the URL.

import { html, render } from "./app/lib.js";
import { LANGUAGE, loadTexts, t } from "./app/i18n.js";

const [, first, second] = location.pathname.split("/");
const root = /** @type {HTMLElement} */ (document.getElementById("app"));

/** Texts that a page needs besides the common ones, by the first part of its URL. */
const TEXTS = { "": ["start"], join: ["start"], odds: ["odds"], edit: ["editor", "odds", "start"], brew: ["editor", "odds", "start"] };

/** Each screen is loaded on demand. */
async function screen() {
  if (first === "t" && !second.includes("~")) { // a link for everybody at a table: to the seat of this browser
    const visit = (await import("./app/myTables.js")).visitTo(second);
    if (visit) location.replace(`/t/${visit.place}${location.hash}`);
  }
  if (first === "t") {
    return [(await import("./screens/table.js")).TableScreen, { table: decodeURIComponent(second) }];
  }
  if (first === "join") return [(await import("./screens/join.js")).JoinScreen, { token: second }];
  if (first === "odds") return [(await import("./screens/odds.js")).OddsScreen, {}];
  if (first === "edit" || first === "brew") {
    return [(await import("./screens/editor.js")).EditScreen, { hash: first === "brew" ? second : "" }];
  }
  return [(await import("./screens/start.js")).StartScreen, {}];
}

document.title = t("name");
document.documentElement.lang = LANGUAGE;
const [[Screen, props]] = await Promise.all([screen(), ...(TEXTS[first] ?? []).map(loadTexts)]);
root.replaceChildren();
render(html`<${Screen} ...${props} />`, root);

// Installable: on a home screen the table opens at its seat; without a network the offline page shows.
if (first === "t") /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=manifest]")).href = `/t/${second}/manifest.webmanifest`;
navigator.serviceWorker?.register("/sw.js").catch(() => null); // optional, and missing in some browsers
