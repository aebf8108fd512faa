// The tables at which this browser has a seat. The browser keeps where they are and when it was there; the
// seat itself is in a cookie, which no script can read.

const KEPT = "handful-tables";
const NAME = "handful-name";
const MOST = 30;

/**
 * A seat in the list; `place` is the last part of its URL.
 * @typedef {{place: string, table: string, game: {id: string, title: any}, seat: string, role: string, at: number}} Visit
 */

/** The visits, the latest first. @returns {Visit[]} */
export function visits() {
  const found = read(KEPT);
  return Array.isArray(found) ? found.filter((one) => one && typeof one.place === "string") : [];
}

/** Put a visit on top of the list. @param {Visit} visit */
export function rememberVisit(visit) {
  write(KEPT, [visit, ...visits().filter((one) => one.place !== visit.place)].slice(0, MOST));
}

/** @param {string} place */
export function forgetVisit(place) {
  write(KEPT, visits().filter((one) => one.place !== place));
}

/** The visit to a seat at a table, by the table's id. @param {string} id */
export const visitTo = (id) => visits().find((one) => one.place.split("~")[0] === id);

/** The name that was used last, to propose it again. */
export const lastName = () => String(read(NAME) ?? "");

/** @param {string} name */
export const rememberName = (name) => write(NAME, name);

/** @param {string} key */
function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null; // storage is disabled, or holds something else
  }
}

/** @param {string} key @param {any} value */
function write(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // storage is disabled or full: the page works without it
  }
}
