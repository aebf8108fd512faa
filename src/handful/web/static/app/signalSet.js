// A set and a map whose readers are rendered again when they change.

import { signal } from "./lib.js";

/** A set of names. */
export class SignalSet {
  #all = signal(/** @type {Set<string>} */ (new Set()));

  /** @param {string} name */
  has(name) {
    return this.#all.value.has(name);
  }

  /** @param {string} name */
  add(name) {
    if (!this.#all.peek().has(name)) this.#all.value = new Set(this.#all.peek()).add(name);
  }

  /** @param {string} name */
  delete(name) {
    this.#all.value = new Set([...this.#all.peek()].filter((one) => one !== name));
  }
}

/** A map by names. */
export class SignalMap {
  #all = signal(/** @type {Map<string, any>} */ (new Map()));

  /** @param {string} name */
  get(name) {
    return this.#all.value.get(name);
  }

  /** @param {string} name @param {any} value */
  set(name, value) {
    this.#all.value = new Map(this.#all.peek()).set(name, value);
  }

  /** @param {string} name */
  delete(name) {
    this.#all.value = new Map([...this.#all.peek()].filter(([one]) => one !== name));
  }
}
