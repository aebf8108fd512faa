// What this browser keeps for one seat beyond a visit, such as saved rolls. Never data from the server.

/** @param {string} name */
const keyOf = (name) => `handful-${name} ${location.pathname}`;

/** @template Value @param {string} name @param {Value} otherwise @returns {Value} */
export function readKept(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(keyOf(name)) ?? "null") ?? otherwise;
  } catch {
    return otherwise; // storage is disabled
  }
}

/** @param {string} name @param {any} value */
export function keep(name, value) {
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(value));
  } catch {
    // storage is disabled or full: the page works without it
  }
}
