// The action panel: rolls, requests, contests, challenges and fights that this seat may start.

import { html } from "../app/lib.js";
import { actTab, game, may } from "../app/state.js";
import { t } from "../app/i18n.js";
import { fightOffered } from "../fight/state.js";
import { RollPanel } from "./rollPanel.js";
import { lazy } from "../ui/lazy.js";
import { Tabs } from "../ui/tabs.js";

const RequestPanel = lazy(() => import("./requestPanel.js").then((one) => one.RequestPanel));
const ChallengePanel = lazy(() => import("./challengePanel.js").then((one) => one.ChallengePanel));
const FightPanel = lazy(() => import("../fight/panel.js").then((one) => one.FightPanel));
const ContestPanel = lazy(() => import("./contestPanel.js").then((one) => one.ContestPanel));

const ALL = [
  { name: "roll", offered: () => may("declare"), body: () => html`<${RollPanel} />` },
  { name: "ask", offered: () => may("request"), body: () => html`<${RequestPanel} />` },
  { name: "contest", offered: () => may("contest")
    && game.value.checks.some((one) => one.sides), body: () => html`<${ContestPanel} />` },
  { name: "fight", offered: fightOffered, body: () => html`<${FightPanel} />` },
  { name: "call", offered: () => may("call"), body: () => html`<${ChallengePanel} />` },
];

/** Names of what this seat may start. */
export const offeredActions = () => ALL.filter((one) => one.offered()).map((one) => one.name);

export function ActionPanel() {
  const tabs = ALL.filter((one) => one.offered()).map((one) => ({ ...one, title: t(`act.${one.name}`) }));
  if (!tabs.length) return html`<p class="panel muted">${t("act.watching")}</p>`;
  return html`<${Tabs} tabs=${tabs} now=${actTab.value} set=${(name) => { actTab.value = name; }} label=${t("part.act")} />`;
}
