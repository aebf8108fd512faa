// The socket: first what was missed, then news.  Commands go the same way, each with a key of its
// own, and are sent again with the same key until they are acknowledged.

import { batch } from "./lib.js";
import { ask, newKey, Problem } from "./api.js";
import { LANGUAGE } from "./texts.js";
import { connection, faults, lines, pending, setFault, view } from "./state.js";

const SOONEST = 300, LATEST = 5000; // milliseconds between tries
const FORBIDDEN = 4403;

let table = "", socket = null, tries = 0, timer = 0;
/** key -> {message, resolve, reject} */
const waiting = new Map();

export function connect(name) {
  table = name;
  open();
  addEventListener("online", now);
  document.addEventListener("visibilitychange", () => document.hidden || now());
}

/** Try at once, without waiting for the next turn. */
function now() {
  if (connection.value !== "lost") return;
  clearTimeout(timer);
  open();
}

function open() {
  const after = lines.value.at(-1)?.n ?? 0;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const path = `/api/tables/${encodeURIComponent(table)}/socket?after=${after}&lang=${LANGUAGE}`;
  const own = socket = new WebSocket(`${scheme}://${location.host}${path}`);
  own.onmessage = (event) => own === socket && hear(JSON.parse(event.data));
  own.onclose = (event) => own === socket && closed(event);
}

async function closed(event) {
  if (connection.value === "gone") return;
  const before = connection.value;
  connection.value = before === "connecting" ? "connecting" : "lost";
  if (event.code === FORBIDDEN || before !== "open") {
    const gone = await ask(`/api/tables/${encodeURIComponent(table)}/view`).then(() => false,
      (problem) => problem.code === "forbidden");
    if (gone) return void (connection.value = "gone");
    connection.value = "lost";
  }
  const delay = Math.min(LATEST, SOONEST * 2 ** tries++) * (0.75 + Math.random() / 2);
  clearTimeout(timer);
  timer = setTimeout(open, delay);
}

function hear(message) {
  if (message.type === "hello" || message.type === "news") take(message);
  if (message.type === "hello") {
    tries = 0;
    connection.value = "open";
    for (const { message: command } of waiting.values()) socket.send(command);
  }
  if (message.type === "store") setFault("table", message.ok ? null : new Problem(message.error));
  if (message.type === "done") settle(message.key, ({ resolve }) => resolve(message));
  if (message.type === "error") {
    const problem = new Problem(message.error);
    if (message.key) settle(message.key, ({ reject }) => reject(problem));
    else setFault("table", problem);
  }
}

function take(message) {
  batch(() => {
    const last = message.begins ? 0 : lines.value.at(-1)?.n ?? 0;
    const fresh = message.lines.filter((line) => line.n > last);
    lines.value = message.begins ? fresh : [...lines.value, ...fresh];
    view.value = message.type === "hello" ? message.view : joined(view.value, message.view);
  });
}

/** A view after news: [first, count] in a list stands for what was there before. */
function joined(before, news) {
  const after = { ...before };
  for (const [name, part] of Object.entries(news)) {
    after[name] = !Array.isArray(part) ? part : part.flatMap((one) =>
      Array.isArray(one) ? before[name].slice(one[0], one[0] + one[1]) : [one]);
  }
  return after;
}

function settle(key, end) {
  const found = waiting.get(key);
  if (!found) return;
  waiting.delete(key);
  const left = new Map(pending.value);
  left.delete(key);
  pending.value = left;
  end(found);
}

/**
 * Send a command; the promise is kept when it is saved.
 * @param {string} what a command of docs/table.md
 * @param {object} data its fields
 * @param {string} [key] of the caller's choice; what a command makes is named after it
 */
export function send(what, data = {}, key = newKey()) {
  const message = JSON.stringify({ type: "command", do: what, key, data });
  pending.value = new Map(pending.value).set(key, { do: what, data });
  return new Promise((resolve, reject) => {
    waiting.set(key, { message, resolve, reject });
    if (connection.value === "open") socket.send(message);
  });
}

/** Send a command; what goes wrong is shown at its place.  Whether it was obeyed. */
export async function act(what, data = {}, place = "table", key = newKey()) {
  if (faults.value[place]) setFault(place, null);
  try {
    await send(what, data, key);
    setTimeout(() => keepFocus(place), 60);
    return true;
  } catch (problem) {
    setFault(place, problem);
    return false;
  }
}

/** Where the button that was pressed is gone, the focus stays with its card. */
function keepFocus(place) {
  const lost = !document.activeElement || document.activeElement === document.body;
  if (lost) document.getElementById(`card-${place}`)?.focus({ preventScroll: true });
}
