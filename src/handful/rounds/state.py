"""A round as a value: places in the order, and what each of them has done with its actions.

Whoever is hidden never holds the turn, so that neither a gap nor a pause tells of them: they act
beside the others, from the moment when everybody seen before them is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from handful.errors import Refused
from handful.records import record, replace
from handful.rules.round_rules import INTERLEAVED, TURN

Number = int | Fraction


@record()
class Place:
    """Somebody's place in the order, and how their round goes."""

    who: str
    rank: tuple[Number, ...]  # initiative, then the tie-breakers; higher is earlier
    hidden: bool = False
    actions: int | None = None  # fixed for this round; None: not yet
    taken: int = 0
    over: bool = False  # the own turn has passed
    waiting: bool = False
    stepped: bool = False  # has stepped in after waiting, and may wait again
    stance: str = ""
    choice: str = ""  # what the stance helps against
    pace: str = ""
    attacked: bool = False
    prepared: int = 0  # rounds of preparing, this one included

    @property
    def left(self) -> int:
        return (self.actions or 0) - self.taken

    @property
    def is_preparing(self) -> bool:
        """Whether this round is for nothing but preparing."""
        return self.prepared > 0 and self.actions == 0

    @property
    def initiative(self) -> Number:
        return self.rank[0] if self.rank else 0


@record()
class Slot:
    """One action's place in an interleaved round: the first of somebody is number 0."""

    who: str
    number: int


@record()
class Rounds:
    """A round that is played; `places` are in order."""

    number: int = 1
    structure: str = TURN
    division: bool = False
    places: tuple[Place, ...] = ()
    turn: tuple[str, ...] = ()  # whose turn it is; several share a place; none: the round is over
    slot: int = 0  # how far an interleaved round has come

    def place(self, who: str) -> Place:
        for one in self.places:
            if one.who == who:
                return one
        raise Refused(f"{who} is not in this fight")

    def __contains__(self, who: str) -> bool:
        return any(one.who == who for one in self.places)

    @property
    def seen(self) -> tuple[Place, ...]:
        return tuple(one for one in self.places if not one.hidden)

    @property
    def declaring(self) -> bool:
        """Whether an interleaved round is still being declared, by those who are seen."""
        return self.structure == INTERLEAVED and any(one.actions is None for one in self.seen)

    def with_place(self, place: Place) -> Rounds:
        """The same with one place changed."""
        places = tuple(place if one.who == place.who else one for one in self.places)
        return replace(self, places=places)

    def slots(self, *, hidden: bool = False) -> list[Slot]:
        """The actions of an interleaved round in their order."""
        made = [
            (self._moment(place, number), at, Slot(place.who, number))
            for at, place in enumerate(self.places)
            if hidden or not place.hidden
            for number in range(place.actions or 0)
        ]
        return [slot for _, _, slot in sorted(made, key=lambda one: (one[0], one[1]))]

    def _moment(self, place: Place, number: int) -> Number:
        """When an action comes, earliest first: its number, or by divided initiative."""
        if not self.division:
            return number
        count = place.actions or 1
        return -Fraction(max(place.initiative, 0)) * (count - number) / count

    def is_due(self, who: str) -> bool:
        """Whether somebody's own turn has come."""
        place = self.place(who)
        if not place.hidden:
            return who in self.turn
        if self.structure == INTERLEAVED:
            return not self.declaring and self._slot_passed(place)
        before = self.places[: self.places.index(place)]
        return not any(
            not (one.hidden or one.over) and one.rank != place.rank  # equal: they share a place
            for one in before
        )

    def _slot_passed(self, place: Place) -> bool:
        """Whether everybody seen has taken what comes before the next action of a hidden one."""
        every = self.slots(hidden=True)
        own = [at for at, slot in enumerate(every) if slot == Slot(place.who, place.taken)]
        if not own:
            return False
        before = sum(not self.place(slot.who).hidden for slot in every[: own[0]])
        return self.slot >= before

    def lowest_first(self) -> Iterator[Place]:
        """Who declares in an interleaved round, in that order."""
        yield from reversed(self.seen)
