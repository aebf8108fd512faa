// Written by tools/page_types.py from the server's OpenAPI document; do not edit.

/** A command that the seat may send now, with its object. */
export interface ActionView {
  do: string;
}

/** A game or a family that another one can extend. */
export interface BaseRuleset {
  id: string;
  title: Record<string, string>;
  about: Record<string, string>;
}

/** A value that differs from what a case expects. */
export interface CaseMismatch {
  way: string;
  what: string;
  expected: any;
  found: any;
}

/** The results of all cases of a ruleset, or the mistakes of its texts. */
export interface CaseReport {
  mistakes: Array<DraftMistake>;
  cases: Array<CaseResult>;
}

/** A case and its mismatches; none if it holds. */
export interface CaseResult {
  name: string;
  check: string;
  differences: Array<CaseMismatch>;
}

/** Other rules for a table: a game, or the hash of a published ruleset. */
export interface ChangeRulesRequest {
  game?: string;
  brew?: string;
}

/** A line of the seat's log about a character, and what it changed on the sheet. */
export interface CharacterChange {
  n: number;
  time: string;
  seat: string;
  kind: string;
  changes: Array<Record<string, any>>;
  about: Record<string, any>;
}

/** A character at the table; the sheet is present only for seats that may see it. */
export interface CharacterView {
  character: string;
  owner: string;
  name: string;
  kind: string;
  may?: Array<ActionView>;
}

/** A check before it is rolled: parameters, sides and house rules, without characters. */
export interface CheckQuery {
  check: string;
  parameters?: Record<string, any>;
  sides?: Array<Record<string, any>>;
  options?: Record<string, any>;
}

/** Claims about a game, as in a claims.toml. */
export interface ClaimsRequest {
  text: string;
}

/** Claims with their verdicts: the actual figures, and what would make false ones true. */
export interface ClaimsResponse {
  claims: Array<Record<string, any>>;
  false: number;
  command: string;
}

/** To the server: a command. A key is executed once, however often it is sent. */
export interface CommandMessage {
  type: "command";
  do: string;
  key: string;
  data?: Record<string, any>;
}

/** A command; docs/table.md lists them with their fields. A key is executed once. */
export interface CommandRequest {
  do: string;
  key: string;
  data?: Record<string, any>;
}

/** A command was executed, now or earlier with the same key: it is saved and was announced. `n` is the number of the last line of the seat's log. */
export interface CommandResponse {
  done: string;
  n: number;
}

