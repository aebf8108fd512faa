// The chat: what was said, and a line to say something to everyone or to some.

import { html, signal, useEffect, useRef } from "../app/lib.js";
import { act } from "../app/socket.js";
import { may, view } from "../app/state.js";
import { formatDay, formatTime, t } from "../app/i18n.js";
import { persist } from "../app/persist.js";
import { FaultAt } from "../ui/fault.js";
import { SeatFace } from "../table/face.js";
import { grouped, markRead, sentAt } from "./messages.js";

const draft = persist("say", signal(""));
const hearers = persist("say to", signal([]));

export function Chat() {
  const { messages } = view.value;
  const list = useRef(null);
  useEffect(() => {
    markRead();
    list.current.scrollTop = list.current.scrollHeight;
  }, [messages.at(-1)?.message]);
  return html`
    <section class="chat stack" aria-label=${t("chat.title")}>
      <ol class="messages" ref=${list} tabindex="0" aria-label=${t("chat.messages")}>
        ${!messages.length && html`<li class="muted">${t("chat.empty")}</li>`}
        ${days(grouped(messages)).map(({ day, groups }) => html`
          <li key=${day} class="day"><p class="divider"><span>${day}</span></p>
            <ol>${groups.map((one) => html`<${Group} key=${one.key} group=${one} />`)}</ol></li>`)}
      </ol>
      ${may("say") && html`<${SayForm} />`}
    </section>`;
}

/** Groups of messages by the day on which they began. */
function days(groups) {
  const found = new Map();
  for (const one of groups) {
    const day = formatDay(sentAt.value.get(one.key) ?? Date.now());
    found.set(day, [...(found.get(day) ?? []), one]);
  }
  return [...found].map(([day, those]) => ({ day, groups: those }));
}

function Group({ group }) {
  const { by, to, said, key } = group;
  const time = sentAt.value.get(key);
  return html`
    <li class=${to ? "said whispered" : "said"}>
      <${SeatFace} name=${by} size="s" />
      <div>
        <p class="by"><strong>${by}</strong> ${to && html`<span class="badge veil">${t("chat.whispered", { who: to.join(", ") })}</span>`}
          ${time && html`<time class="muted num" datetime=${time}>${formatTime(time)}</time>`}</p>
        ${said.map((one) => html`<p key=${one.message} class="words">${one.text}</p>`)}
      </div>
    </li>`;
}

function SayForm() {
  const names = view.value.seats.filter((one) => one.name !== view.value.seat && !one.left).map((one) => one.name);
  const to = hearers.value.filter((name) => names.includes(name));
  const flip = (name) => { hearers.value = to.includes(name) ? to.filter((one) => one !== name) : [...to, name]; };
  const send = async (event) => {
    event.preventDefault();
    const text = draft.value.trim();
    if (text && await act("say", { text, ...(to.length ? { to } : {}) }, "chat")) draft.value = "";
  };
  return html`
    <form class="say stack tight" onSubmit=${send}>
      ${names.length > 0 && html`
        <fieldset class="to"><legend class="hidden">${t("chat.to")}</legend>
          <div class="chips">
            <button type="button" aria-pressed=${!to.length} onClick=${() => { hearers.value = []; }}>${t("chat.everyone")}</button>
            ${names.map((name) => html`<button type="button" key=${name} aria-pressed=${to.includes(name)}
              onClick=${() => flip(name)}>${name}</button>`)}
          </div>
        </fieldset>`}
      <div class="row">
        <input class="grow" value=${draft.value} maxlength="1000" autocomplete="off" enterkeyhint="send"
          aria-label=${to.length ? t("chat.whisper_to", { who: to.join(", ") }) : t("chat.say")}
          placeholder=${to.length ? t("chat.whisper_to", { who: to.join(", ") }) : t("chat.say")}
          onInput=${(event) => { draft.value = event.target.value; }} />
        <button>${t("chat.send")}</button>
      </div>
      ${to.length > 0 && html`<p class="small muted">${t("chat.only_they")}</p>`}
      <${FaultAt} place="chat" />
    </form>`;
}
