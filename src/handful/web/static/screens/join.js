// An open invitation: see where it leads, choose a name, a colour and a character, and sit down.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { layFelt } from "../app/felt.js";
import { localize } from "../app/format.js";
import { t } from "../app/i18n.js";
import { lastName, rememberName, visitTo } from "../app/myTables.js";
import { Avatar, COLOURS } from "../ui/avatar.js";
import { Fault } from "../ui/fault.js";
import { HomeLink } from "../ui/homeLink.js";
import { Languages } from "../ui/languages.js";
import { Text } from "../ui/textField.js";
import { LostScreen } from "./lost.js";

const LATER = "later", OWN = "own", WATCH = "watch";

export function JoinScreen({ token }) {
  const [found, setFound] = useState(null);
  const [problem, setProblem] = useState(null);
  const [gone, setGone] = useState(false);
  const look = () => ask("/api/invitation", { token }).then((told) => {
    layFelt(told.game.id);
    document.title = `${told.table} · ${t("name")}`;
    setFound(told);
  }, (error) => (error.code === "forbidden" ? setGone(true) : setProblem(error)));
  useEffect(() => { look(); }, []);
  if (gone) return html`<${LostScreen} />`;
  return html`
    <main class="joining felt">
      <header class="row between centre"><${HomeLink} /><nav><${Languages} /></nav></header>
      <section class="card stack loose">
        ${!found && html`<${Fault} problem=${problem} />${!problem && html`<p role="status">${t("join.loading")}</p>`}`}
        ${found && html`<${Invited} told=${found} /><${SitDown} told=${found} token=${token} look=${look} />`}
      </section>
    </main>`;
}

/** Where the invitation leads. */
function Invited({ told }) {
  const here = visitTo(told.id);
  return html`
    <div class="stack tight">
      <p class="label">${t("join.invited")}</p>
      <h1>${told.table}</h1>
      <p>${t("join.led", { game: localize(told.game.title), gm: told.gms.join(", ") })}</p>
      ${told.players.length > 0 && html`<p class="small muted">${t("join.there", { who: told.players.join(", ") })}</p>`}
    </div>
    ${here && html`<p class="box row between centre wrap">${t("join.sits", { who: here.seat })}
      <a class="button" href=${`/t/${here.place}`}>${t("mine.sit")}</a></p>`}`;
}

function SitDown({ told, token, look }) {
  const plays = told.role === "player";
  const [name, setName] = useState(lastName());
  const [colour, setColour] = useState(() => freeColour(told.colours));
  const [choice, setChoice] = useState(told.characters.length ? `take ${told.characters[0].character}` : LATER);
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const watches = !plays || choice === WATCH;

  async function sit(event) {
    event.preventDefault();
    setBusy(true);
    const [kind, what] = [choice.split(" ", 1)[0], choice.slice(choice.indexOf(" ") + 1)];
    const more = !plays ? {} : choice === WATCH ? { watch: true }
      : { colour, ...(kind === "take" ? { character: what } : kind === "sample" ? { sample: what } : {}) };
    try {
      const { link } = await ask("/api/sit", { token, name: name.trim(), ...more });
      rememberName(name.trim());
      location.assign(choice === OWN ? `${link}#create` : link);
    } catch (error) {
      setProblem(error);
      setBusy(false);
      look(); // somebody may have been faster
    }
  }

  return html`
    <form class="stack loose" onSubmit=${sit}>
      <div class="row naming">
        ${!watches && html`<${Avatar} name=${name} colour=${colour} size="l" />`}
        <${Text} grow label=${t("join.name")} value=${name} set=${setName} required maxlength="60" autocomplete="nickname"
          autofocus />
      </div>
      ${!watches && html`<${Colours} colour=${colour} set=${setColour} told=${told} />`}
      ${plays && html`<${Characters} told=${told} choice=${choice} set=${setChoice} />`}
      <${Fault} problem=${problem} />
      <button class="primary big wide" disabled=${busy}>${t(watches ? "join.watch" : "join.sit")}</button>
    </form>`;
}

/** The first colour that nobody has chosen. @param {Record<string, string>} chosen */
function freeColour(chosen) {
  const taken = new Set(Object.values(chosen));
  return COLOURS.find((one) => !taken.has(one)) ?? COLOURS[0];
}

function Colours({ colour, set, told }) {
  const owners = (one) => Object.keys(told.colours).filter((name) => told.colours[name] === one).join(", ");
  return html`
    <fieldset class="field"><legend>${t("join.colour")}</legend>
      <div class="colours">${COLOURS.map((one) => {
        const says = owners(one) ? t("join.colour_of", { colour: t(`colour.${one}`), who: owners(one) }) : t(`colour.${one}`);
        return html`<label key=${one} title=${says} data-colour=${one}>
          <input type="radio" name="colour" checked=${colour === one} onChange=${() => set(one)} aria-label=${says} />
          <span aria-hidden="true">${owners(one) ? "·" : ""}</span></label>`;
      })}</div>
    </fieldset>`;
}

function Characters({ told, choice, set }) {
  const option = (value, title, hint = "") => html`
    <label class="choice" key=${value}>
      <input type="radio" name="character" checked=${choice === value} onChange=${() => set(value)} />
      <span><b>${title}</b>${hint && html` <small>${hint}</small>`}</span></label>`;
  return html`
    <fieldset class="field"><legend>${t("join.character")}</legend>
      <div class="choices">
        ${told.characters.map((one) => option(`take ${one.character}`, one.name, t("join.ready")))}
        ${told.samples.map((one) => option(`sample ${one}`, one, t("join.sample")))}
        ${told.creates && option(OWN, t("join.own"))}
        ${option(LATER, t("join.later"))}
        ${option(WATCH, t("join.just_watch"))}
      </div>
    </fieldset>`;
}
