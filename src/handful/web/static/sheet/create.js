// New character: a form that follows from the game's sheet. Everything has a value from the start, so it
// can be played as it is; the numbers that follow are computed by the server while you choose.

import { html, useEffect, useState } from "../app/lib.js";
import { game, isGM, may, rollDraft, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { Dialog } from "../ui/dialog.js";
import { Fault, FaultAt } from "../ui/fault.js";
import { Select } from "../ui/select.js";
import { Begin, NameField } from "./createBegin.js";
import { Attributes, Items, Notes, Ranks, Resources, Traits } from "./createParts.js";
import { Outlook, PointsLeft } from "./createOutlook.js";
import { beginWith, draftOf, freeName, newSeed, setDraft, useComesTo } from "./creation.js";

/**
 * @param {{close: () => void, kind?: string, owner?: string, copy?: any}} props copy: the sheet to begin with
 */
export function CreateWindow({ close, kind: wanted, owner: whose, copy = null }) {
  const [kind, setKind] = useState(copy?.kind ?? wanted ?? (isGM.value ? "npc" : "pc"));
  const [owner, setOwner] = useState(whose ?? view.value.seat);
  const [shown, setShown] = useState("");
  const [problem, setProblem] = useState(/** @type {any} */ (null));
  const key = copy ? `copy ${copy.name}` : kind;
  const draft = draftOf(key);
  const sheet = draft?.sheet;
  const set = (/** @type {any} */ next, from = draft?.from ?? "") => setDraft(key, { sheet: next, from });
  const begin = (/** @type {any} */ made, /** @type {string} */ from) => {
    setProblem(null);
    set({ ...made, kind, name: sheet?.name || freeName(made.name, namesOf(owner)) }, from);
  };
  useEffect(() => { // something to play with from the first moment on
    if (draft) return;
    if (copy) set({ ...copy, name: freeName(copy.name, namesOf(owner)) }, "copy");
    else {
      const { quick } = game.value.sheet.form.creation;
      const start = quick.length ? quick[newSeed() % quick.length].name : "";
      beginWith({ kind, ...(start ? { start } : { quick: true }) }).then((made) => begin(made, start || "chance"), setProblem);
    }
  }, [key]);
  const { found, changed } = useComesTo(sheet, owner);
  const here = found.new === false;

  async function add(/** @type {Event} */ event) {
    event.preventDefault();
    const data = { sheet: { ...sheet, name: sheet.name.trim() }, ...(owner === view.value.seat ? {} : { for: owner }), ...(shown ? { shown } : {}) };
    if (!await act("bring", /** @type {any} */ (data), "create")) return;
    setDraft(key, null);
    if (kind === "pc" && owner === view.value.seat) rollDraft.value = null; // the next roll is the new character's
    close();
  }
  const title = copy ? t("create.copy", { name: copy.name }) : t("create.title");
  return html`
    <${Dialog} kind="create" title=${title} close=${close}>
      ${!sheet && html`<p role="status">${t("create.loading")}</p><${Fault} problem=${problem} />`}
      ${sheet && html`
        <form class="make" onSubmit=${add} aria-label=${title}>
          <div class="stack loose">
            ${isGM.value && !copy && html`<${ForWhom} ...${{ kind, setKind, owner, setOwner, shown, setShown }} />`}
            ${!copy && html`<${Begin} kind=${kind} from=${draft.from} begin=${begin} failed=${setProblem} />`}
            <${NameField} name=${sheet.name} kind=${kind} set=${(name) => set({ ...sheet, name })} />
            <${Fault} problem=${problem} onClose=${() => setProblem(null)} />
            <${Attributes} ...${{ sheet, set, found }} />
            <${Ranks} section="proficiencies" ...${{ sheet, set, found }} />
            <${Ranks} section="skills" ...${{ sheet, set, found }} />
            <${Resources} ...${{ sheet, set, found }} />
            <${Traits} ...${{ sheet, set }} />
            <${Items} ...${{ sheet, set }} />
            <${Notes} ...${{ sheet, set }} />
          </div>
          <${Outlook} ...${{ sheet, found, changed }} />
          <div class="finish">
            <${PointsLeft} found=${found} />
            <${FaultAt} place="create" />
            ${found.problem && html`<${Fault} problem=${found.problem} />`}
            ${here && html`<p class="small" role="status">${t("create.here", { name: sheet.name.trim() })}</p>`}
            <button class="primary big wide" disabled=${!sheet.name.trim() || here || Boolean(found.problem)}>
              ${t("create.add", { name: sheet.name.trim() || t("create.nameless") })}</button>
          </div>
        </form>`}
    <//>`;
}

/** @param {string} owner */
const namesOf = (owner) => view.value.characters.filter((one) => one.owner === owner).map((one) => one.name);

/** The GM makes characters of their own, and for players. */
function ForWhom({ kind, setKind, owner, setOwner, shown, setShown }) {
  const players = view.value.seats.filter((one) => one.role === "player");
  const choose = (/** @type {string} */ value) => {
    setKind(value === "npc" ? "npc" : "pc");
    setOwner(value === "npc" ? view.value.seat : value);
  };
  const options = [["npc", t("create.npc")], ...players.map((one) => [one.name, one.name]),
    [view.value.seat, t("create.own", { name: view.value.seat })]];
  return html`
    <div class="fields">
      <${Select} label=${t("create.for")} value=${kind === "npc" ? "npc" : owner} set=${choose} options=${options} />
      <${Select} label=${t("sheet.shown")} value=${shown} set=${setShown}
        options=${[["", t("shown.usual")], ...(may("bring")?.shown ?? []).map((one) => [one, t(`shown.${one}`)])]} />
    </div>`;
}
