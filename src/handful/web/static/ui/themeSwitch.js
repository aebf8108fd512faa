// Switches of the page: light or dark, and the sound of dice.

import { html } from "../app/lib.js";
import { switchTheme, theme } from "../app/theme.js";
import { t } from "../app/i18n.js";
import { icon } from "./icons.js";
import { soundOn, switchSound } from "./sound.js";

/** @param {{words?: boolean}} props `words` shows the name beside the icon */
export function ThemeSwitch({ words = false }) {
  const next = theme.value === "dark" ? "light" : "dark";
  const says = t(`theme.${next}`);
  return html`<button type="button" class=${words ? "ghost" : "ghost icon"} aria-label=${says} title=${says}
    onClick=${switchTheme}>${icon(next === "dark" ? "moon" : "sun")}${words && html` ${says}`}</button>`;
}

export function SoundSwitch() {
  const says = t(soundOn.value ? "sound.off" : "sound.on");
  return html`<button type="button" class="ghost icon" aria-label=${says} title=${says} onClick=${switchSound}>
    ${icon(soundOn.value ? "sound" : "mute")}</button>`;
}
