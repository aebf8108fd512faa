// The other languages, each by its own name.

import { html } from "../app/lib.js";
import { LANGUAGE, LANGUAGES, speak } from "../app/i18n.js";

export function Languages() {
  return Object.entries(LANGUAGES).filter(([code]) => code !== LANGUAGE).map(([code, name]) => html`
    <button type="button" key=${code} class="ghost language" lang=${code} onClick=${() => speak(code)}>${name}</button>`);
}
