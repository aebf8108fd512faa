// Types that the modules of the pages share; they are checked by `make lint` and never loaded.
// server.d.ts follows from the server's schemas. Here stands what those leave open, and what only pages
// have. A test checks recorded views against these types.

import type { Signal } from "@preact/signals";
import type {
  ActionView, CharacterView, Commands, ContestView, GameView, LogLine, RequestView, RollView, SeatView, TableView,
} from "./server.js";

export type { Commands, LogLine, SeatView };
export type { Signal };
export type CommandName = keyof Commands;
/** Who sees a roll. */
export type Mode = NonNullable<Commands["declare"]["mode"]>;

/** A text in every language that its author wrote: {en: "Easy", de: "Leicht"}. */
export type Texts = Record<string, string>;
/** A number of the rules: a whole number or half, else an exact fraction as text, such as "7/2". */
export type Exact = number | string;
export type Values = Record<string, any>;
/** What can be rendered. */
export type Markup = any;

// -- the game

export interface Param {
  name: string;
  type: string;
  label: Texts;
  help: Texts;
  unit: string;
  required: boolean;
  /** Takes several values. */
  list: boolean;
  default: any;
  values: string[];
  min: number | null;
  max: number | null;
  ladder: boolean;
  words: string[];
  /** Follows from something else if it is left open. */
  follows: boolean;
}

/** A parameter of a check; `whole`: it belongs to the check, not to each side. */
export interface CheckParam extends Param {
  whole: boolean;
  says: Record<string, Texts>;
}

export interface Check {
  name: string;
  title: Texts;
  help: Texts;
  /** The field of the outcome that is shown first. */
  main: string;
  sides: { word: string; min: number; max: number } | null;
  parameters: CheckParam[];
}

export interface Option {
  name: string;
  label: Texts;
  values: any[];
  default: any;
  says: Record<string, Texts>;
}

/** A difficulty; games write their number as `target` or `value`, and may add fields for their rules. */
export interface Rung {
  name: string;
  title: Texts;
  target?: Exact;
  value?: Exact;
  [field: string]: any;
}

export interface RankForm {
  called: string;
  open: boolean;
  attribute: boolean;
  value: Param;
  fields: Record<string, Param>;
}

export interface SheetForm {
  titles: Record<string, Texts>;
  order: Record<string, string[]>;
  attributes: Record<string, Param>;
  other_attribute: Param | null;
  proficiency: RankForm | null;
  proficiencies: Record<string, { title: Texts; help: Texts; skills: string[] }>;
  skill: RankForm | null;
  skills: Record<string, Values>;
  derived: Record<string, Param>;
  resources: Record<string, string[]>;
  traits: Record<string, Texts>;
  /** Fields of an item, such as a weapon; null if the game has none. */
  item: Record<string, Param> | null;
  items: Record<string, { title: Texts; uses: number | null; fields: Values }>;
  /** What entries are for, by section. */
  help: Record<"attributes" | "skills" | "proficiencies" | "traits", Record<string, Texts>>;
  creation: Creation;
}

/** How a new character is made. */
export interface Creation {
  strict: boolean;
  /** To a die of a die code. */
  pips: number;
  /** `over`: section and name of what the points buy; an empty name means the whole section. */
  budgets: Record<string, { title: Texts; over: [string, string][]; max: Exact | null; kinds: string[] }>;
  quick: { name: string; title: Texts; help: Texts }[];
}

/** A check that follows an attack; `item`: its parameters that are fields of the weapon. */
export interface FollowUp {
  check: string;
  parameters: Values;
  item: Record<string, string>;
}

export interface RoundRules {
  seconds: number;
  paces: Record<string, Texts>;
  stances: Record<string, { title: Texts; choices: Record<string, Texts> }>;
  answers: Record<string, { title: Texts; to: string; check: string }>;
  targets: string[];
  kinds: Record<string, string>;
  marks: Record<string, Texts>;
  free: string[];
  retries: boolean;
  harm: any;
  attacks: Record<string, { item: Record<string, string>; damage: FollowUp | null; resist: FollowUp | null }>;
}

export interface SheetRules {
  attributes: Record<string, Texts>;
  skills: Record<string, Texts>;
  resources: Record<string, { title: Texts; uses: Record<string, Texts> }>;
  derived: Record<string, Texts>;
  conditions: Record<string, { title: Texts; cannot: Texts }>;
  picks: Record<string, { attributes: boolean; skills: boolean }>;
  rounds: RoundRules | null;
  form: SheetForm;
}

export interface Game extends Omit<GameView, "checks" | "options" | "ladder" | "sheet"> {
  checks: Check[];
  options: Option[];
  ladder: Rung[];
  sheet: SheetRules | null;
  singular: Record<string, Texts>;
  /** Events that screens make much of. */
  critical: string[];
}

/** The game of this page. Only modules that games without characters reach ask whether there is a sheet. */
export interface PageGame extends Game {
  sheet: SheetRules;
}

