// One step of an attack: done steps are a line, the one that is on is open, the rest is named.

import { html } from "../app/lib.js";
import { icon } from "../ui/icons.js";
import { t } from "../app/i18n.js";

/** An open step. @param {{n: number, title: string, children: any}} props */
export function Step({ n, title, children }) {
  return html`<li class="at"><div class="head"><span class="n" aria-hidden="true">${n}</span><h4>${title}</h4></div>
    <div class="body">${children}</div></li>`;
}

/** A step that is done, in one line. */
export function Done({ title, children }) {
  return html`<li class="did"><span class="n">${icon("check")}<span class="hidden">${t("attack.done")}: </span></span>
    <span class="grow"><small>${title}</small> <b>${children}</b></span></li>`;
}

/** A step to come. */
export const Later = ({ n, title }) => html`<li class="later"><span class="n" aria-hidden="true">${n}</span>${title}</li>`;
