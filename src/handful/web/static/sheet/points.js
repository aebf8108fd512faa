// Damage, healing and points on the sheet, each with a reason.

import { html, useState } from "../app/lib.js";
import { game, may } from "../app/state.js";
import { act } from "../app/socket.js";
import { t } from "../app/i18n.js";
import { localize } from "../app/format.js";
import { textButton } from "../ui/button.js";
import { Select } from "../ui/select.js";
import { Text } from "../ui/textField.js";
import { entryTitle, inOrder } from "./format.js";

export function SheetPoints({ it }) {
  const id = it.character;
  const uses = Object.keys(it.sheet.resources ?? {}).flatMap((resource) =>
    Object.entries(game.value.sheet.resources[resource]?.uses ?? {}).map(([use, says]) => ({ resource, use, says })));
  if (!may("adjust", id) && !may("harm", id) && !(may("use", id) && uses.length)) return null;
  return html`
    <section class="stack noprint" aria-label=${t("points.title")}>
      <h3>${t("points.title")}</h3>
      ${may("harm", id) && html`<${Harm} id=${id} />`}
      ${may("adjust", id) && html`<${Move} it=${it} />`}
      <p class="row wrap">
        ${may("use", id) && uses.map(({ resource, use, says }) => textButton(
          t("sheet.use", { what: entryTitle("resources", resource), for: localize(says) }),
          () => act("use", { character: id, resource, use }, id),
          { key: `${resource} ${use}`, disabled: !it.sheet.resources[resource] }))}
        ${may("undo_points", id) && textButton(t("do.undo_points"), () => act("undo_points", { character: id }, id))}
      </p>
    </section>`;
}

const why = (words) => (words.trim() ? { words: words.trim() } : {});

/** Form for damage and resistance; the game decides the consequences. */
function Harm({ id }) {
  const [damage, setDamage] = useState("");
  const [resist, setResist] = useState("");
  const [words, setWords] = useState("");
  const send = async (event) => {
    event.preventDefault();
    const data = { character: id, damage: Number(damage), ...(resist ? { resist: Number(resist) } : {}), ...why(words) };
    if (await act("harm", data, id)) { setDamage(""); setResist(""); setWords(""); }
  };
  const number = { inputmode: "numeric", pattern: "[0-9]+", maxlength: 6 };
  return html`
    <form class="pointsform" aria-label=${t("sheet.harm")} onSubmit=${send}>
      <${Text} label=${t("sheet.damage")} value=${damage} set=${setDamage} required ...${number} />
      <${Text} label=${t("points.resist")} value=${resist} set=${setResist} ...${number} />
      <${Text} label=${t("points.why")} value=${words} set=${setWords} />
      <button>${t("sheet.harm")}</button>
    </form>`;
}

/** The GM gives or takes points; healing is giving. */
function Move({ it }) {
  const names = inOrder("resources", Object.keys(it.sheet.resources ?? {}));
  const harmed = game.value.sheet.rounds?.harm;
  const [name, setName] = useState(names.includes(harmed) ? harmed : names[0]);
  const [count, setCount] = useState("1");
  const [words, setWords] = useState("");
  if (!names.length) return null;
  const move = async (sign) => {
    const data = { character: it.character, resources: { [name]: sign * Number(count) }, ...why(words) };
    if (await act("adjust", data, it.character)) { setCount("1"); setWords(""); }
  };
  return html`
    <form class="pointsform" aria-label=${t("points.move")} onSubmit=${(event) => { event.preventDefault(); move(1); }}>
      <${Select} label=${t("points.which")} value=${name} set=${setName}
        options=${names.map((one) => [one, entryTitle("resources", one)])} />
      <${Text} label=${t("points.count")} value=${count} set=${setCount} required inputmode="numeric" pattern="[0-9]+"
        maxlength="6" />
      <${Text} label=${t("points.why")} value=${words} set=${setWords} />
      <span class="row"><button>${t(name === harmed ? "points.heal" : "points.give")}</button>
        ${textButton(t("points.take"), () => move(-1), { disabled: !/^[0-9]+$/.test(count) })}</span>
    </form>`;
}
