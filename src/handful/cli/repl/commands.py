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
    house_rules,
    log_commands,
    requests,
    rolls,
    rulings,
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
ASKING, FIGHT, BACK = "requests and contests", "fights", "looking"
TOPICS = (ROLLS, PEOPLE, ASKING, GM, FIGHT, BACK)

REPL_COMMANDS: Mapping[str, ReplCommand] = {
    "roll": ReplCommand(
        ROLLS,
        "roll CHECK name=value ... [as NAME] [against NAME]",
        "roll a check; the name of the check alone asks for its parameters. The word roll may be left out",
        "roll {check} mode=private",
        checks.roll,
        ("r",),
    ),
    "again": ReplCommand(
        ROLLS,
        "again [name=value ...]",
        "roll the last check once more, perhaps with changes; name=value alone changes it and shows the odds",
        "again {change}",
        checks.again,
    ),
    "dice": ReplCommand(
        ROLLS,
        "dice [CHECK name=value ...]",
        "roll with your own dice: you type what they show",
        "dice {check}",
        checks.dice,
        ("d",),
    ),
    "declare": ReplCommand(
        ROLLS,
        "declare CHECK name=value ... (as roll)",
        "say what is rolled, and throw later",
        "declare {check}",
        rolls.declare,
    ),
    "throw": ReplCommand(
        ROLLS,
        "throw [ROLL] [FACES]",
        "throw what is declared; with faces: what your own dice show",
        "throw {roll}",
        rolls.throw,
        ("t",),
    ),
    "answer": ReplCommand(
        ROLLS,
        "answer [ROLL] ANSWER [WORDS]",
        "decide: dice by number, an option by word or number; the answer alone will do",
        "answer {roll} 1",
        rolls.answer,
    ),
    "finalise": ReplCommand(
        ROLLS,
        "finalise [ROLL]",
        "nothing more is decided; in a fight the GM's word",
        "finalise {roll}",
        rolls.finalise,
        ("finalize", "done"),
    ),
    "undo": ReplCommand(
        ROLLS,
        "undo [ROLL] | undo move [NAME] | undo points [NAME]",
        "take back the last decision, move or change of points, if no dice followed",
        "undo",
        rolls.undo,
    ),
    "cancel": ReplCommand(
        ROLLS, "cancel [ROLL]", "a roll that is not thrown is not made", "cancel {roll}", rolls.cancel
    ),
    "look": ReplCommand(
        ROLLS,
        "look [ROLL]",
        "a roll in full: where it comes from, dice, decisions",
        "look {roll}",
        rulings.show_full_roll,
    ),
    "odds": ReplCommand(
        ROLLS,
        "odds [ROLL] | odds CHECK name=value ...",
        "the exact odds of a roll from here, or of a check",
        "odds {check}",
        rulings.odds,
    ),
    "reveal": ReplCommand(
        ROLLS,
        "reveal [ROLL] [to NAME,NAME] | reveal target [ROLL]",
        "others see a roll; the GM also shows its hidden target",
        "reveal {roll} to {player}",
        rulings.reveal,
    ),
    # people
    "seats": ReplCommand(PEOPLE, "seats", "who is here", "seats", characters.seats),
    "seat": ReplCommand(
        PEOPLE,
        "seat NAME | seat NAME player|gm|watcher",
        "pass the screen to a seat; with a role: the GM gives a new seat",
        "seat ann player",
        characters.seat,
    ),
    "leave": ReplCommand(
        PEOPLE,
        "leave [NAME]",
        "somebody goes home; the GM may seat them again",
        "leave {player}",
        characters.leave,
    ),
    "bring": ReplCommand(
        PEOPLE,
        "bring FILE|NAME [for SEAT] [shown=open|own|hidden]",
        "bring a character: a file, or one that came with the game",
        "bring {character}",
        characters.bring,
    ),
    "sheet": ReplCommand(PEOPLE, "sheet [NAME]", "a whole character", "sheet {character}", characters.sheet),
    "as": ReplCommand(
        PEOPLE,
        "as NAME | as nobody",
        "who makes your checks from now on; who is not here yet is brought",
        "as {character}",
        characters.choose_character,
    ),
    "show": ReplCommand(
        PEOPLE,
        "show NAME open|own|hidden",
        "how much the others see of a character",
        "show {character} open",
        characters.show,
    ),
    "dismiss": ReplCommand(
        PEOPLE, "dismiss NAME", "a character goes", "dismiss {character}", characters.dismiss
    ),
    "use": ReplCommand(
        PEOPLE,
        "use [NAME] POINT USE",
        "what a point buys without a roll",
        "use {character} {use}",
        characters.use,
    ),
    # requests
    "propose": ReplCommand(
        ASKING,
        "propose [REQUEST] name=value ... [as NAME]",
        "how you want to make a check that you were asked for",
        "propose {param}",
        requests.propose,
    ),
    "call": ReplCommand(
        ASKING,
        "call CHECK name=value ... [title=...] | call off [CONTEST]",
        "doubt what was said; the GM settles it. call off: a contest does not happen",
        "call {check} title='is it true?'",
        requests.call,
    ),
    "request": ReplCommand(
        ASKING,
        "request NAME,NAME|all CHECK name=value ... [hidden=target] [mode=...]",
        "GM: ask players for a check",
        "request {player} {check} title='over the wall'",
        requests.request,
        ("ask",),
    ),
    "accept": ReplCommand(
        ASKING,
        "accept [NAME] [REQUEST] [name=value ...] [off=1,2] [spends=nothing]",
        "GM: a proposal is fine, the roll is declared",
        "accept {player}",
        requests.accept,
    ),
    "refuse": ReplCommand(
        ASKING,
        "refuse NAME [WORDS]",
        "GM: a proposal is not",
        "refuse {player} not from up there",
        requests.refuse,
    ),
    "withdraw": ReplCommand(
        ASKING, "withdraw [REQUEST]", "a request or call is taken back", "withdraw", requests.withdraw
    ),
    "contest": ReplCommand(
        ASKING,
        "contest CHECK ROLL ROLL ... [name=value] [mode=...]",
        "GM: compare rolls that are over; a seat means its last roll",
        "contest {comparing} ann bob",
        requests.contest,
    ),
    "challenge": ReplCommand(
        ASKING,
        "challenge CHECK SIDE SIDE ... [together=no]",
        "GM: sides before they throw: declared rolls, or seats that were asked",
        "challenge {comparing} ann bob",
        requests.challenge,
    ),
    "settle": ReplCommand(
        ASKING,
        "settle [REQUEST] [against ROLL CHECK | contest=ROLL]",
        "GM: what a call has found; alone: there was nothing to find",
        "settle against lie {comparing}",
        requests.settle,
    ),
    # GM
    "judge": ReplCommand(
        GM,
        "judge [ROLL] [grade=...] WORDS",
        "what a result means",
        "judge {roll} you are in, but somebody coughs",
        rulings.judge,
    ),
    "correct": ReplCommand(
        GM,
        "correct [ROLL] name=value ... [throw=0 faces=1,2,3] [words=...]",
        "the same dice, counted anew; or faces that were typed wrongly",
        "correct {roll} {change}",
        rulings.correct,
    ),
    "switch": ReplCommand(
        GM,
        "switch [ROLL] LINE on|off",
        "a line of a roll counts, or does not",
        "switch {roll} {line} off",
        rulings.switch,
    ),
    "line": ReplCommand(
        GM,
        "line [ROLL] PARAMETER=VALUE [NOTE]",
        "one more line for a roll",
        "line {roll} {param} a low branch",
        rulings.line,
    ),
    "adjust": ReplCommand(
        GM,
        "adjust NAME POINTS=-2 ... [WORDS]",
        "points up or down",
        "adjust {character} {points} a fall",
        characters.adjust,
    ),
    "harm": ReplCommand(
        GM,
        "harm NAME DAMAGE [resist=...] [WORDS]",
        "damage less what resists it; numbers, or rolls",
        "harm {character} {harm} a fall",
        characters.harm,
    ),
    "equip": ReplCommand(
        GM,
        "equip NAME ITEM [uses=2] [hot=no]",
        "how often an item is used in a round, and whether it is out of use",
        "equip {character} pistol uses=2",
        characters.equip,
    ),
    "forget": ReplCommand(
        GM,
        "forget NAME TASK",
        "failed tries do not count any more",
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
        "by which rules the table is played, or other ones: a game or a file; with "
        "dismiss those go who do not fit them",
        "rules {other}",
        house_rules.rules,
    ),
    "visibility": ReplCommand(
        GM,
        "visibility MODE",
        "no roll is less strict than this from now on",
        "visibility private",
        rulings.visibility,
    ),
    # fights
    "fight": ReplCommand(
        FIGHT,
        "fight [in order] NAME ... | fight",
        "GM: begin one; wolf:12 has no sheet, but initiative 12, wolf! is hidden, and "
        "corvin:first=1 has a mark. Alone: look at it",
        "fight in order {character} wolf",
        fights.fight,
    ),
    "join": ReplCommand(
        FIGHT, "join NAME [behind NAME]", "GM: somebody comes later", "join wolf:12", fights.join
    ),
    "out": ReplCommand(FIGHT, "out NAME", "GM: somebody is gone", "out wolf", fights.out),
    "uncover": ReplCommand(
        FIGHT, "uncover NAME", "GM: somebody hidden is seen", "uncover wolf", fights.uncover
    ),
    "next": ReplCommand(FIGHT, "next", "GM: the next round", "next", fights.next_round, ("next round",)),
    "fix": ReplCommand(FIGHT, "fix NUMBER [as NAME]", "how many actions this round", "fix 2", fights.fix),
    "act": ReplCommand(
        FIGHT, "act [WORDS] [as NAME]", "an action without a roll", "act draws a pistol", fights.act
    ),
    "wait": ReplCommand(
        FIGHT, "wait [NAME]", "the turn passes, an action may come later", "wait", fights.wait
    ),
    "interrupt": ReplCommand(
        FIGHT,
        "interrupt [ROLL] [WORDS | with CHECK name=value ...] [as NAME]",
        "after waiting: step in before the result of a roll is told",
        "interrupt {roll} with {check} as {character}",
        fights.interrupt,
    ),
    "react": ReplCommand(
        FIGHT,
        "react [WORDS] [as NAME] [actions=2]",
        "an action for what others do; before the own turn by the GM",
        "react ducks behind the crates",
        fights.react,
    ),
    "respond": ReplCommand(
        FIGHT,
        "respond [ANSWER] [ROLL] [as NAME]",
        "the game's own answer to a roll against you; its name is a word, too",
        "respond {answer} {roll}",
        fights.respond,
    ),
    "take hit": ReplCommand(
        FIGHT,
        "take hit [ROLL] [as NAME]",
        "let a hit stand that you could answer",
        "take hit {roll}",
        fights.take_hit,
    ),
    "grant": ReplCommand(
        FIGHT,
        "grant NAME reaction | grant NAME free action",
        "GM: somebody may react before their turn, or make one check that costs no action",
        "grant {character} free action",
        fights.grant,
    ),
    "stance": ReplCommand(
        FIGHT,
        "stance STANCE [CHOICE] [as NAME]",
        "something for the whole round",
        "stance {stance}",
        fights.stance,
    ),
    "prepare": ReplCommand(
        FIGHT, "prepare [NAME]", "nothing but preparing, all round", "prepare", fights.prepare
    ),
    "pace": ReplCommand(FIGHT, "pace PACE [as NAME]", "move at a pace", "pace {pace}", fights.pace),
    "end": ReplCommand(
        FIGHT,
        "end [NAME] | end fight",
        "pass the turn on; end fight is the GM's",
        "end",
        fights.end,
        ("end turn",),
    ),
    # back
    "what": ReplCommand(
        BACK,
        "what",
        "what is open, and what you may do now; Enter alone does the same",
        "what",
        what,
    ),
    "help": ReplCommand(
        BACK,
        "help [WORD | PART | CHECK]",
        "all words; or one with an example, or a check",
        "help roll",
        help_,
        ("?",),
    ),
    "log": ReplCommand(BACK, "log [NUMBER]", "what you were told, in sentences", "log 50", log_commands.log),
    "history": ReplCommand(
        BACK, "history [ROLL]", "the rolls so far; with a roll: all of it", "history", log_commands.history
    ),
    "back": ReplCommand(
        BACK,
        "back",
        "one step back: a question, the check at hand, the game of a table in memory",
        "back",
        back,
    ),
    "luck": ReplCommand(
        BACK, "luck", "how the dice fell against what was to be expected", "luck", log_commands.luck
    ),
    "export": ReplCommand(
        BACK, "export [FILE]", "your own log, for handful verify", "export {game}.log", log_commands.export
    ),
    "verify": ReplCommand(
        BACK, "verify [FILE]", "whether your log is sound, or one in a file", "verify", log_commands.verify
    ),
    "quit": ReplCommand(
        BACK, "quit", "leave; a table in a file is kept, one in memory is not", "quit", quit_, ("q", "exit")
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
            summary = f"answer a roll against you ({answer})"
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
        "sheet",
        "seats",
        "house rules",
        "rules",
    )
]
