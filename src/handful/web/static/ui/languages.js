// Buttons for the other languages, each in its native name.

import { html } from "../app/lib.js";
import { LANGUAGE, LANGUAGES, setLanguage } from "../app/i18n.js";

export function Languages() {
  return Object.entries(LANGUAGES).filter(([code]) => code !== LANGUAGE).map(([code, name]) => html`
    <button type="button" key=${code} class="ghost language" lang=${code} onClick=${() => setLanguage(code)}>${name}</button>`);
}