/** The fields of `data` for each command; docs/table.md describes the commands. */
export interface Commands {
  /** Bring a character's `sheet`, or a newer one of a character that is there. `replaces`: the `mark` of the sheet it is based on. Only the GM brings one `for` another seat. `copies`: brings that many, numbered: Raider 1, Raider 2; for the GM. */
  bring: { sheet: Record<string, any>; for?: string; shown?: "open" | "own" | "hidden"; replaces?: string; copies?: number; };
  /** Set who sees the sheet: open, own or hidden. */
  show: { character: string; shown: "open" | "own" | "hidden"; };
  /** Give a character a `picture` that was uploaded, by its hash; whoever knows of the character sees it. */
  portrait: { character: string; picture: string; };
  /** Give a character another `name`; it stays the same character, with its history. */
  rename: { character: string; name: string; };
  /** Change points by positive or negative numbers. */
  adjust: { character: string; resources: Record<string, number>; words?: string; };
  /** Spend a point of a resource; `use`: what it buys. */
  use: { character: string; resource: string; use: string; };
  /** Subtract `damage`, reduced by `resist`: numbers, or finalised rolls. */
  harm: { character: string; damage: number | string; resist?: number | string; words?: string; };
  /** Undo the last change of points, if no dice of the character followed. */
  undo_points: { character: string; };
  /** Set the `uses` of an item per round (default 1); `hot`: it is overheated. */
  equip: { character: string; item: string; uses?: number; hot?: boolean; };
  /** Let failed attempts at a task no longer count. */
  forget: { character: string; task: string; };
  /** Remove a character, unless it is part of an unfinished roll that everyone sees. */
  dismiss: { character: string; };
  /** Compare finalised `rolls`, in the order of the sides, by a check. `parameters` are those of the whole check. */
  contest: { check: string; rolls: Array<string>; parameters?: Record<string, any>; hidden?: Array<string>; mode?: "public" | "private" | "blind" | "secret" | "gm"; };
  /** Open a contest before its sides throw. A side is `{"roll": …}`, a declared roll, or `{"request": …, "name": …}`, a requested one. `together`: false lets each side throw at any time; the rest as for `contest`. */
  challenge: { check: string; sides: Array<{ roll?: string; request?: string; name?: string; }>; parameters?: Record<string, any>; hidden?: Array<string>; mode?: "public" | "private" | "blind" | "secret" | "gm"; together?: boolean; };
  /** Call off a contest that is not decided yet. */
  call_off: { contest: string; };
  /** Begin a fight. A combatant is a `character`, with `marks` for ties, or a `name`, with `initiative` and `hidden`. `order` if nothing else decides. */
  fight: { combatants: Array<{ character?: string; name?: string; marks?: Record<string, any>; hidden?: boolean; initiative?: number; }>; order?: Array<string>; };
  /** Let one more combatant join; `behind`: another combatant, instead of the initiative. */
  join: { who: { character?: string; name?: string; marks?: Record<string, any>; hidden?: boolean; initiative?: number; }; behind?: string; };
  /** Take a combatant out of the fight. */
  out: { combatant: string; };
  /** Reveal a hidden combatant without a sheet; one with a sheet is revealed by `show`. */
  uncover: { combatant: string; };
  /** Begin the next round; unused actions are lost. */
  next_round: Record<string, any>;
  /** End the fight; items and tasks stay as they are. */
  end_fight: Record<string, any>;
  /** Fix the number of actions this round. */
  fix: { combatant: string; actions: number; };
  /** Take an action without a roll. */
  act: { combatant: string; what?: string; };
  /** Wait, which costs an action; the next one may come at any time. */
  wait: { combatant: string; };
  /** Interrupt a roll whose result is not revealed yet. */
  interrupt: { combatant: string; roll_of: string; what?: string; };
  /** React; before the combatant's turn only by the GM, also with `actions`. */
  react: { combatant: string; actions?: number; what?: string; };
  /** Take a stance, for the whole round. Allowed before one's turn, and then it counts against attacks that are declared but not thrown. */
  stance: { combatant: string; stance: string; choice?: string; };
  /** Spend the round preparing. */
  prepare: { combatant: string; };
  /** Move at a pace of the game; some cost an action. */
  pace: { combatant: string; pace: string; };
  /** End the combatant's turn. */
  end_turn: { combatant: string; };
  /** Undo the combatant's last move, if no other followed. */
  undo_move: { combatant: string; };
  /** Let a roll against the combatant stand instead of answering it. */
  take_hit: { combatant: string; roll_of: string; };
  /** Grant a `reaction` before the combatant's turn, or one `free_action`, this round. */
  grant: { combatant: string; leave: "reaction" | "free_action"; };
  /** Say something to everyone, or whisper it `to` some seats; nobody else learns of a whisper. */
  say: { text: string; to?: Array<string>; };
  /** Replace the text of the shared scratchpad, or of the notes that only GMs see (`for_gms`). `replaces`: the `mark` of the text that was changed; refused if somebody else has changed it since. */
  scratchpad: { text: string; replaces: string; for_gms?: boolean; };
  /** Declare a roll. `as`: the character, or one for each side. Only the GM declares `for` another seat, with `hidden` parameters, with lines switched `off` (by number) or added (`add`). The fields from `spends` to `actions` describe an action in a fight; `item` brings what stands on the sheet. `damage_of` a hit, and `resists` by its target: the check and its parameters follow from the game and the item. `throw`: throws at once, with the fields of the command `throw`, if that is allowed then; if not, the roll is only declared. `finish`: finalises at once if nothing is left to decide, and in a fight if nobody whom all see could answer or interrupt it. `request`: answers a request, with `check`, `parameters` and `as`: declares the roll if the GM left nothing open, and otherwise proposes it. */
  declare: { check: string; parameters?: Record<string, any>; sides?: Array<Record<string, any>>; mode?: "public" | "private" | "blind" | "secret" | "gm"; hidden?: Array<string>; title?: string; as?: string | null | Array<string | null>; off?: Array<number>; add?: Array<{ parameter: string; value: any; note?: string; side?: number; }>; spends?: "action" | "interruption" | "reaction" | "resistance" | "nothing" | Array<"action" | "interruption" | "reaction" | "resistance" | "nothing">; interrupts?: string; answers?: string; target?: string; item?: string; task?: string; actions?: number; damage_of?: string; resists?: string; for?: string; throw?: { faces?: Array<number>; entropy?: string; commitment?: string; }; finish?: boolean; request?: string; };
  /** Switch a line, by its number, off or on again, before the first throw. */
  switch: { roll: string; line: number; on: boolean; };
  /** Add a line to a roll before its first throw. */
  add_line: { roll: string; parameter: string; value: any; note?: string; side?: number; };
  /** Throw the dice that are due. `faces` of physical dice, all or some of them; or `entropy`: any text that is mixed into the dice. `commitment`: refuses the throw if the roll has another one than the sender saw. */
  throw: { roll: string; faces?: Array<number>; entropy?: string; commitment?: string; };
  /** Answer the question of a roll with die numbers or an option's name; `words`: a comment. `throw` and `finish` as for `declare`: throw at once if dice are due then, and finalise at once if nothing is left to decide. */
  answer: { roll: string; answer: string | Array<number>; words?: string; throw?: { faces?: Array<number>; entropy?: string; commitment?: string; }; finish?: boolean; };
  /** Undo a decision if nothing was thrown since, or the faces typed last of an incomplete throw. */
  undo: { roll: string; };
  /** Cancel a roll before its first throw and while no open contest waits for it. Its points and its action are returned, and the request that led to it reopens if roller and GM both know of the roll. */
  cancel: { roll: string; };
  /** End a roll after its last decision. A roll that ends with a throw finalises itself, except in a fight, where the GM reveals the result. */
  finalise: { roll: string; };
  /** Evaluate the same dice again with other `parameters` or `sides`. `throw` and `faces` correct mistyped faces. */
  correct: { roll: string; parameters?: Record<string, any>; sides?: Array<Record<string, any>>; throw?: number; faces?: Array<number>; words?: string; };
  /** Say what the result of a finalised roll means: a `grade`, `words`, or both. */
  judge: { roll: string; words?: string; grade?: string; };
  /** Reveal a roll to some seats; without `to`, to everyone. */
  reveal: { roll: string; to?: Array<string>; };
  /** Show everything that was hidden of a roll. */
  reveal_target: { roll: string; };
  /** Write a note on a roll; whoever sees all of the roll reads it. */
  note: { roll: string; text: string; };
  /** Ask players for a check; `as` if one player is asked, the rest as for `declare`. */
  request: { to: Array<string>; check: string; parameters?: Record<string, any>; hidden?: Array<string>; mode?: "public" | "private" | "blind" | "secret" | "gm"; title?: string; as?: string; };
  /** Propose how to make the requested check: the skill to use, for example. */
  propose: { request: string; parameters: Record<string, any>; as?: string; };
  /** Accept the proposal of `name`, which declares the roll. With `parameters` also for an absent player; the rest as for `declare`. */
  accept: { request: string; name: string; parameters?: Record<string, any>; as?: string; off?: Array<number>; add?: Array<{ parameter: string; value: any; note?: string; side?: number; }>; spends?: "action" | "interruption" | "reaction" | "resistance" | "nothing" | Array<"action" | "interruption" | "reaction" | "resistance" | "nothing">; target?: string; item?: string; task?: string; };
  /** Refuse the proposal of `name`. */
  refuse: { request: string; name: string; words?: string; };
  /** Challenge what may be a lie; `title` says what. */
  call: { check: string; parameters?: Record<string, any>; title?: string; as?: string; };
  /** Settle a call. `against`: the challenged roll, with `check` and its `parameters`: the comparison; or `contest`: an earlier comparison of the two. Without any of these there was nothing to find. */
  settle: { request: string; against?: string; check?: string; parameters?: Record<string, any>; contest?: string; };
  /** Withdraw a request or a call. */
  withdraw: { request: string; };
  /** Open the table under a name. */
  open: { table: string; };
  /** Give a seat to somebody, or let a seat that left come back in the same role. */
  seat: { name: string; role: "gm" | "player" | "watcher"; };
  /** Leave the table; the GM may name another seat. The last GM cannot leave. */
  leave: { name?: string; };
  /** Choose the colour of your own seat: red, orange, green, teal, blue, violet, pink or brown. */
  style: { colour: "red" | "orange" | "green" | "teal" | "blue" | "violet" | "pink" | "brown"; };
  /** Give your own seat a `picture` that was uploaded, by its hash; an empty one removes it. */
  picture: { picture: string; };
  /** Give the person at a player's or watcher's seat a GM's seat, too. `name`: of the new seat, such as "Ann (GM)". To hand the table over, leave it afterwards. */
  share_gm: { to: string; name: string; };
  /** Set `options` of the ruleset; they apply from the next roll. */
  house_rules: { options: Record<string, any>; };
  /** Change to rules stored in the table's file. `dismisses`: the characters that do not fit them, as listed by the preview. Refused while the GM knows of a fight, or of an open roll, request or contest; existing rolls keep their rules. */
  rules: { hash: string; dismisses?: Array<string>; };
  /** Set the most public mode allowed from now on. */
  visibility: { mode: "public" | "private" | "blind" | "secret" | "gm"; };
}

