// Choose a picture for your seat or for a character; the server makes a small square of it.

import { html, useId, useState } from "../app/lib.js";
import { Problem } from "../app/api.js";
import { act } from "../app/socket.js";
import { seatPath } from "../app/state.js";
import { LANGUAGE, t } from "../app/i18n.js";
import { Fault } from "../ui/fault.js";
import { textButton } from "../ui/button.js";

/** Upload a picture; returns its hash. */
async function upload(file) {
  const answer = await fetch(seatPath("pictures"), { method: "POST", body: file,
    headers: { "Accept-Language": LANGUAGE, "Content-Type": file.type || "application/octet-stream" } });
  const said = await answer.json().catch(() => null);
  if (!answer.ok) throw new Problem(said?.error ?? { code: "bad", message: t("fault.odd", { status: answer.status }) });
  return said.picture;
}

/** @param {{now?: string, command: "picture"|"portrait", about?: object, place: string}} props */
export function PictureField({ now, command, about = {}, place }) {
  const id = useId();
  const [problem, setProblem] = useState(null);
  const choose = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    setProblem(null);
    try {
      const picture = await upload(file);
      if (picture !== now) await act(command, { ...about, picture }, place);
    } catch (fault) {
      setProblem(fault instanceof Problem ? fault : new Problem({ code: "away", message: t("fault.away") }));
    }
    event.target.value = "";
  };
  return html`
    <div class="row wrap picture">
      <input id=${id} class="hidden" type="file" accept="image/png,image/jpeg,image/webp,image/gif" onChange=${choose} />
      <label class="button" for=${id}>${t(now ? "picture.change" : "picture.choose")}</label>
      ${now && textButton(t("picture.remove"), () => act(command, { ...about, picture: "" }, place), { class: "ghost" })}
    </div>
    <${Fault} problem=${problem} onClose=${() => setProblem(null)} />`;
}
