"""Events about one character; points and items are for those who see its sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from handful.records import record
from handful.table.events.base import All, EventBody, Presence, Told, event
from handful.table.events.values import Counts, ItemData, Values


@record()
class CharacterBody(EventBody):
    """The content of an event about one character."""

    group: ClassVar[str] = "character"
    character: str


@event("character_brought")
class CharacterBrought(CharacterBody):
    """A character joined."""

    character: Presence[str]
    owner: Presence[str]
    name: Presence[str]
    type: Presence[str]
    shown: All[str | None] = None
    sheet: All[Values | None] = None


@event("character_updated")
class CharacterUpdated(CharacterBody):
    """A character was replaced by a new version."""

    character: All[str]
    sheet: All[Values]


@event("character_renamed")
class CharacterRenamed(CharacterBody):
    """A character has another name; it keeps the id it came with."""

    character: Presence[str]
    name: Presence[str]


@event("character_pictured")
class CharacterPictured(CharacterBody):
    """A character has a new picture, by its hash; an empty one if it was removed."""

    character: Presence[str]
    picture: Presence[str]


@event("character_shown")
class CharacterShown(CharacterBody):
    """A character became more or less visible.

    `level`: how much a seat sees from now on, if that is not all; who and what it is, and its sheet, are
    for those who did not see that before.
    """

    character: str
    shown: str
    owner: Presence[Told[str | None]] = None
    name: Presence[Told[str | None]] = None
    type: Presence[Told[str | None]] = None
    sheet: All[Told[Values | None]] = None
    items: All[Told[Mapping[str, ItemData] | None]] = None
    tasks: All[Told[Mapping[str, tuple[int, ...]] | None]] = None
    level: Told[int | None] = None
    picture: Presence[Told[str | None]] = None


@event("character_dismissed")
class CharacterDismissed(CharacterBody):
    """A character was removed."""

    character: Presence[str]


@event("points_changed")
class PointsChanged(CharacterBody):
    """Points changed: by the GM, by using one (`use`), by damage (`rolls`: its sources), or by an undo."""

    character: All[str]
    changes: All[Counts]
    now: All[Counts]
    use: All[str]
    words: All[str]
    rolls: All[tuple[str, ...] | None] = None
    undone: All[bool | None] = None


@event("points_spent")
class PointsSpent(CharacterBody):
    """A roll was paid for, or its points were returned."""

    roll: All[str]
    character: All[str]
    changes: All[Counts]
    now: All[Counts]


@event("item_changed")
class ItemChanged(CharacterBody):
    """Uses of an item per round, and whether it is overheated."""

    character: All[str]
    item: All[str]
    uses: All[int]
    hot: All[bool]


@event("task_changed")
class TaskChanged(CharacterBody):
    """Failed attempts at a task; 0: open again, or done."""

    character: All[str]
    task: All[str]
    failed: All[tuple[int, ...]]