/** Two editions of a ruleset to compare. */
export interface CompareRequest {
  before: RulesetEdition;
  after: RulesetEdition;
}

export interface ContestView {
  contest: string;
  sides: Array<Record<string, any>>;
  waits_for: Array<string>;
  result: string;
  may?: Array<ActionView>;
}

/** A link for a seat, or without one for new seats of a role. */
export interface CreateLinkRequest {
  seat?: string;
  role?: "gm" | "player" | "watcher";
  instead?: boolean;
}

/** A new link; it is shown only once. */
export interface CreateLinkResponse {
  link: string;
}

/** A new table. */
export interface CreateTableRequest {
  game?: string;
  brew?: string;
  title: string;
  gm?: string;
  players?: Array<string>;
  watchers?: boolean;
  demo?: boolean;
  join?: boolean;
}

/** A new table and its links by seat; "" is for new watchers. Links are shown only once. */
export interface CreateTableResponse {
  table: string;
  links: Record<string, string>;
}

/** The answer to a command: it is saved, and its patch was sent before this. */
export interface DoneMessage {
  type: "done";
  key: string;
  n: number;
}

/** A check of a draft ruleset. */
export interface DraftCheckRequest {
  check: string;
  parameters?: Record<string, any>;
  sides?: Array<Record<string, any>>;
  options?: Record<string, any>;
  policy?: "usual" | "best" | "never";
  ruleset: string;
}

