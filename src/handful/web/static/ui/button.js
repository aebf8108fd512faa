// A text button and a badge.

import { html } from "../app/lib.js";

/** @param {any} says @param {() => any} onClick @param {object} [more] key, class, disabled */
export const textButton = (says, onClick, more = {}) => html`
  <button type="button" ...${more} onClick=${onClick}>${says}</button>`;

export const badge = (says) => html`<span class="badge">${says}</span>`;
