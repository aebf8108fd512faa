// The dialog "Invite the players": one link for everybody, who came, other links, and the GM's recovery code.

import { html, useEffect, useState } from "../app/lib.js";
import { ask } from "../app/api.js";
import { localize } from "../app/format.js";
import { t } from "../app/i18n.js";
import { invitationText, wholeLink } from "../app/invitation.js";
import { game, openDialog, seatPath, sideTab, shownPart, view } from "../app/state.js";
import { Avatar } from "../ui/avatar.js";
import { CopyButton } from "../ui/copy.js";
import { Dialog } from "../ui/dialog.js";
import { Fault } from "../ui/fault.js";
import { icon } from "../ui/icons.js";
import { Code, Link } from "./links.js";

/** @param {{close: () => void, fresh?: boolean}} props `fresh`: the table has just been opened */
export function InviteWindow({ close, fresh = false }) {
  const [reach, setReach] = useState(null);
  const [links, setLinks] = useState(null);
  const [problem, setProblem] = useState(null);
  useEffect(() => {
    ask(seatPath("reach")).then(setReach, setProblem);
    ask(seatPath("join")).then(setLinks, setProblem);
  }, []);
  const change = (role, on) => ask(seatPath("join"), { role, on }).then(setLinks, setProblem);
  const openUp = () => ask(seatPath("reach"), {}).then(setReach, setProblem);
  return html`
    <${Dialog} title=${t("invite.title")} close=${close} kind="invite">
      <p class="muted">${t("invite.why")}</p>
      <${Fault} problem=${problem} onClose=${() => setProblem(null)} />
      ${reach && links && html`
        ${reach.scope === "machine" && html`<${OnlyHere} reach=${reach} openUp=${openUp} />`}
        ${links.player
          ? html`<${JoinLink} link=${links.player} reach=${reach} />`
          : html`<div class="box stack"><p>${t("invite.off")}</p>
              <div class="row"><button type="button" class="primary" onClick=${() => change("player", true)}>
                ${t("invite.on")}</button></div></div>`}
        <${WhoCame} />
        <${Recovery} fresh=${fresh} />
        <${OtherLinks} links=${links} reach=${reach} change=${change} />`}
    <//>`;
}

/** The notice on a server that only its own machine can reach. */
function OnlyHere({ reach, openUp }) {
  const [first] = reach.would_open;
  return html`
    <div class="box stack only-here" role="note">
      <p><strong>${t("reach.only_here")}</strong></p>
      ${reach.may_open && first
        ? html`<p>${t("reach.what", { address: first })}</p>
            <div class="row"><button type="button" class="primary" onClick=${openUp}>${t("reach.open")}</button></div>`
        : html`<p>${t(reach.may_open ? "reach.no_network" : "reach.restart")} <code>handful serve --lan</code></p>`}
    </div>`;
}

