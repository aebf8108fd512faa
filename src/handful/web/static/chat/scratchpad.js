// A text that several people write. Each edit says which text it started from; if somebody was faster, both
// edits are merged and sent again, so nothing is overwritten.

import { html, signal, useEffect, useId, useRef } from "../app/lib.js";
import { Problem } from "../app/api.js";
import { send } from "../app/socket.js";
import { may, setFault, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { FaultAt } from "../ui/fault.js";
import { merge } from "./merge.js";

const IDLE = 1500; // milliseconds without typing until the text is saved
const MOST = 8000; // characters

/** Edits that are not saved yet, by pad: {base, text}; `base` is the text that the edit started from. */
const edits = signal({});

const setEdit = (pad, edit) => { edits.value = { ...edits.value, [pad]: edit }; };

/** Save an edit; if the text has changed meanwhile, merge and try once more. */
async function save(pad, retry = true) {
  const edit = edits.value[pad], now = view.value[pad];
  if (!edit || !now) return;
  const text = merge(edit.base, edit.text, now.text).slice(0, MOST);
  try {
    if (text !== now.text) await send("scratchpad", { text, replaces: now.mark, ...(pad === "gm_notes" ? { for_gms: true } : {}) });
    setFault(pad, null);
    const typed = edits.value[pad]; // perhaps more was typed meanwhile
    setEdit(pad, typed?.text === edit.text ? null : { base: edit.text, text: typed.text });
  } catch (problem) {
    if (retry && problem.code === "refused" && view.value[pad].mark !== now.mark) return void save(pad, false);
    setFault(pad, problem instanceof Problem ? problem : new Problem({ code: "bad", message: String(problem) }));
  }
}

/** @param {{pad: "scratchpad"|"gm_notes"}} props */
export function Scratchpad({ pad }) {
  const id = useId(), timer = useRef(0);
  const now = view.value[pad], edit = edits.value[pad];
  useEffect(() => () => { clearTimeout(timer.current); save(pad); }, []);
  const type = (event) => {
    setEdit(pad, { base: edit?.base ?? now?.text, text: event.target.value });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => save(pad), IDLE);
  };
  const leave = () => { clearTimeout(timer.current); save(pad); };
  if (!now) return null;
  return html`
    <div class="field rows">
      <label class="hidden" for=${id}>${t(`pad.${pad}`)}</label>
      <textarea id=${id} rows="8" maxlength=${MOST} value=${edit?.text ?? now.text} readonly=${!may("scratchpad")}
        onInput=${type} onBlur=${leave} aria-describedby=${`${id}state`} />
      <small id=${`${id}state`}>${edit ? t("pad.typing") : t(`pad.${pad}_hint`)}</small>
      <${FaultAt} place=${pad} />
    </div>`;
}
