// Who is there, what has happened, and how this table plays.

import { html, signal } from "../lib.js";
import { t } from "../texts.js";
import { Characters } from "./characters.js";
import { House } from "./house.js";
import { Log } from "./log.js";
import { Seats } from "./seats.js";
import { Tabs } from "./tabs.js";

const tab = signal("characters");
const ALL = { characters: Characters, seats: Seats, log: Log, house: House };

export function SidePanel() {
  const tabs = Object.entries(ALL).map(([name, Part]) =>
    ({ name, title: t(`side.${name}`), body: () => html`<${Part} />` }));
  return html`<${Tabs} tabs=${tabs} now=${tab.value} set=${(name) => { tab.value = name; }} label=${t("part.side")} />`;
}
