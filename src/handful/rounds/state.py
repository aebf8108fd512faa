"""State of a round as an immutable value: places in turn order, and the actions each has used.

A hidden combatant never holds the turn, so that neither a gap nor a pause reveals it: it acts in
parallel, as soon as every visible combatant before it is done.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from handful.errors import Message, Refused
from handful.records import record, replace
from handful.rules.round_rules import INTERLEAVED, TURN

Number = int | Fraction


@record()
class Place:
    """A combatant's place in the turn order and its progress in this round."""

    who: str
    rank: tuple[Number, ...]  # initiative, then the tie-breakers; higher is earlier
    hidden: bool = False
    actions: int | None = None  # declared for this round; None: not yet
    taken: int = 0
    over: bool = False  # its turn has passed
    waiting: bool = False
    stepped: bool = False  # has acted after waiting, and may wait again
    stance: str = ""
    choice: str = ""  # what the stance helps against
    pace: str = ""
    attacked: bool = False
    prepared: int = 0  # rounds spent preparing, including this one

    @property
    def actions_left(self) -> int:
        return (self.actions or 0) - self.taken

    @property
    def is_preparing(self) -> bool:
        """True if the combatant spends this round preparing."""
        return self.prepared > 0 and self.actions == 0

    @property
    def initiative(self) -> Number:
        return self.rank[0] if self.rank else 0


@record()
class Slot:
    """One action of an interleaved round; a combatant's first action is number 0."""

    who: str
    number: int


@record()
class Rounds:
    """A round in progress; `places` are in turn order."""

    number: int = 1
    structure: str = TURN
    division: bool = False
    places: tuple[Place, ...] = ()
    turn: tuple[str, ...] = ()  # several if they share a place; empty: the round is over
    slot: int = 0  # index of the next action in an interleaved round

    def place(self, who: str) -> Place:
        """Return the place of a combatant; refused if it is not in this fight."""
        for place in self.places:
            if place.who == who:
                return place
        raise Refused(Message("fight.not_in_fight", who=who))

    def __contains__(self, who: str) -> bool:
        return any(place.who == who for place in self.places)

    @property
    def seen(self) -> tuple[Place, ...]:
        """Places of the visible combatants."""
        return tuple(place for place in self.places if not place.hidden)

    @property
    def declaring(self) -> bool:
        """True while visible combatants of an interleaved round still have to declare their actions."""
        return self.structure == INTERLEAVED and any(place.actions is None for place in self.seen)

    def with_place(self, place: Place) -> Rounds:
        """Return a copy with one place replaced."""
        places = tuple(place if current.who == place.who else current for current in self.places)
        return replace(self, places=places)

    def slots(self, *, hidden: bool = False) -> list[Slot]:
        """Return the actions of an interleaved round in order."""
        keyed = [
            (self._action_order_key(place, number), index, Slot(place.who, number))
            for index, place in enumerate(self.places)
            if hidden or not place.hidden
            for number in range(place.actions or 0)
        ]
        return [slot for _, _, slot in sorted(keyed, key=lambda entry: (entry[0], entry[1]))]

    def _action_order_key(self, place: Place, number: int) -> Number:
        """Return the sort key of an action, earliest first: its number, or the divided initiative."""
        if not self.division:
            return number
        count = place.actions or 1
        return -Fraction(max(place.initiative, 0)) * (count - number) / count

    def is_due(self, who: str) -> bool:
        """Return whether it is this combatant's turn."""
        place = self.place(who)
        if not place.hidden:
            return who in self.turn
        if self.structure == INTERLEAVED:
            return not self.declaring and self._slot_passed(place)
        before = self.places[: self.places.index(place)]
        return not any(
            not (other.hidden or other.over) and other.rank != place.rank  # equal rank: a shared place
            for other in before
        )

    def _slot_passed(self, place: Place) -> bool:
        """Return whether all visible actions before a hidden combatant's next action have been taken."""
        slots = self.slots(hidden=True)
        positions = [index for index, slot in enumerate(slots) if slot == Slot(place.who, place.taken)]
        if not positions:
            return False
        before = sum(not self.place(slot.who).hidden for slot in slots[: positions[0]])
        return self.slot >= before

    def lowest_first(self) -> Iterator[Place]:
        """Yield visible places in the order in which an interleaved round is declared."""
        yield from reversed(self.seen)