/** A mistake in a text; lines and columns count from 1, 0 means unknown. The end is behind the last character. The code is stable, the wording is not. */
export interface DraftMistake {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
  code: string;
  message: string;
  hint: string;
}

/** The mistakes of a ruleset, or without any its game and the hash of its rules. `base` is the shipped ruleset that it extends. */
export interface DraftReport {
  mistakes: Array<DraftMistake>;
  hash: string;
  game: GameView | null;
  base: string;
}

/** A draft ruleset with its cases. */
export interface DraftRequest {
  ruleset: string;
  cases?: string;
}

/** A finished roll, as `handful roll --json` shows it; decisions followed the usual policy. Each die has its number among its side's dice, and its own number of sides. */
export interface DraftRoll {
  main: string;
  dice: Array<Record<string, any>>;
  events: Array<string>;
}

/** The texts of a ruleset: its own, and its cases. */
export interface DraftTexts {
  ruleset: string;
  cases: string;
}

/** A change of one value in a ruleset, named by its path; without a value it is removed. */
export interface EditDraftRequest {
  ruleset: string;
  path: Array<string>;
  value?: any;
}

/** An error: stable code, message, and a hint what to do instead. */
export interface ErrorDetail {
  code: "refused" | "forbidden" | "not_found" | "too_large" | "too_fast" | "too_many" | "too_big" | "store" | "bad" | "cancelled" | "broken";
  message: string;
  hint: string;
}

