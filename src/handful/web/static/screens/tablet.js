// The shared tablet in the middle of a real table: pick who rolls and what, then type the faces.
// Large touch targets; nothing the GM hides is shown here.

import { html, useEffect, useMemo } from "../app/lib.js";
import { isGM, may, pending, rollDraft as draft, view } from "../app/state.js";
import { t } from "../app/i18n.js";
import { newDraft } from "../app/rollDraft.js";
import { focusFirst } from "../ui/focus.js";
import { previewDraft } from "../app/preview.js";
import { checkOf } from "../app/format.js";
import { Chance } from "../table/chance.js";
import { CheckForm } from "../table/checkForm.js";
import { FaultAt } from "../ui/fault.js";
import { entries, Entry } from "../table/feed.js";
import { FightBar } from "../fight/bar.js";
import { roll } from "../table/rollPanel.js";
import { isPublic } from "../table/visibility.js";

const MAX_CARDS = 6; // cards shown; the log has the rest

/** Who can roll here: own characters, for the GM all players' characters, players without one by name. */
function people() {
  const { seat, seats, characters } = view.value;
  const players = seats.filter((one) => (isGM.value ? one.role === "player" : one.name === seat) && !one.left);
  return players.flatMap(({ name }) => {
    const own = characters.filter((one) => one.owner === name && one.sheet);
    const by = isGM.value && name !== seat ? name : "";
    return own.length ? own.map((one) => ({ as: one.character, by, says: one.name })) : [{ as: "", by, says: name }];
  });
}

function shown() {
  const rollOf = new Map(view.value.rolls.map((one) => [one.roll, one]));
  const parts = ({ contest, roll: made }) => (contest?.sides ?? made?.parts ?? [])
    .map((side) => rollOf.get(side.roll)).filter(Boolean);
  const open = (one) => [one.request, one.contest, one.roll, ...parts(one)].filter(Boolean).every(isPublic);
  return entries().filter((one) => !isGM.value || open(one)).slice(0, MAX_CARDS);
}

export function TabletScreen() {
  if (!may("declare")) return html`<main class="tablet"><p class="panel muted">${t("act.watching")}</p></main>`;
  return html`
    <${FightBar} />
    <main class="tablet">
      <section class="asks" aria-label=${t("part.act")}><${Ask} /></section>
      <section class="cards" id="feed" tabindex="-1" aria-label=${t("part.feed")}>
        <h2 class="hidden">${t("feed.title")}</h2>
        ${shown().map((one) => html`<div key=${one.key} class="entry"><${Entry} ...${one} key=${null} /></div>`)}
      </section>
    </main>`;
}

function Ask() {
  const all = people();
  const fresh = ({ as, by }) => ({ ...newDraft(draft.value?.check, as), for: by, own: true });
  const now = draft.value?.own ? draft.value : null;
  const set = (next) => { draft.value = next; };
  const { found, stop } = useMemo(() => previewDraft(draft), []);
  useEffect(() => stop, []);
  const isChosen = (one) => now && now.sides[0].as === one.as && now.for === one.by;
  const choose = (one) => {
    set(fresh(one));
    focusFirst(".middle form select, .middle form input");
  };
  return html`
    <fieldset class="field"><legend>${t("middle.who")}</legend>
      <div class="chips">${all.map((one) => html`<button type="button" key=${`${one.as} ${one.by}`}
        aria-pressed=${Boolean(isChosen(one))} onClick=${() => choose(one)}>${one.says}</button>`)}</div></fieldset>
    ${all.some(isChosen) && html`
      <form class="panel stack" onSubmit=${roll} aria-label=${t("panel.title")}>
        <${CheckForm} draft=${now} set=${set} checks=${may("declare").checks} chosen=${true} />
        <div class="go"><${Chance} found=${found.value} main=${checkOf(now?.check ?? "").main} />
          <button class="primary big" disabled=${[...pending.value.values()].some((one) => one.do === "declare")}>
            ${t("middle.type")}</button></div>
        <${FaultAt} place="panel" />
      </form>`}`;
}
