// The socket: first what was missed, then news.  Commands go the same way, each with a key of its
// own, and are sent again with the same key until they are acknowledged.
// A connection may be dead without saying so (a phone that slept, a network that went away), so the
// server is asked for a sign of life when something waits, when the page wakes, and now and then.

import { batch } from "./lib.js";
import { ask, newKey, Problem } from "./api.js";
import { hold, stayAt } from "../ui/focus.js";
import { put, taken } from "./persist.js";
import { LANGUAGE } from "./i18n.js";
import { connection, faults, late, lines, pending, setFault, view, watches } from "./state.js";

const SOONEST = 300, LATEST = 5000; // milliseconds between tries
const LOOK = 1000; // milliseconds between looks whether all is well
const LATE = 3000; // milliseconds until something that is not acknowledged is said to be late
const SILENT = 20000, PATIENCE = 5000; // milliseconds until a sign of life is asked for, and waited for
const FORBIDDEN = 4403;

let table = "", socket = null, tries = 0, timer = 0, heard = 0, asked = 0;
/** key -> {message, resolve, reject, at} */
const waiting = new Map();

export function connect(name) {
  table = name;
  for (const [key, { do: what, data }] of watches() ? [] : taken("unsent") ?? []) { // they wait for the seat
    send(what, data, key).catch((problem) => setFault("table", problem));
  }
  open();
  setInterval(look, LOOK);
  addEventListener("online", wake);
  addEventListener("offline", lose);
  addEventListener("pageshow", wake);
  document.addEventListener("resume", wake);
  document.addEventListener("visibilitychange", () => document.hidden || wake());
  addEventListener("beforeunload", (event) => pending.value.size && event.preventDefault());
}

/** Back again: try at once, or find out whether the server is still there. */
function wake() {
  if (connection.value === "open") return void askForLife();
  if (connection.value !== "lost") return;
  clearTimeout(timer);
  open();
}

/** Whether all is well: nothing waits for long, and the server is heard. */
function look() {
  const now = performance.now();
  const first = waiting.values().next().value?.at ?? now;
  late.value = now - first > LATE;
  if (connection.value !== "open") return;
  if (asked && now - asked > PATIENCE) return lose();
  if (late.value || now - heard > SILENT) askForLife();
}

function askForLife() {
  if (asked) return;
  asked = performance.now();
  socket.send('{"type":"ping"}');
}

/** The connection is dead, whatever it says itself. */
function lose() {
  if (connection.value !== "open") return;
  const dead = socket;
  socket = null;
  dead.close();
  closed({ code: 0 });
}

function open() {
  const after = lines.value.at(-1)?.n ?? 0;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const path = `/api/tables/${encodeURIComponent(table)}/socket?after=${after}&lang=${LANGUAGE}${watches() ? "&as=watcher" : ""}`;
  const own = socket = new WebSocket(`${scheme}://${location.host}${path}`);
  own.onmessage = (event) => own === socket && hear(JSON.parse(event.data));
  own.onclose = (event) => own === socket && closed(event);
}

async function closed(event) {
  if (connection.value === "gone") return;
  const before = connection.value;
  connection.value = before === "connecting" ? "connecting" : "lost";
  if (event.code === FORBIDDEN || before !== "open") {
    const gone = await ask(`/api/tables/${encodeURIComponent(table)}/view${watches() ? "?as=watcher" : ""}`).then(() => false,
      (problem) => problem.code === "forbidden");
    if (gone) {
      put("unsent", null);
      return void (connection.value = "gone");
    }
    connection.value = "lost";
  }
  const delay = Math.min(LATEST, SOONEST * 2 ** tries++) * (0.75 + Math.random() / 2);
  clearTimeout(timer);
  timer = setTimeout(open, delay);
}

function hear(message) {
  [heard, asked] = [performance.now(), 0];
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
  const again = hold();
  batch(() => {
    const last = message.begins ? 0 : lines.value.at(-1)?.n ?? 0;
    const fresh = message.lines.filter((line) => line.n > last);
    lines.value = message.begins ? fresh : [...lines.value, ...fresh];
    view.value = message.type === "hello" ? message.view : joined(view.value, message.view);
  });
  again();
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

/** What is not acknowledged outlives a reload: it is sent again with the same keys. */
function setPending(all) {
  pending.value = all;
  put("unsent", all.size ? [...all] : null);
}

function settle(key, end) {
  const found = waiting.get(key);
  if (!found) return;
  waiting.delete(key);
  const left = new Map(pending.value);
  left.delete(key);
  setPending(left);
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
  setPending(new Map(pending.value).set(key, { do: what, data }));
  return new Promise((resolve, reject) => {
    waiting.set(key, { message, resolve, reject, at: performance.now() });
    if (connection.value === "open") socket.send(message);
  });
}

/** Send a command; what goes wrong is shown at its place.  Whether it was obeyed. */
export async function act(what, data = {}, place = "table", key = newKey()) {
  if (faults.value[place]) setFault(place, null);
  try {
    await send(what, data, key);
    stayAt(place);
    return true;
  } catch (problem) {
    setFault(place, problem);
    return false;
  }
}