/** The answer to a refused command or an invalid message. */
export interface ErrorMessage {
  type: "error";
  key: string | null;
  error: ErrorDetail;
}

/** The body of every error response. */
export interface ErrorResponse {
  error: ErrorDetail;
}

/** An evening of the seat's log: its first and last line, and what was rolled. */
export interface EveningSummary {
  first: number;
  last: number;
  begins: string;
  ends: string;
  rolls: number;
  seats: Record<string, Record<string, any>>;
  points: Record<string, Record<string, number>>;
}

/** A field of a form: a text, number, truth, choice or list of numbers at a path. `own` is true if the text sets it itself, false if a base does. */
export interface FormField {
  kind: "text" | "number" | "truth" | "choice" | "numbers";
  path: Array<string>;
  value: any;
  values?: Array<any>;
  own: boolean;
  added: boolean;
}

/** A group of fields: of the game, a check, a parameter, a rung of the ladder … */
export interface FormGroup {
  kind: "game" | "check" | "param" | "rung" | "option" | "table";
  name: string;
  of: string;
  path: Array<string>;
  added: boolean;
  title: Record<string, string>;
  fields: Array<FormField>;
}

/** A game in short; `glance` has the chances of its first check by pool size. `dice` is an example throw of that check, and `outcome` what came of it. */
export interface GameSummary {
  id: string;
  title: Record<string, string>;
  about: Record<string, string>;
  glance: Record<string, any> | null;
  dice: Array<Record<string, any>> | null;
  outcome: Record<string, any> | null;
}

/** A game, with its title in every language that it has. */
export interface GameTitle {
  id: string;
  title: Record<string, string>;
}

/** A game: its checks with their parameters, and the fields of its sheets. */
export interface GameView {
  id: string;
  title: Record<string, string>;
  about: Record<string, string>;
  hash: string;
  checks: Array<Record<string, any>>;
  options: Array<Record<string, any>>;
  decisions: Record<string, Record<string, Record<string, string>>>;
  ladder: Array<Record<string, any>>;
  words: Record<string, Record<string, string>>;
  characters: Array<Record<string, any>>;
  sheet: Record<string, any> | null;
}

export interface HealthResponse {
  status: "ok";
}

/** Which seats have an open connection; only for clients that ask for it, now and when it changes. */
export interface HereMessage {
  type: "here";
  seats: Array<string>;
}

/** A table as an open invitation describes it. */
export interface InvitationResponse {
  id: string;
  table: string;
  game: GameTitle;
  role: "gm" | "player" | "watcher";
  gms: Array<string>;
  players: Array<string>;
  colours: Record<string, string>;
  characters: Array<ReadyCharacter>;
  samples: Array<string>;
  creates: boolean;
}

/** The table's join links; None if switched off. */
export interface JoinLinksResponse {
  player: string | null;
  watcher: string | null;
}

/** The number of links to a seat, or without one to new seats of a role. */
export interface LinkCount {
  seat: string;
  role: string;
  links: number;
}

/** A line of the seat's own log; see docs/events.md. */
export interface LogLine {
  n: number;
  time: string;
  version: number;
  ruleset: string;
  seat: string;
  kind: string;
  data: Record<string, any>;
  before: string;
  hash: string;
  public?: Record<string, any> | null;
  signature?: string | null;
}

/** Rolls compared with their expectation. */
export interface LuckReport {
  left_out: number;
  table: Record<string, any>;
  seats: Record<string, Record<string, any>>;
}

/** A chat message; `to` if it was whispered. */
export interface MessageView {
  message: string;
  by: string;
  text: string;
  to?: Array<string>;
}

/** First values of a new character: nothing, a quick start by name, or one by the seed. */
export interface NewCharacterRequest {
  kind?: "pc" | "npc";
  start?: string;
  quick?: boolean;
  seed?: number;
}

/** The sheet of a new character with a random name; nothing is saved. */
export interface NewCharacterResponse {
  sheet: Record<string, any>;
}

/** A check and the policy of its decisions. */
export interface OddsRequest {
  check: string;
  parameters?: Record<string, any>;
  sides?: Array<Record<string, any>>;
  options?: Record<string, any>;
  policy?: "usual" | "best" | "never";
}

