"""Small pictures of people and characters: whatever is uploaded is decoded and drawn anew.

Nothing of an uploaded file is kept: not its format, not its size, not its metadata.  The size that a
file claims is checked before it is decoded, so a small file cannot ask for much memory.
"""

from __future__ import annotations

import warnings
from hashlib import sha256
from io import BytesIO
from typing import Any

from handful.errors import Message
from handful.web.faults import Fault

SIDE = 128  # pixels
MAX_PIXELS = 40_000_000  # of an uploaded picture
FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
MEDIA_TYPE = "image/png"


def redraw(data: bytes) -> tuple[str, bytes]:
    """Return an uploaded picture as a small square PNG, with its hash; refuse what is no picture."""
    from PIL import Image, ImageOps  # slow to import, and needed here alone

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(data), formats=FORMATS) as opened:
                if opened.width * opened.height > MAX_PIXELS:
                    raise _refused()
                opened.draft("RGB", (2 * SIDE, 2 * SIDE))
                turned: Any = ImageOps.exif_transpose(opened)
                square = ImageOps.fit(turned.convert("RGBA"), (SIDE, SIDE), Image.Resampling.LANCZOS)
    except Fault:
        raise
    except Exception:  # a decoder of foreign bytes may fail in any way
        raise _refused() from None
    page = Image.new("RGB", (SIDE, SIDE), "white")
    page.paste(square, mask=square.getchannel("A"))
    out = BytesIO()
    page.quantize(128).save(out, "PNG", optimize=True)
    return sha256(out.getvalue()).hexdigest(), out.getvalue()


def _refused() -> Fault:
    return Fault(422, "bad", Message("server.not_a_picture"), Message("server.picture_formats"))
