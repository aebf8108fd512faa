// The side panel: characters, log, seats and house rules.

import { html } from "../app/lib.js";
import { sideTab } from "../app/state.js";
import { t } from "../app/i18n.js";
import { Characters } from "./characters.js";
import { unread } from "../chat/messages.js";
import { lazy } from "../ui/lazy.js";
import { Tabs } from "../ui/tabs.js";

const HouseRules = lazy(() => import("./houseRules.js").then((one) => one.HouseRules));
const Log = lazy(() => import("../log/log.js").then((one) => one.Log));
const Seats = lazy(() => import("./seats.js").then((one) => one.Seats));
const Talk = lazy(() => import("../chat/talk.js").then((one) => one.Talk));

const ALL = { characters: Characters, talk: Talk, seats: Seats, log: Log, house: HouseRules };

export function SidePanel() {
  const tabs = Object.entries(ALL).map(([name, Part]) =>
    ({ name, title: name === "talk" && unread.value ? `${t("side.talk")} (${unread.value})` : t(`side.${name}`), body: () => html`<${Part} />` }));
  return html`<${Tabs} tabs=${tabs} now=${sideTab.value} set=${(name) => { sideTab.value = name; }} label=${t("part.side")} />`;
}
