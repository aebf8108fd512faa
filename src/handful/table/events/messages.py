"""Events about what people say and write: messages, and the texts that a table shares."""

from __future__ import annotations

from handful.table.events.base import EventBody, event


@event("message_sent", group="message")
class MessageSent(EventBody):
    """A message.  `to`: the seats it was whispered to; without it everyone hears it."""

    message: str
    text: str
    to: tuple[str, ...] | None = None


@event("scratchpad_changed", group="scratchpad")
class ScratchpadChanged(EventBody):
    """A new text of the scratchpad, or of the notes that only GMs see (`for_gms`)."""

    text: str
    for_gms: bool | None = None
