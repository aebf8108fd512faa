"""All commands of the REPL: usage, summary, example, handler."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from handful.cli import console
from handful.cli.repl import (
    characters,
    checks,
    fights,
    hits,
    house_rules,
    log_commands,
    requests,
    rolls,
    rulings,
    talk,
)
from handful.rules.params import normalize_name
from handful.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from handful.cli.repl.repl import Repl

Words = Sequence[str]
Handler = Callable[["Repl", Words], None]


@dataclass(frozen=True, slots=True)
class ReplCommand:
    """A command: its topic in the help, usage, summary, example and handler."""

    topic: str
    usage: str
    summary: str
    example: str
    handler: Handler
    aliases: tuple[str, ...] = ()  # other spellings


def help_(repl: Repl, words: Words) -> None:
    from handful.cli.repl.help import show_help

    show_help(repl, words)


def what(repl: Repl, words: Words) -> None:
    repl.show_state()


def back(repl: Repl, words: Words) -> None:
    from handful.cli.repl.dispatch import step_back

    step_back(repl, words)


def quit_(repl: Repl, words: Words) -> None:
    raise console.UserLeft


ROLLS, GM, PEOPLE = "rolls", "the GM", "people and characters"
REQUESTS, FIGHT, TABLE = "requests and contests", "fights", "the table"
TOPICS = (ROLLS, PEOPLE, REQUESTS, GM, FIGHT, TABLE)

REPL_COMMANDS: Mapping[str, ReplCommand] = {
    "roll": ReplCommand(
        ROLLS,
        "roll CHECK name=value ... [as NAME] [against NAME] | roll 3d6+2",
        "roll a check, or dice outside the rules; with a check's name alone you are asked for the rest. "
        "You may leave out the word roll",
        "roll {check} mode=private",
        checks.roll,
        ("r",),
    ),
    "again": ReplCommand(
        ROLLS,
        "again [name=value ...]",
        "roll the last check again, with changes if you like; name=value alone changes it and shows its odds",
        "again {change}",
        checks.again,
    ),
    "dice": ReplCommand(
        ROLLS,
        "dice [CHECK name=value ...]",
        "roll your own dice and type what they show",
        "dice {check}",
        checks.dice,
        ("d",),
    ),
    "declare": ReplCommand(
        ROLLS,
        "declare CHECK name=value ... (like roll)",
        "announce a roll now, throw it later",
        "declare {check}",
        rolls.declare,
    ),
    "throw": ReplCommand(
        ROLLS,
        "throw [ROLL] [FACES]",
        "throw a declared roll; type faces if you use your own dice",
        "throw {roll}",
        rolls.throw,
        ("t",),
    ),
    "answer": ReplCommand(
        ROLLS,
        "answer [ROLL] ANSWER [WORDS]",
        "answer a question: dice by number, an option by word or number; the answer alone is enough",
        "answer {roll} 1",
        rolls.answer,
    ),
    "finalise": ReplCommand(
        ROLLS,
        "finalise [ROLL]",
        "make a result final; in a fight that is up to the GM",
        "finalise {roll}",
        rolls.finalise,
        ("finalize", "done"),
    ),
    "undo": ReplCommand(
        ROLLS,
        "undo [ROLL] | undo move [NAME] | undo points [NAME]",
        "take back the last decision, move or change of points, as long as no dice fell since",
        "undo",
        rolls.undo,
    ),
    "cancel": ReplCommand(
        ROLLS, "cancel [ROLL]", "drop a roll that is not thrown yet", "cancel {roll}", rolls.cancel
    ),
    "look": ReplCommand(
        ROLLS,
        "look [ROLL]",
        "show a roll in full: its breakdown, dice and decisions",
        "look {roll}",
        rulings.show_full_roll,
    ),
    "odds": ReplCommand(
        ROLLS,
        "odds [ROLL] | odds CHECK name=value ... | odds 3d6+2",
        "the exact odds of a roll from here on, of a check, or of dice outside the rules",
        "odds {check}",
        rulings.odds,
    ),
    "reveal": ReplCommand(
        ROLLS,
        "reveal [ROLL] [to NAME,NAME] | reveal target [ROLL]",
        "show a roll to others; as GM also its hidden target",
        "reveal {roll} to {player}",
        rulings.reveal,
    ),
    # people and characters
    "seats": ReplCommand(PEOPLE, "seats", "list who is at the table", "seats", characters.seats),
    "seat": ReplCommand(
        PEOPLE,
        "seat NAME | seat NAME player|gm|watcher",
        "pass the screen to someone; with a role, the GM adds a seat",
        "seat ann player",
        characters.seat,
    ),
    "leave": ReplCommand(
        PEOPLE,
        "leave [NAME]",
        "leave the table; the GM can seat you again",
        "leave {player}",
        characters.leave,
    ),
    "colour": ReplCommand(
        PEOPLE,
        "colour NAME",
        "choose the colour of your seat, which all see",
        "colour teal",
        characters.colour,
        ("color",),
    ),
    "say": ReplCommand(PEOPLE, "say WORDS", "say something to everyone", "say hello", talk.say),
    "whisper": ReplCommand(
        PEOPLE,
        "whisper NAME[,NAME] WORDS",
        "say something to some seats; nobody else learns of it",
        "whisper {player} behind you",
        talk.whisper,
        ("w",),
    ),
    "note": ReplCommand(
        PEOPLE,
        "note [ROLL] WORDS",
        "write a note on a roll; whoever sees all of the roll reads it",
        "note {roll} with the good rope",
        talk.note,
    ),
    "scratchpad": ReplCommand(
        PEOPLE,
        "scratchpad [WORDS]",
        "read the scratchpad that all share, or add a line to it",
        "scratchpad 40 silver in the chest",
        talk.scratchpad,
        ("pad",),
    ),
    "share gm": ReplCommand(
        PEOPLE,
        "share gm NAME [SEAT]",
        "give the person at a seat a GM's seat, too",
        "share gm {player}",
        talk.share_gm,
    ),
    "add": ReplCommand(
        PEOPLE,
        "add FILE|NAME [for SEAT] [shown=open|own|hidden] [copies=3]",
        "add a character: a file, or one that comes with the game; copies are numbered",
        "add {character}",
        characters.bring,
        ("bring",),
    ),
    "create": ReplCommand(
        PEOPLE,
        "create [NAME] [start=START] [for SEAT] [shown=open]",
        "make a character that is ready to play, with a random name if you give none; START is one of the "
        "game's quick starts. `handful sheet --new GAME` asks for everything",
        "create Nell",
        characters.create,
    ),
    "rename": ReplCommand(
        PEOPLE,
        "rename NAME to=NEW NAME",
        "give a character another name; its history stays",
        "rename {character} to=Nell",
        characters.rename,
    ),
    "sheet": ReplCommand(
        PEOPLE, "sheet [NAME]", "show a character sheet", "sheet {character}", characters.sheet
    ),
    "as": ReplCommand(
        PEOPLE,
        "as NAME | as nobody",
        "choose who makes your checks from now on; adds the character if needed",
        "as {character}",
        characters.choose_character,
    ),
    "show": ReplCommand(
        PEOPLE,
        "show NAME open|own|hidden",
        "choose how much others see of a character",
        "show {character} open",
        characters.show,
    ),
    "remove": ReplCommand(
        PEOPLE,
        "remove NAME",
        "remove a character from the table",
        "remove {character}",
        characters.dismiss,
        ("dismiss",),
    ),
    "use": ReplCommand(
        PEOPLE,
        "use [NAME] POINT USE",
        "spend a point on something that needs no roll",
        "use {character} {use}",
        characters.use,
    ),
    # requests and contests
    "propose": ReplCommand(
        REQUESTS,
        "propose [REQUEST] name=value ... [as NAME]",
        "say how you make a check the GM asked you for",
        "propose {param}",
        requests.propose,
    ),
    "call": ReplCommand(
        REQUESTS,
        "call CHECK name=value ... [title=...] | call off [CONTEST]",
        "call out a lie; the GM settles it. call off cancels a contest",
        "call {check} title='is it true?'",
        requests.call,
    ),
    "request": ReplCommand(
        REQUESTS,
        "request NAME,NAME|all CHECK name=value ... [hidden=target] [mode=...]",
        "GM: ask players for a check",
        "request {player} {check} title='over the wall'",
        requests.request,
        ("ask",),
    ),
    "accept": ReplCommand(
        REQUESTS,
        "accept [NAME] [REQUEST] [name=value ...] [off=1,2] [spends=nothing]",
        "GM: agree to a proposal; the player can roll",
        "accept {player}",
        requests.accept,
    ),
    "refuse": ReplCommand(
        REQUESTS,
        "refuse NAME [WORDS]",
        "GM: turn down a proposal",
        "refuse {player} not from up there",
        requests.refuse,
    ),
    "withdraw": ReplCommand(
        REQUESTS, "withdraw [REQUEST]", "take back a request or a call", "withdraw", requests.withdraw
    ),
    "contest": ReplCommand(
        REQUESTS,
        "contest CHECK ROLL ROLL ... [name=value] [mode=...]",
        "GM: compare finished rolls; a seat stands for its last roll",
        "contest {comparing} ann bob",
        requests.contest,
    ),
    "challenge": ReplCommand(
        REQUESTS,
        "challenge CHECK SIDE SIDE ... [together=no]",
        "GM: set up a contest before the dice fall, between declared rolls or seats you asked",
        "challenge {comparing} ann bob",
        requests.challenge,
    ),
    "settle": ReplCommand(
        REQUESTS,
        "settle [REQUEST] [against ROLL CHECK | contest=ROLL]",
        "GM: decide what a call finds; alone: there was no lie",
        "settle against lie {comparing}",
        requests.settle,
    ),
    # GM
    "judge": ReplCommand(
        GM,
        "judge [ROLL] [grade=...] WORDS",
        "say what a result means",
        "judge {roll} you are in, but somebody coughs",
        rulings.judge,
    ),
    "correct": ReplCommand(
        GM,
        "correct [ROLL] name=value ... [throw=0 faces=1,2,3] [words=...]",
        "count the same dice again with other values, or fix faces that were mistyped",
        "correct {roll} {change}",
        rulings.correct,
    ),
    "switch": ReplCommand(
        GM,
        "switch [ROLL] LINE on|off",
        "turn a line of a roll on or off",
        "switch {roll} {line} off",
        rulings.switch,
    ),
    "line": ReplCommand(
        GM,
        "line [ROLL] PARAMETER=VALUE [NOTE]",
        "add a line to a roll",
        "line {roll} {param} a low branch",
        rulings.line,
    ),
    "adjust": ReplCommand(
        GM,
        "adjust NAME POINTS=-2 ... [WORDS]",
        "raise or lower points",
        "adjust {character} {points} a fall",
        characters.adjust,
    ),
    "harm": ReplCommand(
        GM,
        "harm NAME DAMAGE [resist=...] [WORDS]",
        "apply damage, less resistance; numbers or rolls",
        "harm {character} {harm} a fall",
        characters.harm,
    ),
    "equip": ReplCommand(
        GM,
        "equip NAME ITEM [uses=2] [hot=no]",
        "set how often an item can be used in a round, and whether it is out of use",
        "equip {character} pistol uses=2",
        characters.equip,
    ),
    "forget": ReplCommand(
        GM,
        "forget NAME TASK",
        "forget the failed tries of a task",
        "forget {character} {task}",
        characters.forget,
    ),
    "house rules": ReplCommand(
        GM,
        "house rules [name=value ...]",
        "list or change the house rules",
        "house rules {option}",
        house_rules.house_rules,
        ("house", "options"),
    ),
    "rules": ReplCommand(
        GM,
        "rules [GAME [dismiss]]",
        "show the rules of the table, or switch to those of a game or file; dismiss removes "
        "characters that do not fit",
        "rules {other}",
        house_rules.rules,
    ),
    "visibility": ReplCommand(
        GM,
        "visibility MODE",
        "set the most public mode a roll may have",
        "visibility private",
        rulings.visibility,
    ),
    # fights
    "fight": ReplCommand(
        FIGHT,
        "fight [in order] NAME ... | fight",
        "GM: start a fight. wolf:12 has no sheet but initiative 12, wolf! is hidden, "
        "corvin:first=1 has a mark for ties. Alone: show the fight",
        "fight in order {character} wolf",
        fights.fight,
    ),
    "join": ReplCommand(
        FIGHT, "join NAME [behind NAME]", "GM: add someone to the fight", "join wolf:12", fights.join
    ),
    "out": ReplCommand(FIGHT, "out NAME", "GM: take someone out of the fight", "out wolf", fights.out),
    "uncover": ReplCommand(
        FIGHT, "uncover NAME", "GM: reveal someone hidden", "uncover wolf", fights.uncover
    ),
    "next": ReplCommand(
        FIGHT, "next", "GM: start the next round", "next", fights.next_round, ("next round",)
    ),
    "fix": ReplCommand(
        FIGHT, "fix NUMBER [as NAME]", "choose how many actions to take this round", "fix 2", fights.fix
    ),
    "act": ReplCommand(
        FIGHT, "act [WORDS] [as NAME]", "spend an action without a roll", "act draws a pistol", fights.act
    ),
    "wait": ReplCommand(FIGHT, "wait [NAME]", "hold back and act later this round", "wait", fights.wait),
    "interrupt": ReplCommand(
        FIGHT,
        "interrupt [ROLL] [WORDS | with CHECK name=value ...] [as NAME]",
        "after waiting: step in before the result of a roll is revealed",
        "interrupt {roll} with {check} as {character}",
        fights.interrupt,
    ),
    "react": ReplCommand(
        FIGHT,
        "react [WORDS] [as NAME] [actions=2]",
        "spend an action on what others do; before your turn the GM has to allow it",
        "react ducks behind the crates",
        fights.react,
    ),
    "respond": ReplCommand(
        FIGHT,
        "respond [ANSWER] [ROLL] [as NAME]",
        "respond to a roll against you, such as with a parry; its name alone works, too",
        "respond {answer} {roll}",
        fights.respond,
    ),
    "hit damage": ReplCommand(
        FIGHT,
        "hit damage [ROLL] [name=value ...]",
        "roll the damage of your last hit, with the weapon of the sheet",
        "hit damage {roll}",
        hits.damage,
    ),
    "hit resist": ReplCommand(
        FIGHT,
        "hit resist [ROLL] [name=value ...]",
        "resist the damage of the last hit against you",
        "hit resist {roll}",
        hits.resist,
    ),
    "take hit": ReplCommand(
        FIGHT,
        "take hit [ROLL] [as NAME]",
        "take a hit without a response",
        "take hit {roll}",
        fights.take_hit,
    ),
    "grant": ReplCommand(
        FIGHT,
        "grant NAME reaction | grant NAME free action",
        "GM: let someone react before their turn, or make one check that costs no action",
        "grant {character} free action",
        fights.grant,
    ),
    "stance": ReplCommand(
        FIGHT,
        "stance STANCE [CHOICE] [as NAME]",
        "take a stance for the whole round",
        "stance {stance}",
        fights.stance,
    ),
    "prepare": ReplCommand(
        FIGHT, "prepare [NAME]", "spend the whole round preparing", "prepare", fights.prepare
    ),
    "pace": ReplCommand(FIGHT, "pace PACE [as NAME]", "move at a pace", "pace {pace}", fights.pace),
    "end": ReplCommand(
        FIGHT,
        "end [NAME] | end fight",
        "end your turn; as GM, end fight ends the fight",
        "end",
        fights.end,
        ("end turn",),
    ),
    # the table
    "what": ReplCommand(
        TABLE,
        "what",
        "show what is open and what you can do now, like Enter on an empty line",
        "what",
        what,
    ),
    "help": ReplCommand(
        TABLE,
        "help [WORD | PART | CHECK]",
        "list all commands, or explain one of them, a topic or a check",
        "help roll",
        help_,
        ("?",),
    ),
    "log": ReplCommand(TABLE, "log [NUMBER]", "show what happened, in sentences", "log 50", log_commands.log),
    "history": ReplCommand(
        TABLE, "history [ROLL]", "list the rolls so far, or show one in full", "history", log_commands.history
    ),
    "back": ReplCommand(
        TABLE,
        "back",
        "go one step back: to the last question, the list of checks, or the list of games",
        "back",
        back,
    ),
    "summary": ReplCommand(
        TABLE,
        "summary",
        "sum up each evening: rolls, special results, points",
        "summary",
        log_commands.summary,
    ),
    "luck": ReplCommand(TABLE, "luck", "compare your dice with the odds", "luck", log_commands.luck),
    "export": ReplCommand(
        TABLE, "export [FILE]", "save your log, for handful verify", "export {game}.log", log_commands.export
    ),
    "verify": ReplCommand(
        TABLE,
        "verify [FILE]",
        "check that your log, or one in a file, is intact",
        "verify",
        log_commands.verify,
    ),
    "quit": ReplCommand(
        TABLE, "quit", "leave; only a table in a file is saved", "quit", quit_, ("q", "exit")
    ),
}


def find_command(rules: Ruleset, words: Words) -> tuple[ReplCommand | None, list[str]]:
    """Return the command that a line begins with, and the words after it."""
    two_words = normalize_name(" ".join(words[:2]))
    for name, word in REPL_COMMANDS.items():
        spellings = [normalize_name(one) for one in (name, *word.aliases) if " " in one]
        if len(words) > 1 and two_words in spellings:
            return word, list(words[2:])
    first = normalize_name(words[0]) if words[0] != "?" else "?"
    for name, word in REPL_COMMANDS.items():
        if first in (normalize_name(name), *word.aliases):
            return word, list(words[1:])
    for answer in fights.response_names(rules):
        if first == normalize_name(answer):
            responding = partial(fights.respond, word=answer)
            summary = f"respond to a roll against you ({answer})"
            response = ReplCommand(FIGHT, f"{answer} [ROLL] [as NAME]", summary, answer, responding)
            return response, list(words[1:])
    return None, list(words)


def command_names(rules: Ruleset) -> list[str]:
    return [*REPL_COMMANDS, *fights.response_names(rules)]


# commands that change nothing, so they may also interrupt a question
READ_ONLY = [
    REPL_COMMANDS[name]
    for name in (
        "help",
        "what",
        "odds",
        "history",
        "look",
        "log",
        "luck",
        "summary",
        "sheet",
        "seats",
        "house rules",
        "rules",
    )
]