function JoinLink({ link, reach }) {
  const whole = wholeLink(link, reach);
  const text = invitationText({ gm: view.value.seat, table: view.value.table, game: localize(game.value.title), link: whole });
  const reachable = reach.scope !== "machine";
  const share = () => navigator.share({ title: view.value.table, text }).catch(() => null); // closed again
  return html`
    <div class="joinlink">
      <div class=${reachable ? "code" : "code dim"}><${Code} text=${whole} title=${t("invite.link")} /></div>
      <div class="stack loose">
        <div class="stack tight">
          <span class="label">${t(`invite.type_${reach.scope}`)}</span>
          <${Address} whole=${whole} />
          ${reachable && reach.addresses.length > 1 && html`<p class="small muted">${t("invite.other_address",
            { addresses: reach.addresses.slice(1).map((one) => one.replace(/^https?:\/\//, "")).join(", ") })}</p>`}
        </div>
        <div class="row wrap">
          <${CopyButton} text=${text} class=${reachable ? "primary big" : "big"}>${icon("ask")} ${t("invite.copy")}<//>
          <${CopyButton} text=${whole} class="big">${icon("link")} ${t("invite.copy_link")}<//>
          ${"share" in navigator && html`<button type="button" class="big" onClick=${share}>${t("invite.share")}</button>`}
        </div>
        ${reach.scope === "network" && html`<p class="small muted">${t("invite.network")}</p>`}
      </div>
    </div>`;
}

/** An address in large letters that breaks where it can be read. */
function Address({ whole }) {
  const { protocol, host, pathname } = new URL(whole);
  const code = pathname.split("/").at(-1);
  return html`<p class="address"><span>${protocol}//</span><b>${host}</b><wbr /><span>/join/</span><wbr /><b>${code}</b></p>`;
}

function WhoCame() {
  const { seats, seat, characters } = view.value;
  const others = seats.filter((one) => one.name !== seat && !one.left && one.role !== "watcher");
  const plays = (name) => characters.filter((one) => one.owner === name).map((one) => one.name);
  return html`
    <section class="stack tight" aria-label=${t("invite.came")}>
      <h3>${t("invite.came")}</h3>
      <div aria-live="polite">
        ${others.length === 0 && html`<p class="muted">${t("invite.nobody")}</p>`}
        <ul class="came">${others.map((one) => html`
          <li key=${one.name}>
            <${Avatar} name=${one.name} colour=${one.colour} />
            <div><b>${one.name}</b>
              <p class="small muted">${one.role === "gm" ? t("role.gm") : plays(one.name).length
                ? t("invite.plays", { who: plays(one.name).join(", ") }) : t("invite.no_character")}</p></div>
          </li>`)}</ul>
      </div>
    </section>`;
}

/** The GM's recovery code. A table that has just been opened gets one at once. */
function Recovery({ fresh }) {
  const [code, setCode] = useState("");
  const [exists, setExists] = useState(null);
  const [problem, setProblem] = useState(null);
  const make = () => ask(seatPath("recovery"), {}).then((made) => setCode(made.code), setProblem);
  useEffect(() => {
    ask(seatPath("recovery")).then((found) => (fresh && !found.exists ? make() : setExists(found.exists)), setProblem);
  }, []);
  return html`
    <section class="box stack" aria-label=${t("recovery.title")}>
      <h3>${t("recovery.title")}</h3>
      <${Fault} problem=${problem} onClose=${() => setProblem(null)} />
      ${code
        ? html`<p>${t("recovery.why")}</p>
            <p class="recovery"><code>${code.toUpperCase()}</code></p>
            <div class="row"><${CopyButton} text=${code.toUpperCase()}>${t("recovery.copy")}<//></div>`
        : exists !== null && html`<p class="muted">${t(exists ? "recovery.exists" : "recovery.none")}</p>
            <div class="row"><button type="button" onClick=${make}>${t(exists ? "recovery.again" : "recovery.make")}</button></div>`}
    </section>`;
}

function OtherLinks({ links, reach, change }) {
  const toSeats = () => {
    openDialog.value = null;
    sideTab.value = "seats";
    shownPart.value = "side";
  };
  return html`
    <details>
      <summary>${t("invite.others")}</summary>
      <div class="stack">
        ${links.watcher
          ? html`<ul class="links"><${Link} title=${t("links.watchers")} link=${links.watcher} reach=${reach} /></ul>
              <div class="row"><button type="button" class="ghost" onClick=${() => change("watcher", false)}>${t("invite.watch_off")}</button></div>`
          : html`<div class="row"><button type="button" onClick=${() => change("watcher", true)}>${t("invite.watch_on")}</button></div>`}
        <p>${t("invite.personal")} <button type="button" class="ghost small" onClick=${toSeats}>${t("side.seats")}</button></p>
        ${links.player && html`<div class="row wrap">
          <button type="button" onClick=${() => change("player", true)}>${t("invite.renew")}</button>
          <button type="button" class="ghost" onClick=${() => change("player", false)}>${t("invite.switch_off")}</button></div>
          <p class="small muted">${t("invite.renew_why")}</p>`}
      </div>
    </details>`;
}
