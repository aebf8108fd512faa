// JSON over HTTP. Every error response becomes a Problem with a message and a hint.

import { LANGUAGE, t } from "./i18n.js";

export class Problem extends Error {
  /** @param {{code: string, message: string, hint?: string}} error */
  constructor(error) {
    super(error.message);
    this.code = error.code;
    this.hint = error.hint ?? "";
  }
}

/**
 * @param {string} path
 * @param {object} [body] sent as POST; without a body the request is a GET
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} what the server said; server.d.ts has the types
 */
export async function ask(path, body, signal) {
  let answer;
  try {
    answer = await fetch(path, body === undefined ? { signal, headers: { "Accept-Language": LANGUAGE } } : {
      method: "POST", signal,
      headers: { "Accept-Language": LANGUAGE, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") throw error;
    throw new Problem({ code: "away", message: t("fault.away"), hint: t("fault.away_hint") });
  }
  const said = await answer.json().catch((error) => {
    if (error.name === "AbortError") throw error;
    return null;
  });
  if (answer.ok) return said;
  throw new Problem(said?.error ?? { code: "bad", message: t("fault.odd", { status: answer.status }) });
}

/** A random command key; works in insecure contexts too, where crypto.randomUUID is missing. */
export const newKey = () => randomHex(6);

/** Fresh randomness of this device for a throw, so that the server cannot know the faces beforehand. */
export const newEntropy = () => randomHex(16);

/** @param {number} count of bytes */
function randomHex(count) {
  const bytes = crypto.getRandomValues(new Uint8Array(count));
  return [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
}