/** Exact odds; every chance is a fraction written as text. More fields as in `--json`. */
export interface OddsResponse {
  success?: string | null;
}

/** A table of odds: a parameter may be a range, as in docs/authors.md. */
export interface OddsTableRequest {
  check: string;
  parameters?: Record<string, any>;
  sides?: Array<Record<string, any>>;
  options?: Record<string, any>;
  policy?: "usual" | "best" | "never";
  shows?: string;
}

/** New lines of the log, and the parts of the view that changed. Characters, requests, contests and rolls are patched by name: `put` has new and changed items, `gone` the names of items to remove; new items come last, unless `order` has all names. */
export interface PatchMessage {
  type: "patch";
  n: number;
  lines: Array<LogLine>;
  view: Record<string, any>;
}

/** An uploaded picture, by its hash. */
export interface PictureResponse {
  picture: string;
}

/** To the server: a liveness check. */
export interface PingMessage {
  type: "ping";
}

/** The answer to a ping. */
export interface PongMessage {
  type: "pong";
}

/** A check that a seat might declare. */
export interface PreviewRollRequest {
  data: Record<string, any>;
  policy?: "usual" | "best" | "never";
  partial?: boolean;
}

/** A sheet to bring, as data or as a text (JSON or TOML). `base` is the sheet that the edit started from; changes made since are merged. */
export interface PreviewSheetRequest {
  sheet: Record<string, any> | string;
  owner?: string | null;
  base?: Record<string, any> | null;
  partial?: boolean;
}

/** The hash and the link of a published ruleset. */
export interface PublishResponse {
  hash: string;
  link: string;
}

/** A published ruleset. */
export interface PublishedRuleset {
  ruleset: string;
  cases: string;
  hash: string;
}

/** Reach of the links: this machine, its network, or everybody; `would_open` are possible addresses. */
export interface ReachResponse {
  scope: "machine" | "network" | "public";
  addresses: Array<string>;
  may_open: boolean;
  would_open: Array<string>;
}

/** The token of an open invitation. */
export interface ReadInvitationRequest {
  token: string;
}

/** A character that a newcomer may take. */
export interface ReadyCharacter {
  character: string;
  name: string;
}

/** A recovery code, as it was typed. */
export interface RecoverRequest {
  code: string;
}

/** State of the recovery code: if the seat has one, and the code itself when it is made, never again. */
export interface RecoveryResponse {
  exists: boolean;
  code?: string | null;
}

/** A request for a check, or a call. */
export interface RequestView {
  request: string;
  to: Array<string>;
  check: string;
  parameters: Record<string, any>;
  proposals: Record<string, any>;
  rolls: Record<string, string>;
  may?: Array<ActionView>;
}

/** Revoke all links to a seat, or without one all to new seats of a role. */
export interface RevokeLinksRequest {
  seat?: string;
  role?: "gm" | "player" | "watcher";
}

export interface RevokeLinksResponse {
  revoked: number;
}

/** A roll before it is declared: its lines, and its odds by what the seat knows. */
export interface RollPreview {
  lines: Array<Record<string, any>>;
  cannot?: Record<string, string>;
  unknown?: Array<string>;
  odds: OddsResponse;
}

/** A roll as the seat sees it; only the first five fields are always present. */
export interface RollView {
  roll: string;
  roller: string;
  phase: string;
  commitment: string;
  label: string;
  asked?: Record<string, any>;
  hidden?: Array<string>;
  title?: string;
  dice?: Array<Record<string, any>>;
  key?: string;
  judged?: Array<Record<string, any>>;
  notes?: Array<Record<string, any>>;
  question?: Record<string, any> | null;
  decisions?: Array<Record<string, any>>;
  outcome?: Record<string, any> | null;
  may?: Array<ActionView>;
}

/** The effect of other rules; `game.hash` and the names in `unfit` are passed on to `rules`. */
export interface RulesPreview {
  game: Record<string, string>;
  title: Record<string, string>;
  waits_for: Array<string>;
  unfit: Record<string, Array<string>>;
  options: Record<string, any>;
  dropped: Array<string>;
  words: Array<string>;
  moved: Array<Record<string, any>>;
}

