// The card of a request or a challenge: proposals and the GM's replies.

import { html, signal, useEffect, useMemo, useSignal, useState } from "../app/lib.js";
import { isGM, lines, may, ownDice, rollDraft, view } from "../app/state.js";
import { newKey } from "../app/api.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { declareFields, targetsOf, newDraft, withSide } from "../app/rollDraft.js";
import { persist } from "../app/persist.js";
import { previewDraft } from "../app/preview.js";
import { characterName, checkOf, checkTitle, parameterText } from "../app/format.js";
import { Chance } from "./chance.js";
import { CharacterField, CheckForm } from "./checkForm.js";
import { waitsForMe } from "../app/inbox.js";
import { FaultAt } from "../ui/fault.js";
import { focusCard } from "../ui/focus.js";
import { Stamp } from "./rollCard.js";
import { lazy } from "../ui/lazy.js";

const SettleChallenge = lazy(() => import("./settleChallenge.js").then((one) => one.SettleChallenge));

/** Proposal drafts by request and seat. */
const proposals = persist("proposals", signal({}));

/** Parameters on one line. */
export function inWords(check, parameters, hidden = []) {
  return Object.entries(parameters).map(([name, value]) =>
    `${parameterText(check, name, value)}${hidden.includes(name) ? " ◆" : ""}`).join(" · ");
}

/** "Kim asks for a check": a request is named after the seat that made it. */
export const askedBy = ({ request }) => t("request.asks", { who: request.split("/")[0] });

export function RequestCard({ request }) {
  const { called, check, parameters, hidden, title, to } = request;
  const id = request.request;
  const who = called ? t("request.called", { who: to[0] }) : askedBy(request);
  const what = title || checkTitle(check);
  return html`
    <article class=${`card request ${waitsForMe(id) ? "yours" : "open"}`} id=${`card-${id}`} tabindex="-1" aria-label=${t("roll.label", { who, what })}>
      <header>
        <div><h3>${what}</h3>
          <p class="by">${who} · ${checkTitle(check)}
            ${Object.keys(parameters).length > 0
              && html` · <strong>${inWords(check, parameters, isGM.value ? hidden : [])}</strong>`}</p></div>
        <div class="badges"><${Stamp} name=${id} /></div>
      </header>
      <ul class="seatlist">${to.map((name) => html`<${Asked} key=${name} request=${request} name=${name} />`)}</ul>
      ${may("propose", id) && !isGM.value && (view.value.seat in request.proposals
        ? html`<details key="again"><summary>${t("request.again")}</summary><${Proposal} request=${request}
          name=${view.value.seat} /></details>`
        : html`<${Proposal} key="first" request=${request} name=${view.value.seat} />`)}
      ${may("settle", id) && html`<${SettleChallenge} request=${request} />`}
      <${FaultAt} place=${id} />
      ${may("withdraw", id) && html`<div><button type="button" class="ghost"
        onClick=${() => act("withdraw", { request: id }, id)}>${t("request.withdraw")}</button></div>`}
    </article>`;
}

/** One seat of a request and its progress. */
export function Asked({ request, name }) {
  const id = request.request;
  const proposal = request.proposals[name];
  const roll = request.rolls[name];
  const as = request.as[name] ?? "";
  const says = proposal && [as && characterName(as), inWords(request.check, proposal)].filter(Boolean).join(" · ");
  const left = view.value.seats.find((one) => one.name === name)?.left;
  if (!isGM.value && name !== view.value.seat) return null;
  return html`
    <li>
      ${(isGM.value || roll || says) && html`<p><strong>${name}</strong> ${roll ? html`<a href=${`#card-${roll}`}>${t("request.rolls")}</a>`
        : says ? html`${t("request.proposes")} <em>${says}</em>`
          : html`<span class="muted">${t(left ? "request.absent" : "request.waits")}</span>`}</p>`}
      ${!roll && !proposal && html`<${WhyNot} id=${id} name=${name} />`}
      ${proposal && !roll && may("accept", id) && html`<${Answer} id=${id} name=${name} />`}
      ${!roll && may("accept", id) && html`
        <details><summary>${t("request.instead", { who: name })}</summary><${Proposal} request=${request} name=${name}
          accept=${true} /></details>`}
    </li>`;
}

