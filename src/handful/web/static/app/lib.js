// The few names that every component needs, from the vendored libraries.
import { h, render, Fragment } from "../vendor/preact.mjs";
import htm from "../vendor/htm.mjs";

export const html = htm.bind(h);
export { render, Fragment };
export { useEffect, useId, useMemo, useRef, useState } from "../vendor/hooks.mjs";
export { signal, computed, effect, batch, useSignal, useComputed } from "../vendor/signals.mjs";
