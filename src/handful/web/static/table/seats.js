// The seats of the table: who sits where, their links, and a second GM.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { isGM, may, openDialog, seatPath, view } from "../app/state.js";
import { act } from "../app/socket.js";
import { t, tn } from "../app/i18n.js";
import { roleName } from "../app/format.js";
import { SeatFace } from "./face.js";
import { GmOffer } from "./gmOffer.js";
import { PictureField } from "./pictureField.js";
import { Fault, FaultAt } from "../ui/fault.js";
import { Links } from "./links.js";
import { Select } from "../ui/select.js";
import { icon } from "../ui/icons.js";
import { badge, textButton } from "../ui/button.js";
import { Text } from "../ui/textField.js";
import { removeSeat, revokeLinks } from "./undoable.js";

const ROLES = ["player", "watcher", "gm"];

/** Links to seats: how many there are, those made here, and what can be done with them. */
function useLinks(count) {
  const path = seatPath("links");
  const [counts, setCounts] = useState([]);
  const [made, setMade] = useState([]);
  const [reach, setReach] = useState(null);
  const [problem, setProblem] = useState(null);
  const refresh = () => isGM.value && ask(path).then(setCounts, setProblem);
  useEffect(() => { refresh(); }, [count]);
  const invite = async (seat, role) => {
    if (!reach) setReach(await ask(seatPath("reach")).catch(() => null)); // first, so that the link is right at once
    await ask(path, { seat, role }).then(({ link }) => {
      setMade((before) => [{ title: seat, link }, ...before]);
      refresh();
    }, setProblem);
  };
  const revoke = (seat, role) => revokeLinks(seat, role, refresh);
  const number = (seat) => counts.find((one) => one.seat === seat)?.links ?? 0;
  return { made, reach, problem, setProblem, invite, revoke, number };
}

export function Seats() {
  const { seats } = view.value;
  const links = useLinks(seats.length);
  return html`
    <div class="stack">
      ${isGM.value && html`<button type="button" class="primary" onClick=${() => { openDialog.value = { name: "invite" }; }}>
        ${icon("people")} ${t("invite.open")}</button>`}
      <${GmOffer} />
      <ul class="seats">${seats.map((one) => html`<${Seat} key=${one.name} seat=${one} links=${links} />`)}</ul>
      <${FaultAt} place="seats" />
      <${Fault} problem=${links.problem} onClose=${() => links.setProblem(null)} />
      ${links.made.length > 0 && html`<section class="box"><h3>${t("seats.fresh")}</h3>
        <p class="small muted">${t("seats.once")}</p><${Links} links=${links.made} reach=${links.reach} /></section>`}
      ${may("seat") && html`<${NewSeat} made=${links.invite} />`}
      ${may("share_gm") && html`<${ShareGm} />`}
    </div>`;
}

function Seat({ seat, links }) {
  const { name, role, left, of } = seat;
  const isOwn = name === view.value.seat;
  const leaving = may("leave")?.names ?? [];
  return html`
    <li class="box stack tight">
      <p class="row"><${SeatFace} name=${name} size="s" />
        <strong class="grow">${name}</strong> ${badge(roleName(role))} ${left && badge(t("seats.absent"))}</p>
      ${of && html`<p class="small muted">${t("seats.same_person", { who: of })}</p>`}
      ${isOwn && may("picture") && html`<${PictureField} now=${seat.picture} command="picture" place="seats" />`}
      <div class="row wrap">
        ${isGM.value && !left && textButton(t("seats.link"), () => links.invite(name, role))}
        ${isGM.value && !isOwn && links.number(name) > 0
          && textButton(tn("seats.revoke", links.number(name)), () => links.revoke(name, role), { class: "ghost" })}
        ${leaving.includes(name) && (isOwn
          ? textButton(t("seats.leave"), () => act("leave", { name }, "seats"), { class: "ghost" })
          : textButton(t("seats.remove"), () => removeSeat(seat), { class: "ghost" }))}
        ${left && may("seat") && textButton(t("seats.back"), () => act("seat", { name, role }, "seats"))}
      </div>
    </li>`;
}

/** Give somebody a GM's seat beside their own; to hand the table over, leave it then. */
function ShareGm() {
  const { seats } = view.value;
  const shared = new Set(seats.map((one) => one.of));
  const names = seats.filter((one) => one.role !== "gm" && !one.left && !shared.has(one.name)).map((one) => one.name);
  const [chosen, setChosen] = useState("");
  const to = names.includes(chosen) ? chosen : names[0];
  if (!names.length) return null;
  const send = (event) => {
    event.preventDefault();
    act("share_gm", { to, name: `${to} (${roleName("gm")})`.slice(0, 60) }, "seats");
  };
  return html`
    <details class="box"><summary>${t("seats.share")}</summary>
      <form class="stack" onSubmit=${send}>
        <${Select} label=${t("seats.share_with")} value=${to} set=${setChosen} options=${names.map((one) => [one, one])} />
        <p class="small muted">${t("seats.share_hint")}</p>
        <button>${t("seats.share_do", { who: to })}</button>
      </form>
    </details>`;
}

function NewSeat({ made }) {
  const [name, setName] = useState("");
  const [role, setRole] = useState("player");
  const send = async (event) => {
    event.preventDefault();
    if (await act("seat", /** @type {any} */ ({ name: name.trim(), role }), "seats")) {
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
