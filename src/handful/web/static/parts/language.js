// The other languages, each by its own name.

import { html } from "../lib.js";
import { LANGUAGE, LANGUAGES, speak } from "../texts.js";

export function Languages() {
  return Object.entries(LANGUAGES).filter(([code]) => code !== LANGUAGE).map(([code, name]) => html`
    <button type="button" key=${code} class="quiet language" lang=${code} onClick=${() => speak(code)}>${name}</button>`);
}