/** The GM's reply to the last proposal. */
function WhyNot({ id, name }) {
  const last = lines.value.findLast(({ kind, data }) => kind === "proposal_refused" && data.request === id
    && data.name === name);
  return last && html`<p class="small">${t("request.refused", { who: last.seat })} <em>${last.data.words}</em></p>`;
}

function Answer({ id, name }) {
  const [words, setWords] = useState("");
  return html`
    <div class="row wrap">
      <button type="button" class="primary"
        onClick=${() => act("accept", { request: id, name }, id)}>${t("request.accept")}</button>
      ${may("refuse", id) && html`
        <button type="button" onClick=${() =>
          act("refuse", { request: id, name, ...(words ? { words } : {}) }, id)}>${t("request.refuse")}</button>
        <input class="grow" aria-label=${t("request.why")} placeholder=${t("request.why")} maxlength="500"
          value=${words} onInput=${(event) => setWords(event.target.value)} />`}
    </div>`;
}

/** Answer a request that leaves nothing open: one command declares and throws. */
export async function rollAsked({ request, check }, as) {
  const key = newKey();
  const name = `${view.value.seat}/${key}`;
  const own = rollDraft.value?.own;
  if (own) ownDice.add(name);
  const data = { request, check, ...as, ...(own ? {} : { throw: {} }) };
  if (await act("declare", data, request, key)) focusCard(may("propose", request) ? request : name);
}

/** The proposal form, with its chance; the GM may fill it in for an absent player. */
export function Proposal({ request, name, accept = false }) {
  const id = request.request;
  const own = view.value.characters.find((one) => one.owner === name && one.sheet);
  const mark = `${id} ${name}`;
  const first = useMemo(() => newDraft(request.check, request.as[name] ?? own?.character ?? ""), []);
  const draft = proposals.value[mark] ?? first;
  const set = (next) => { proposals.value = { ...proposals.value, [mark]: next }; };
  const whole = useSignal(null);
  const { found, stop } = useMemo(() => previewDraft(whole), []);
  useEffect(() => stop, []);
  const mine = declareFields(draft);
  useEffect(() => {
    const values = { ...draft.sides[0].values };
    for (const [key, value] of Object.entries(request.parameters)) values[key] = value;
    whole.value = { ...draft, sides: [{ ...draft.sides[0], values }], for: accept ? name : "" };
  }, [draft]);
  const goals = targetsOf(request.check);
  const isSet = goals.some((one) => one in request.parameters || request.hidden.includes(one));
  const fixed = [...Object.keys(request.parameters), ...(isSet ? goals : [])]; // what is to be reached is the GM's
  const parameters = { ...mine.parameters };
  for (const key of Object.keys(request.parameters)) delete parameters[key];
  const as = mine.as ? { as: mine.as } : {};
  const settled = !accept && may("propose", id)?.at_once;
  const atOnce = settled && !Object.keys(parameters).length;
  const several = view.value.characters.filter((one) => one.owner === name && one.sheet).length > 1;
  const form = html`<${CheckForm} draft=${draft} set=${set} fixed=${fixed} checks=${[request.check]} chosen=${settled && several} />`;
  const send = (event) => {
    event.preventDefault();
    if (atOnce) rollAsked(request, as);
    else act(accept ? "accept" : "propose", /** @type {any} */ ({ request: id, ...(accept ? { name } : {}), parameters, ...as }), id);
  };
  return html`
    <form class="stack proposal" onSubmit=${send}>
      ${!settled && form}
      ${settled && several && html`<${CharacterField} owner=${name} value=${draft.sides[0].as} set=${(one) => set(withSide(draft, 0, { as: one }))} />`}
      <div class="go"><${Chance} found=${found.value} main=${checkOf(request.check).main} />
        <button class="primary">${t(accept ? "request.accept_for" : !atOnce ? "request.propose"
          : rollDraft.value?.own ? "panel.declare" : "panel.roll", { who: name })}</button></div>
      ${settled && html`<details class="more"><summary>${t("request.suggest")}</summary>${form}</details>`}
    </form>`;
}
