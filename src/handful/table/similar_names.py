"""Names that people cannot tell apart on a screen: case, width, look-alike letters, invisible marks.

Names are compared by keys: two names are similar if any of their keys are equal.  The letters are
those of the Latin, Cyrillic and Greek alphabets, and digits; accents keep names apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import normalize


def similar_name(name: str, others: Iterable[str]) -> str | None:
    """Return the first of the other names that looks like this one; None if there is none."""
    keys = _keys(name)
    return next((other for other in others if any(map(str.__eq__, keys, _keys(other)))), None)


def is_invisible(name: str) -> bool:
    """Return True if a name shows nothing on a screen."""
    return not normalize("NFKC", name).translate(_INVISIBLE).strip()


def _keys(name: str) -> tuple[str, str, str]:
    """Return a name without case, without case and look-alikes, and without look-alikes only.

    The last one is needed for letters that look alike in one case: a capital I and a small L.
    """
    visible = normalize("NFKC", normalize("NFKC", name).translate(_INVISIBLE))
    letters = visible.translate(_LOOK_ALIKES)
    return (
        normalize("NFKC", visible.casefold()),
        _join_strokes(normalize("NFKC", letters.casefold())),
        _join_strokes(letters.translate(_CAPITAL_I)),
    )


def _join_strokes(text: str) -> str:
    """Replace pairs of letters that look like a single one."""
    return text.replace("rn", "m").replace("vv", "w")


def _table(*rows: tuple[str, str]) -> dict[int, str]:
    return {ord(one): other for letters, alike in rows for one, other in zip(letters, alike, strict=True)}


_LOOK_ALIKES = _table(
    # Cyrillic
    ("АВЕЗКМНОРСТУХЅІЈҺӀԚԜѴЬЁЇ", "ABE3KMHOPCTYXSIJhIQWVbËÏ"),
    ("авезкмнорстухѕіјһӏԛԝѵьёїгԁб", "abe3kmhopctyxsijhlqwvbëïrd6"),
    # Greek; the last four look like Cyrillic letters
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹΓΠΦΛ", "ABEZHIKMNOPTYXCГПФЛ"),
    ("αβεγηικνορστυχωϲ", "aßeynikvopotuxwc"),
    # Latin letters beyond the alphabet: dotless, script and small capitals
    ("ıɩɑɡǀ", "iiagl"),
    ("ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdeghijklmnoprstuvwyz"),
    # digits and punctuation
    ("01|", "oll"),
    ("’‘ʼ`´′", "''''''"),
    ("‐‑–—−", "-----"),
)
_CAPITAL_I = _table(("I", "l"), ("O", "o"))
_INVISIBLE: dict[int, None] = dict.fromkeys(
    [0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0xFE00, 0xFE10)]
)