// -- the view of a seat

/** A command that the seat may send now; which other fields it has depends on the command. */
export interface Action extends ActionView {
  [field: string]: any;
}

export interface Die {
  face: number;
  role?: string;
  /** The die that it replaces or follows. */
  of?: number | null;
  side?: number;
  number?: number;
  sides?: number;
  /** How it counts: as a hit, in the sum, for nothing; null if that is not known. */
  counts?: string | null;
  physical?: boolean;
  by?: string;
}

/** What a roll waits for: a throw, or a decision about dice or among options. */
export interface Question {
  side?: number;
  throw?: number;
  sides?: number;
  role?: string;
  typed?: number[];
  due?: number;
  decision?: string;
  by?: string;
  question?: Texts;
  options?: Record<string, Texts>;
  order?: string[];
  dice?: number[];
  faces?: number[];
  at_most?: number;
  only?: Texts;
  odds?: any;
}

export interface Decision {
  decision: string;
  side: number;
  by: string;
  words: string;
  answer: string | number[];
}

/** One source of dice or points of a roll. */
export interface Line {
  number: number | null;
  says: string;
  words: Texts;
  cannot: string;
  why: Texts;
  [field: string]: any;
}

export interface Source {
  source: string;
  amount: any;
  unit: string | null;
  side: number | null;
  by: string;
  parameter: string | null;
  line: number | null;
  on: boolean;
  switched_by: string | null;
  words: Texts;
  units: Texts;
}

export interface Roll extends Omit<RollView, "asked" | "dice" | "judged" | "notes" | "question" | "decisions" | "may"> {
  asked?: { check: string; sides: Values[]; parameters: Values; options: Values };
  modes?: string[];
  /** A contest's own rolls, one per side. */
  parts?: { roll: string; roller: string }[];
  dice?: Die[];
  judged?: { by: string; grade: string; words: string }[];
  notes?: { by: string; text: string }[];
  question?: Question | null;
  decisions?: Decision[];
  outcome?: Values | null;
  main?: string;
  events?: { event: string; says: string }[];
  modifiers?: { source: string; says: string; value: any; unit: string; side: number }[];
  /** The characters of the sides; "" for a side without one. */
  as?: string[];
  deed?: Record<string, string>;
  lines?: Line[];
  sources?: Source[];
  may?: Action[];
}

export interface Character extends Omit<CharacterView, "may"> {
  /** The hash of its picture. */
  picture?: string;
  shown?: string;
  sheet?: any;
  /** Digest of the sheet, to be named by what replaces it. */
  mark?: string;
  derived?: Record<string, any>;
  ranges?: Record<string, [number, number]>;
  conditions?: { condition: string; says: string; cannot: string }[];
  skills?: Record<string, any>;
  items?: Record<string, { uses: number; hot: boolean }>;
  tasks?: Record<string, any[]>;
  may?: Action[];
}

export interface Request extends Omit<RequestView, "may"> {
  hidden: string[];
  title: string;
  /** A player's challenge, which the GM settles. */
  called: boolean;
  open: boolean;
  proposals: Record<string, any>;
  as: Record<string, string>;
  may?: Action[];
}

export interface Contest extends Omit<ContestView, "sides" | "may"> {
  check?: string;
  parameters?: Values;
  hidden?: string[];
  together?: boolean;
  sides: { name: string; roll: string; request: string; phase: string }[];
  may?: Action[];
}

export interface Combatant {
  combatant: string;
  name: string;
  actions: number | null;
  taken: number;
  left: number | null;
  over: boolean;
  waiting: boolean;
  stance: string;
  choice: string;
  pace: string;
  attacked: any;
  prepared: any;
  hidden: boolean;
  due: boolean;
  initiative?: Exact | null;
  may?: Action[];
}

export interface Fight {
  fight: string;
  round: number;
  seconds: number;
  structure: string;
  declaring: boolean;
  turn: string[];
  order: Combatant[];
  slots: { combatant: string; number: number; past: boolean }[];
}

/** Everything that the seat sees; see docs/table.md. */
export interface View extends Omit<TableView, "characters" | "rolls" | "fight" | "requests" | "contests" | "may"> {
  characters: Character[];
  rolls: Roll[];
  fight: Fight | null;
  requests: Request[];
  contests: Contest[];
  may: Action[];
}

/** The changes of a keyed list. */
export interface ListPatch {
  put?: Record<string, any>;
  gone?: string[];
  order?: string[];
}

// -- odds

/** Exact odds; every chance is a fraction as text. */
export interface Odds {
  success: string | null;
  distribution: [Exact, string][];
  tail?: { from: Exact; probability: string };
  wins?: string[];
  tie?: string;
  mean?: string | null;
  events?: Record<string, string>;
  policy?: Record<string, string>;
  reason?: string;
  [field: string]: any;
}

/** An error as it is shown: what is wrong, and what would be right. */
export interface Fault {
  message: string;
  hint?: string;
  code?: string;
}
