// Who is there, what has happened, and how this table plays.

import { html } from "../lib.js";
import { sideTab } from "../state.js";
import { t } from "../texts.js";
import { Characters } from "./characters.js";
import { House } from "./house.js";
import { Log } from "./log.js";
import { Seats } from "./seats.js";
import { Tabs } from "./tabs.js";

const ALL = { characters: Characters, seats: Seats, log: Log, house: House };

export function SidePanel() {
  const tabs = Object.entries(ALL).map(([name, Part]) =>
    ({ name, title: t(`side.${name}`), body: () => html`<${Part} />` }));
  return html`<${Tabs} tabs=${tabs} now=${sideTab.value} set=${(name) => { sideTab.value = name; }} label=${t("part.side")} />`;
}