/** A ruleset with house rules; `text` is a draft in TOML that replaces the game's own. */
export interface RulesetEdition {
  game: string;
  options?: Record<string, any>;
  text?: string;
}

export interface RulesetText {
  ruleset: string;
}

/** A text that several seats write; `mark` names its version. */
export interface ScratchpadView {
  text: string;
  mark: string;
}

/** A seat for a list of tables: where it is, and who is there now. */
export interface SeatSummary {
  table: string;
  game: string;
  seat: string;
  role: "gm" | "player" | "watcher";
  here: Array<string>;
}

export interface SeatView {
  name: string;
  role: "gm" | "player" | "watcher";
  left: boolean;
  colour?: string | null;
  picture?: string | null;
  of?: string;
}

/** The changes that bringing a sheet would make; `replaces` is passed on to `bring`. With `base`: what changed `meanwhile`, and if something did, both edits combined (`merged`), the fields that both changed (`clashes`), and the sheet as it is `now`. */
export interface SheetPreview {
  changes: Array<Record<string, any>>;
  sheet: Record<string, any>;
  comes_to: Record<string, any>;
}

/** Why a sheet or a check that is being filled in does not fit yet. */
export interface SheetProblem {
  problem: Record<string, any>;
}

/** The first message: the current view, and the lines of the log since `after`. `begins`: replaces everything that the client has, because that does not fit or it missed more lines than are sent again. */
export interface SnapshotMessage {
  type: "snapshot";
  protocol: 3;
  n: number;
  lines: Array<LogLine>;
  view: TableView;
  begins: boolean;
}

/** The parameter to solve for, and the chance; `side` is 0 for a check without sides. */
export interface SolveRequest {
  check: string;
  parameters?: Record<string, any>;
  sides?: Array<Record<string, any>>;
  options?: Record<string, any>;
  policy?: "usual" | "best" | "never";
  find: string;
  chance: string;
  side?: number;
  within?: string;
}

/** The value at which a chance is just reached; null if no value reaches it. */
export interface SolveResponse {
  parameter: string;
  tried: Array<Array<any>>;
  command: string;
}

/** The store cannot save now, with the reason, or can save again. */
export interface StoreMessage {
  type: "store";
  ok: boolean;
  error?: ErrorDetail | null;
}

/** Odds with curves, spread and difficulties. `curves` has each value with the chance of exactly, at least and at most that; `window` is the range of them to show; `rungs` is the success at every difficulty of the game. */
export interface SurveyResponse {
  success?: string | null;
  shows: string;
  figure: string | null;
  curves: Array<Array<any>>;
  window: Array<number>;
  deviation: number | null;
  rungs: Array<Array<any>>;
  command: string;
}

/** Make a new join link for a role, or with `on` false switch it off. */
export interface SwitchJoinLinkRequest {
  role?: "player" | "watcher";
  on?: boolean;
}

/** The table as the seat sees it; `may` on it and on everything in it: the commands possible now. */
export interface TableView {
  table: string;
  game: Record<string, string>;
  seat: string;
  role: "gm" | "player" | "watcher";
  seats: Array<SeatView>;
  options: Record<string, any>;
  mode: string;
  characters: Array<CharacterView>;
  rolls: Array<RollView>;
  fight: Record<string, any> | null;
  requests: Array<RequestView>;
  contests: Array<ContestView>;
  messages: Array<MessageView>;
  scratchpad: ScratchpadView;
  gm_notes?: ScratchpadView | null;
  may: Array<ActionView>;
}

/** Take a seat by an open invitation, under a name. */
export interface TakeSeatRequest {
  token: string;
  name: string;
  colour?: string;
  character?: string;
  sample?: string;
  watch?: boolean;
}

/** A new seat; follow the link to use it. */
export interface TakeSeatResponse {
  table: string;
  link: string;
}

/** Another throw of a game's example. */
export interface ThrowAgainResponse {
  dice: Array<Record<string, any>>;
  outcome: Record<string, any>;
}

/** A figure under every policy, and the gain by deciding; null for a check without decisions. */
export interface WorthResponse {
  worth: Record<string, any> | null;
}
