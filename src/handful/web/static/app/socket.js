// The WebSocket: receives a snapshot, then patches, and sends commands.
// Each command has a key and is resent with that key until the server acknowledges it, so it runs once.
// A connection can die silently (a phone slept, a network went away), so the page pings the server when
// a command is late, when the page wakes up, and after a long silence.

import { batch } from "./lib.js";
import { ask, newEntropy, newKey, Problem } from "./api.js";
import { setLive } from "../ui/throw.js";
import { saveFocus, keepFocusAt } from "../ui/focus.js";
import { savePlaces } from "../ui/glide.js";
import { save, load } from "./persist.js";
import { LANGUAGE, t } from "./i18n.js";
import { commitmentFor } from "./commitments.js";
import { appendLines, applyPatch } from "./patch.js";
import { connection, faults, here, isLate, lines, pending, setFault, view, isWatcherScreen } from "./state.js";

const MIN_RETRY = 300, MAX_RETRY = 5000; // milliseconds between reconnects
const CHECK_INTERVAL = 1000; // milliseconds between health checks
const LATE_AFTER = 3000; // milliseconds until an unacknowledged command counts as late
const PING_AFTER = 20000, PING_TIMEOUT = 5000; // milliseconds of silence before a ping; wait for its answer
const FORBIDDEN = 4403, OUTDATED = 4426;
const RELOAD_PAUSE = 60000; // milliseconds in which the page does not reload itself again
const PROTOCOL = 3; // version of the messages

/**
 * @import { CommandName, Commands } from "./types.js"
 * @typedef {import("./server.js").SnapshotMessage | import("./server.js").PatchMessage
 *   | import("./server.js").DoneMessage | import("./server.js").ErrorMessage
 *   | import("./server.js").StoreMessage | import("./server.js").HereMessage
 *   | import("./server.js").PongMessage} ServerMessage
 * @typedef {{message: string, resolve: (done: object) => void, reject: (problem: Problem) => void, at: number}} Sent
 */

let table = "", tries = 0, timer = 0, lastMessageAt = 0, pingSentAt = 0, reloading = false;
/** @type {WebSocket|null} */
let socket = null;
/** @type {Map<string, Sent>} by key */
const unacknowledged = new Map();

/** @param {string} name of the table */
export function connect(name) {
  table = name;
  for (const [key, { do: what, data }] of isWatcherScreen() ? [] : load("unsent") ?? []) { // a watcher screen sends no commands
    send(what, data, key).catch((problem) => setFault("table", problem));
  }
  open();
  setInterval(checkConnection, CHECK_INTERVAL);
  addEventListener("online", wake);
  addEventListener("offline", disconnect);
  addEventListener("pageshow", wake);
  document.addEventListener("resume", wake);
  document.addEventListener("visibilitychange", () => document.hidden || wake());
  addEventListener("beforeunload", (event) => pending.value.size && !reloading && event.preventDefault());
}

/** The page woke up: reconnect now, or ping the server. */
function wake() {
  if (connection.value === "open") return void ping();
  if (connection.value !== "lost") return;
  clearTimeout(timer);
  open();
}

/** Health check: flag late commands, ping after silence, disconnect when a ping is not answered. */
function checkConnection() {
  const now = performance.now();
  const first = unacknowledged.values().next().value?.at ?? now;
  isLate.value = now - first > LATE_AFTER;
  if (connection.value !== "open") return;
  if (pingSentAt && now - pingSentAt > PING_TIMEOUT) return disconnect();
  if (isLate.value || now - lastMessageAt > PING_AFTER) ping();
}

function ping() {
  if (pingSentAt) return;
  pingSentAt = performance.now();
  socket?.send('{"type":"ping"}');
}

/** Drop the connection without waiting for the browser to notice. */
function disconnect() {
  if (connection.value !== "open") return;
  const dead = socket;
  socket = null;
  dead?.close();
  handleClose({ code: 0 });
}

function open() {
  const after = lines.value.at(-1)?.n ?? 0;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const path = `/api/tables/${encodeURIComponent(table)}/socket?after=${after}&protocol=${PROTOCOL}&lang=${LANGUAGE}&here=1${isWatcherScreen() ? "&as=watcher" : ""}`;
  const own = socket = new WebSocket(`${scheme}://${location.host}${path}`);
  own.onmessage = (event) => own === socket && handleMessage(JSON.parse(event.data));
  own.onclose = (event) => own === socket && handleClose(event);
}

/** This page is older than the server: load the new one. Drafts and unsent commands are kept. */
function reload() {
  if (Date.now() - (load("reloaded") ?? 0) < RELOAD_PAUSE) return false;
  save("reloaded", Date.now());
  reloading = true;
  location.reload();
  return true;
}

