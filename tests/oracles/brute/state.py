"""Running state of a check: frames of called rules, dice thrown so far, what is asked for.

A state runs until it needs a throw or a decision, or has an outcome. A fork copies the variables
of each frame; values are shared, because none of them ever changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .functions import lowest
from .values import Die, Landed, OracleError, Pool, whole

Step = Callable[["State"], None]
Reply = tuple[int, ...] | str
NO_DICE = Pool()
MOST_STEPS = 100_000  # between two pauses: more are a loop without end
KEEPS: dict[str, Callable[[int, int], int]] = {
    "better": max,
    "worse": min,
    "new": lambda _, new: new,
}


@dataclass(frozen=True)
class Throw:
    """Dice to throw; `of` has the number of the die that each belongs to, if any.

    `goes_on` is `more`, `again` or `add` where a reading of `limit` brings a further toss, and
    `landed` holds the dice of the waves before. `old` are the dice of a reroll.
    """

    die: Die
    of: tuple[int | None, ...]
    goes_on: str = ""
    limit: int = 0
    landed: Pool = NO_DICE
    old: Pool = NO_DICE
    keep: str = "better"


@dataclass(frozen=True)
class Choose:
    """Dice to pick: at most so many of a pool."""

    decision: str
    pool: Pool
    at_most: int
    usual: Pool


@dataclass(frozen=True)
class Ask:
    """An option to pick."""

    decision: str
    options: tuple[str, ...]
    usual: str
    never: str


@dataclass
class Frame:
    """A rule that runs: its steps, the next one, its variables, and where its result goes."""

    steps: Sequence[Step]
    variables: dict[str, Any]
    into: str = ""
    at: int = 0

    def copy(self) -> Frame:
        return Frame(self.steps, dict(self.variables), self.into, self.at)


@dataclass
class State:
    """A check at some moment."""

    frames: list[Frame]
    events: frozenset[str] = frozenset()
    tosses: int = 0
    side: int = 0
    wanted: Throw | Choose | Ask | None = None
    into: str = ""  # the variable that the reply goes to
    outcome: Mapping[str, Any] | None = None

    @property
    def variables(self) -> dict[str, Any]:
        return self.frames[-1].variables

    def copy(self) -> State:
        return replace(self, frames=[frame.copy() for frame in self.frames])

    def run(self) -> State:
        """Go on to the next pause or to the end."""
        for _ in range(MOST_STEPS):
            if self.wanted is not None or self.outcome is not None:
                return self
            frame = self.frames[-1]
            if frame.at >= len(frame.steps):
                raise OracleError("a rule ends without a result")
            frame.at += 1
            frame.steps[frame.at - 1](self)
        raise OracleError("a loop of this rule never ends")

    def after(self, reply: Reply) -> State:
        """Return the state at the next pause after a reply."""
        state = self.copy()
        wanted, state.wanted = state.wanted, None
        if isinstance(wanted, Throw):
            _land(state, wanted, reply)
        elif isinstance(wanted, Choose):
            state.variables[state.into] = _picked(wanted, reply)
        elif isinstance(wanted, Ask):
            if reply not in wanted.options:
                raise OracleError(f"{reply!r} is none of {wanted.options}")
            state.variables[state.into] = reply
        else:
            raise OracleError("nothing is asked for")
        return state.run()


def _picked(wanted: Choose, reply: Reply) -> Pool:
    dice = {landed.number: landed for landed in wanted.pool}
    if isinstance(reply, str) or len(reply) > wanted.at_most or len(set(reply)) < len(reply):
        raise OracleError(f"at most {wanted.at_most} dice may be picked, not {reply!r}")
    if not set(reply) <= set(dice):
        raise OracleError(f"{reply} are not all of {sorted(dice)}")
    return Pool(dice[number] for number in reply)


# -- throwing


def _land(state: State, throw: Throw, faces: Reply) -> None:
    sides = len(throw.die)
    if isinstance(faces, str) or len(faces) != len(throw.of):
        raise OracleError(f"{len(throw.of)} faces are needed, not {faces!r}")
    if not all(1 <= face <= sides for face in faces):
        raise OracleError(f"a face of {faces} is not from 1 to {sides}")
    first = state.tosses + 1
    state.tosses += len(faces)
    new = Pool(Landed(first + i, throw.die[face - 1]) for i, face in enumerate(faces))
    if throw.old:
        kept = KEEPS[throw.keep]
        pairs = zip(throw.old, new, strict=True)
        state.variables[state.into] = Pool(
            Landed(old.number, kept(old.reading, toss.reading)) for old, toss in pairs
        )
    elif throw.goes_on:
        _go_on(state, throw, new)
    else:
        state.variables[state.into] = new


def _go_on(state: State, throw: Throw, new: Pool) -> None:
    """Ask for the next wave, or give the pool of all of them."""
    if throw.landed:
        roots = [of or 0 for of in throw.of]
    else:
        roots = [toss.number for toss in new]
    if throw.goes_on == "add":
        landed = _added(throw.landed, roots, new)
    else:
        landed = Pool((*throw.landed, *new))
    further = [
        toss.number if throw.goes_on == "more" else root
        for root, toss in zip(roots, new, strict=True)
        if toss.reading >= throw.limit
    ]
    if further:
        state.wanted = replace(throw, of=tuple(further), landed=landed)
    else:
        state.variables[state.into] = landed


def _added(landed: Pool, roots: Sequence[int], new: Pool) -> Pool:
    """Add each toss to the die that it belongs to."""
    sums = dict(landed)
    for root, toss in zip(roots, new, strict=True):
        sums[root] = sums.get(root, 0) + toss.reading
    return Pool(Landed(number, reading) for number, reading in sums.items())


def throw(state: State, into: str, *, count: Any, die: Die, waves: Mapping[str, Any]) -> None:
    """Ask for a throw of so many dice, or of one for each die of a pool."""
    if isinstance(count, Pool):
        of: tuple[int | None, ...] = tuple(landed.number for landed in count)
    elif whole(count) < 0:
        raise OracleError(f"{count} dice cannot be thrown")
    else:
        of = (None,) * whole(count)
    goes_on, limit = next(iter(waves.items()), ("", 0))
    if goes_on == "add" and len({reading for reading in die if reading >= limit}) > 1:
        raise OracleError("only the highest reading of a die can add on")
    if goes_on and min(die) >= limit:
        raise OracleError("these dice are thrown again for ever")
    state.variables[into] = Pool()
    if of:
        state.wanted, state.into = Throw(die, of, goes_on, whole(limit)), into


def reroll(state: State, into: str, *, pool: Pool, die: Die, keep: str) -> None:
    """Ask for a throw of each die of a pool again."""
    state.variables[into] = Pool()
    if pool:
        of = tuple(landed.number for landed in pool)
        state.wanted, state.into = Throw(die, of, old=pool, keep=keep), into


# -- deciding


def choose(state: State, into: str, *, decision: str, pool: Pool, at_most: Any, usual: Any) -> None:
    """Ask for dice of a pool; there is no question where there is nothing to pick."""
    most = min(whole(at_most), len(pool))
    state.variables[into] = Pool()
    if most > 0:
        picks = lowest(pool, most) if usual is None else usual
        state.wanted, state.into = Choose(decision, pool, most, picks), into


def ask(state: State, into: str, *, decision: str, options: Any, usual: Any, never: Any) -> None:
    """Ask for one of several options; there is no question where there is one."""
    state.variables[into] = options[0]
    if len(set(options)) > 1:
        usual = options[0] if usual is None else usual
        never = usual if never is None else never
        state.wanted, state.into = Ask(decision, options, usual, never), into


# -- calls


def call(state: State, into: str, *, steps: Sequence[Step], variables: dict[str, Any]) -> None:
    """Run another rule."""
    state.frames.append(Frame(steps, variables, into))


def end(state: State, fields: Mapping[str, Any]) -> None:
    """End a rule with its result."""
    frame = state.frames.pop()
    if state.frames:
        state.variables[frame.into] = fields
    else:
        state.outcome = fields
