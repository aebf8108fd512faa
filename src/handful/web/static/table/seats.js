// The seats of the table and their links.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { isGM, may, seatPath, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t, tn } from "../app/i18n.js";
import { roleName } from "../app/format.js";
import { Fault, FaultAt } from "../ui/fault.js";
import { Links } from "./links.js";
import { Select } from "../ui/select.js";
import { badge, textButton } from "../ui/button.js";
import { Text } from "../ui/textField.js";

const ROLES = ["player", "watcher", "gm"];

export function Seats() {
  const { seats } = view.value;
  const leaving = may("leave")?.names ?? [];
  const path = seatPath("links");
  const [counts, setCounts] = useState([]);
  const [made, setMade] = useState([]);
  const [problem, setProblem] = useState(null);
  const count = () => isGM.value && ask(path).then(setCounts, setProblem);
  useEffect(() => { count(); }, [seats.length]);
  const tried = (work) => work.then(count, setProblem);
  const invite = (seat, role) => tried(ask(path, { seat, role }).then(({ link }) => setMade((before) => [
    { title: seat || t(`links.${role}s`), link }, ...before])));
  const revoke = (seat, role) => tried(ask(`${path}/revoke`, { seat, role }));
  const linksOf = (seat, role) => counts.find((one) => one.seat === seat && (seat || one.role === role))?.links ?? 0;

  return html`
    <div class="stack">
      <ul class="seats">${seats.map((one) => html`
        <li key=${one.name} class="box">
          <p><strong>${one.name}</strong> ${badge(roleName(one.role))} ${one.left && badge(t("seats.absent"))}</p>
          <div class="row wrap">
            ${isGM.value && textButton(t("seats.link"), () => invite(one.name, one.role))}
            ${isGM.value && one.name !== view.value.seat && linksOf(one.name) > 0
              && textButton(tn("seats.revoke", linksOf(one.name)), () => revoke(one.name, one.role), { class: "ghost" })}
            ${leaving.includes(one.name) && textButton(t(one.name === view.value.seat ? "seats.leave" : "seats.gone"),
              () => act("leave", { name: one.name }, "seats"), { class: "ghost" })}
            ${one.left && may("seat") && textButton(t("seats.back"), () =>
              act("seat", { name: one.name, role: one.role }, "seats"))}
          </div>
        </li>`)}
      </ul>
      <${FaultAt} place="seats" />
      <${Fault} problem=${problem} onClose=${() => setProblem(null)} />
      ${made.length > 0 && html`<section class="box"><h3>${t("seats.fresh")}</h3>
        <p class="small muted">${t("seats.once")}</p><${Links} links=${made} /></section>`}
      ${may("seat") && html`<${NewSeat} made=${(name, role) => invite(name, role)} />`}
      ${isGM.value && html`
        <section class="box stack"><h3>${t("seats.open")}</h3>
          ${["player", "watcher"].map((role) => html`
            <div class="row wrap" key=${role}>
              <button type="button" onClick=${() => invite("", role)}>${t(`seats.open_${role}`)}</button>
              ${linksOf("", role) > 0 && textButton(tn("seats.revoke", linksOf("", role)), () => revoke("", role),
                { class: "ghost" })}
            </div>`)}
        </section>`}
    </div>`;
}

function NewSeat({ made }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState("player");
  const send = async (event) => {
    event.preventDefault();
    if (await act("seat", { name: name.trim(), role }, "seats")) {
      made(name.trim(), role);
      setName("");
    }
  };
  return html`
    <form class="box stack" onSubmit=${send}>
      <h3>${t("seats.new")}</h3>
      <div class="row wrap">
        <${Text} grow label=${t("seats.name")} value=${name} set=${setName} required maxlength="60" />
        <${Select} label=${t("seats.role")} value=${role} set=${setRole}
          options=${ROLES.map((one) => [one, roleName(one)])} />
      </div>
      <button>${t("seats.make")}</button>
    </form>`;
}
