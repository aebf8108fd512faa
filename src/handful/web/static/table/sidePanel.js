// The side panel: characters, log, seats and house rules.

import { html } from "../app/lib.js";
import { sideTab } from "../app/state.js";
import { t } from "../app/i18n.js";
import { Characters } from "./characters.js";
import { HouseRules } from "./houseRules.js";
import { Log } from "../log/log.js";
import { Seats } from "./seats.js";
import { Tabs } from "../ui/tabs.js";

const ALL = { characters: Characters, seats: Seats, log: Log, house: HouseRules };

export function SidePanel() {
  const tabs = Object.entries(ALL).map(([name, Part]) =>
    ({ name, title: t(`side.${name}`), body: () => html`<${Part} />` }));
  return html`<${Tabs} tabs=${tabs} now=${sideTab.value} set=${(name) => { sideTab.value = name; }} label=${t("part.side")} />`;
}