/** @param {{code: number}} event */
async function handleClose(event) {
  if (connection.value === "gone") return;
  if (event.code === OUTDATED && reload()) return;
  const before = connection.value;
  connection.value = before === "connecting" ? "connecting" : "lost";
  if (event.code === FORBIDDEN || before !== "open") {
    const gone = await ask(`/api/tables/${encodeURIComponent(table)}/view${isWatcherScreen() ? "?as=watcher" : ""}`).then(() => false,
      (problem) => problem.code === "forbidden");
    if (gone) {
      save("unsent", null);
      return void (connection.value = "gone");
    }
    connection.value = "lost";
  }
  const delay = Math.min(MAX_RETRY, MIN_RETRY * 2 ** tries++) * (0.75 + Math.random() / 2);
  clearTimeout(timer);
  timer = setTimeout(open, delay);
}

/** @param {ServerMessage} message */
function handleMessage(message) {
  [lastMessageAt, pingSentAt] = [performance.now(), 0];
  if (message.type === "snapshot" || message.type === "patch") applyMessage(message);
  if (message.type === "snapshot") {
    tries = 0;
    connection.value = "open";
    for (const { message: command } of unacknowledged.values()) socket?.send(command);
  }
  if (message.type === "here") here.value = message.seats;
  if (message.type === "store") setFault("table", message.error ? new Problem(message.error) : null);
  if (message.type === "done") settle(message.key, ({ resolve }) => resolve(message));
  if (message.type === "error") {
    const problem = new Problem(message.error);
    if (message.key) settle(message.key, ({ reject }) => reject(problem));
    else setFault("table", problem);
  }
}

/** @param {import("./server.js").SnapshotMessage | import("./server.js").PatchMessage} message */
function applyMessage(message) {
  const again = saveFocus(), glide = savePlaces();
  setLive(message.type === "patch");
  batch(() => {
    lines.value = appendLines(lines.value, message);
    view.value = message.type === "snapshot" ? /** @type {import("./types.js").View} */ (message.view)
      : applyPatch(view.value, message.view);
  });
  again();
  glide();
}

/** Unacknowledged commands survive a reload and are resent with the same keys. @param {typeof pending.value} all */
function setPending(all) {
  pending.value = all;
  save("unsent", all.size ? [...all] : null);
}

/** @param {string} key @param {(sent: Sent) => void} end */
function settle(key, end) {
  const found = unacknowledged.get(key);
  if (!found) return;
  unacknowledged.delete(key);
  const left = new Map(pending.value);
  left.delete(key);
  setPending(left);
  end(found);
}

/**
 * Send a command; the promise resolves when the server has saved it.
 * @param {string} what a command from docs/table.md
 * @param {object} data its fields
 * @param {string} [key] unique; things that the command creates are named after it
 */
export function send(what, data = {}, key = newKey()) {
  const message = JSON.stringify({ type: "command", do: what, key, data });
  setPending(new Map(pending.value).set(key, { do: what, data }));
  return new Promise((resolve, reject) => {
    unacknowledged.set(key, { message, resolve, reject, at: performance.now() });
    if (connection.value === "open") socket?.send(message);
  });
}

/**
 * The fields of a command; a throw of virtual dice gets randomness of this device before what was typed,
 * and the commitment that this page was shown, so that nothing is thrown with another key.
 * @param {string} what @param {Record<string, any>} data @returns {Record<string, any>}
 */
function withEntropy(what, data, commitment = commitmentFor(what, data)) {
  if ((what === "declare" || what === "answer") && data.throw) {
    return { ...data, throw: withEntropy("throw", data.throw, commitment) };
  }
  if (what !== "throw" || data.faces) return data;
  return { ...data, entropy: newEntropy() + (data.entropy ?? ""), ...(commitment ? { commitment } : {}) };
}

/**
 * Warn if the log shows other randomness for a throw than this page has sent.
 * @param {Record<string, any>} data @param {string} key @param {number} before
 */
function checkEntropy(data, key, before) {
  const sent = data.throw?.entropy ?? data.entropy;
  const roll = data.roll ?? `${view.value.seat}/${key}`;
  const thrown = lines.value.filter((line) => line.n > before && line.kind === "dice_thrown" && line.data.roll === roll
    && line.seat === view.value.seat && line.data.faces);
  if (sent && thrown.some((line) => line.data.entropy !== sent)) {
    setFault("table", new Problem({ code: "entropy", message: t("throw.other_entropy") }));
  }
}

/**
 * Send a command and show a refusal at `place`. Resolves to true if it was accepted.
 * @template {CommandName} C
 * @param {C} what @param {Commands[C]} [data] @param {string} [place] @param {string} [key]
 */
export async function act(what, data = /** @type {any} */ ({}), place = "table", key = newKey()) {
  if (faults.value[place]) setFault(place, null);
  try {
    const before = lines.value.at(-1)?.n ?? 0, sent = withEntropy(what, data);
    await send(what, sent, key); // a resent command carries the same
    checkEntropy(sent, key, before);
    keepFocusAt(place);
    return true;
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    setFault(place, problem);
    return false;
  }
}
