// The active series as a sentence on its game's felt, with its chance.

import { html } from "../app/lib.js";
import { t } from "../app/i18n.js";
import { feltOf } from "../app/felt.js";
import { localize } from "../app/format.js";
import { focusFirst } from "../ui/focus.js";
import { aboutIn, exactly } from "./format.js";
import { Swatch, mainFigure } from "./figures.js";
import { checkIn, partsOf } from "./series.js";
import { found } from "./requests.js";
import { active, current, gameOf, series } from "./state.js";

export function Headline() {
  const one = current.value, game = gameOf(one);
  if (!game) return html`<section class="headline"></section>`;
  const check = checkIn(game, one.check);
  return html`
    <section class="headline" style=${feltOf(game.id)} aria-label=${t("odds.sentence")}>
      <div class="say">
        <p>${series.value.length > 1 && html`<${Swatch} at=${active.value} /> `}${localize(game.title)} · ${localize(check.title)}</p>
        <p class="picks">${partsOf(game, one).map(({ name, says }) => html`
          <button type="button" key=${says} onClick=${() => focusFirst(`[data-parameter="${name}"] :is(input, select)`)}>${says}</button>`)}</p>
      </div>
      <${Answer} now=${found.value[one.id]} />
    </section>`;
}

/** The main figure, exactly and in words. */
function Answer({ now }) {
  if (now?.problem) return html`<p class="answer"><strong aria-hidden="true">–</strong></p>`;
  if (!now?.survey) return html`<p class="answer"><strong>…</strong></p>`;
  const { survey } = now, [figure, name] = mainFigure(survey);
  const chance = typeof survey.success === "string" ? survey.success : survey.shows === "wins:1" ? survey.wins[0] : null;
  const words = chance === null ? [] : [exactly(chance), aboutIn(chance)].filter(Boolean);
  return html`<p class="answer"><strong>${figure}</strong> <span>${[name, ...words].join(" · ")}</span></p>`;
}
