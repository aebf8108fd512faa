// The few names that every component needs, from the vendored libraries.
import { h, render, Fragment, options } from "../vendor/preact.mjs";
import htm from "../vendor/htm.mjs";
import * as hooks from "../vendor/hooks.mjs";
import * as signals from "../vendor/signals.mjs";

export const html = htm.bind(h);
export { render, Fragment };

/** @type {(() => void)[]} */
let waiting = [];

function runWaiting() {
  const now = waiting;
  waiting = [];
  for (const work of now) work();
}

// Preact collects changes and renders them all in one microtask; what waits for that comes right after it.
options.debounceRendering = (renderAll) => queueMicrotask(() => {
  renderAll();
  runWaiting();
});

/** Do something once everything that has changed by now is rendered. @param {() => void} work */
export function afterRender(work) {
  waiting.push(work);
  queueMicrotask(() => queueMicrotask(runWaiting)); // nothing changed: there is no rendering to wait for
}
export { useEffect, useId, useLayoutEffect, useMemo } from "../vendor/hooks.mjs";

/**
 * A reference to an element, which is there as soon as an effect runs.
 * @type {{(first?: null): {current: any}, <T>(first: T): {current: T}}}
 */
export const useRef = hooks.useRef;

/**
 * State of a component; what begins as null may become anything, an empty list may have anything.
 * @type {{(first: null): [any, (next: any) => void],
 *   (first: never[]): [any[], (next: any[]|((now: any[]) => any[])) => void],
 *   <S>(first: S|(() => S)): [S, (next: S|((now: S) => S)) => void]}}
 */
export const useState = hooks.useState;
export { computed, effect, batch, useSignal, useComputed } from "../vendor/signals.mjs";

/**
 * A value whose readers are rendered again when it changes; what begins as null may become anything.
 * @type {{(first: null): import("./types.js").Signal<any>, (first: never[]): import("./types.js").Signal<any[]>,
 *   <T>(first: T): import("./types.js").Signal<T>}}
 */
export const signal = signals.signal;
