// Soft taps for a throw, made in the browser: no file. Off unless the reader has switched them on.

import { signal } from "../app/lib.js";

const KEPT = "handful-sound";
const MOST_TAPS = 7;
const SHAKE = 12; // milliseconds of vibration

function kept() {
  try {
    return localStorage.getItem(KEPT) === "on";
  } catch {
    return false; // storage is disabled
  }
}

export const soundOn = signal(kept());
/** @type {AudioContext|undefined} */
let audio;

export function switchSound() {
  soundOn.value = !soundOn.value;
  try {
    localStorage.setItem(KEPT, soundOn.value ? "on" : "off");
  } catch {
    // storage is disabled: the choice holds until the page is left
  }
  clatter(3);
}

/** One tap per die, a little after another. @param {number} count */
export function clatter(count) {
  if (!soundOn.value) return;
  audio ??= new AudioContext();
  for (let at = 0; at < Math.min(count, MOST_TAPS); at += 1) {
    const begin = audio.currentTime + 0.15 + at * 0.028 + Math.random() * 0.02;
    const tone = audio.createOscillator(), loud = audio.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(520 + Math.random() * 260, begin);
    tone.frequency.exponentialRampToValueAtTime(160, begin + 0.05);
    loud.gain.setValueAtTime(0.09, begin);
    loud.gain.exponentialRampToValueAtTime(0.0008, begin + 0.07);
    tone.connect(loud).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 0.08);
  }
}

/** A short vibration, where the device has one and the reader has touched the page. */
export function shake() {
  if (navigator.userActivation?.hasBeenActive && matchMedia("(pointer: coarse)").matches) navigator.vibrate?.(SHAKE);
}
