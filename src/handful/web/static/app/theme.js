// Light or dark: the reader's choice, else the system's. `theme.js` applies a kept choice before the first paint.

import { signal } from "./lib.js";

const KEPT = "handful-theme";
const root = document.documentElement;
const systemDark = matchMedia("(prefers-color-scheme: dark)");

/** light or dark */
export const theme = signal(shown());

function shown() {
  return root.dataset.theme ?? (systemDark.matches ? "dark" : "light");
}

systemDark.addEventListener("change", () => { theme.value = shown(); });

/** Show the other theme and remember it; the system's own theme needs no note. */
export function switchTheme() {
  const next = theme.value === "dark" ? "light" : "dark";
  if ((next === "dark") === systemDark.matches) delete root.dataset.theme;
  else root.dataset.theme = next;
  theme.value = next;
  try {
    if (root.dataset.theme) localStorage.setItem(KEPT, next);
    else localStorage.removeItem(KEPT);
  } catch {
    // storage is disabled: the choice holds until the page is left
  }
}
