// The smallest pieces: a button with its words, a badge.

import { html } from "../app/lib.js";

/** @param {any} says @param {() => any} onClick @param {object} [more] key, class, disabled */
export const press = (says, onClick, more = {}) => html`
  <button type="button" ...${more} onClick=${onClick}>${says}</button>`;

export const badge = (says) => html`<span class="badge">${says}</span>`;
