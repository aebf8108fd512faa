// Long-running queries: the server streams progress lines, then the answer.

import { html, useEffect, useRef, useState } from "../app/lib.js";
import { Problem } from "../app/api.js";
import { t } from "../app/i18n.js";
import { textButton } from "../ui/button.js";

/** @param {string} path @param {object} body @param {AbortSignal} signal @param {(share: number) => void} tell */
async function inLines(path, body, signal, tell) {
  const answer = await fetch(path, { method: "POST", signal, body: JSON.stringify(body),
    headers: { "Content-Type": "application/json" } }).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new Problem({ code: "away", message: t("fault.away"), hint: t("fault.away_hint") });
  });
  if (!answer.ok) {
    throw new Problem((await answer.json().catch(() => null))?.error
      ?? { code: "bad", message: t("fault.odd", { status: answer.status }) });
  }
  const reader = /** @type {ReadableStream<any>} */ (answer.body).pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    text += value ?? "";
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines.filter(Boolean)) {
      const said = JSON.parse(line);
      if (said.error) throw new Problem(said.error);
      if (said.answer) return said.answer;
      tell(said.progress[0] / Math.max(1, said.progress[1]));
    }
    if (done) throw new Problem({ code: "bad", message: t("fault.away"), hint: t("fault.away_hint") });
  }
}

/** A query run on demand: {answer, problem, progress, ask, stop}. */
export function useStream() {
  const [state, setState] = useState(/** @type {{answer: any, problem: Problem|null, progress: number|null}} */ ({ answer: null, problem: null, progress: null }));
  const controller = useRef(null);
  const stop = () => {
    controller.current?.abort();
    setState((now) => ({ ...now, progress: null }));
  };
  useEffect(() => () => controller.current?.abort(), []);
  const ask = async (path, body) => {
    controller.current?.abort();
    const mine = controller.current = new AbortController();
    setState((now) => ({ ...now, problem: null, progress: 0 }));
    try {
      const answer = await inLines(path, body, mine.signal, (progress) => setState((now) => ({ ...now, progress })));
      if (!mine.signal.aborted) setState({ answer, problem: null, progress: null });
    } catch (problem) {
      if (problem.name !== "AbortError") setState({ answer: null, problem, progress: null });
    }
  };
  return { ...state, ask, stop };
}

export function Progress({ long }) {
  if (long.progress === null) return null;
  return html`
    <div class="row wrap progress" role="status"><label>${t("odds.working")}
      <progress value=${long.progress} max="1"></progress></label>${textButton(t("odds.stop"), long.stop, { class: "small" })}</div>`;
}
