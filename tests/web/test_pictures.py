"""Uploaded pictures: drawn anew, for those who know of them, kept by browsers, deleted with the table."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zlib import compress, crc32

import pytest
from PIL import Image
from servers import Seat, ServerThread, request

from handful.store import SQLiteStore
from handful.web.faults import Fault
from handful.web.pictures import SIDE, redraw


def drawn(size: tuple[int, int] = (400, 200), kind: str = "PNG", colour: str = "red") -> bytes:
    out = BytesIO()
    Image.new("RGB", size, colour).save(out, kind)
    return out.getvalue()


def bomb() -> bytes:
    """A PNG of a few hundred bytes that claims 100,000 × 100,000 pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + kind + data + crc32(kind + data).to_bytes(4, "big")

    size = (100_000).to_bytes(4, "big")
    head = chunk(b"IHDR", size + size + bytes([8, 2, 0, 0, 0]))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", compress(bytes(1000))) + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_every_picture_becomes_a_small_square(kind: str) -> None:
    hash, data = redraw(drawn(kind=kind))
    with Image.open(BytesIO(data)) as made:
        assert (made.format, made.size) == ("PNG", (SIDE, SIDE))
    assert redraw(drawn(kind=kind)) == (hash, data)


def test_nothing_of_the_file_is_kept() -> None:
    out = BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "where I live"
    Image.new("RGB", (64, 64), "blue").save(out, "JPEG", exif=exif, comment=b"secret words")
    _, data = redraw(out.getvalue() + b"trailing secret")
    assert not [one for one in (b"where I live", b"secret", b"Exif") if one in data]


@pytest.mark.parametrize(
    "data",
    [b"", b"hello", b"<svg xmlns='http://www.w3.org/2000/svg'/>", drawn()[:60], bomb(), drawn(kind="BMP")],
    ids=["nothing", "text", "svg", "cut", "bomb", "bmp"],
)
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(Fault):
        redraw(data)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerThread]:
    with ServerThread(tmp_path / "tables.db") as running:
        yield running


def upload(seat: Seat, data: bytes) -> str:
    headers = seat.cookie | {"Content-Type": "image/png"}
    answer = request("POST", f"{seat.at.url}{seat.path}/pictures", content=data, headers=headers)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["picture"])


def test_pictures_are_for_those_who_know_of_them(server: ServerThread, tmp_path: Path) -> None:
    seats = server.open(players=["ann", "bob"], demo=True)
    face, foe = upload(seats["ann"], drawn()), upload(seats["gm"], drawn(colour="blue"))
    assert seats["bob"].ask("GET", f"/pictures/{face}").status_code == 404, "nobody has it yet"
    assert seats["ann"].do("picture", picture=face).status_code == 200
    got = seats["bob"].ask("GET", f"/pictures/{face}")
    assert got.status_code == 200
    assert got.headers["content-type"] == "image/png"
    assert got.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert got.headers["x-content-type-options"] == "nosniff"
    assert "content-security-policy" in got.headers
    npc = next(one for one in seats["gm"].get("/view")["characters"] if one["kind"] == "npc")["character"]
    seats["gm"].do("show", character=npc, shown="hidden")
    seats["gm"].do("portrait", character=npc, picture=foe)
    assert seats["gm"].ask("GET", f"/pictures/{foe}").status_code == 200
    assert seats["bob"].ask("GET", f"/pictures/{foe}").status_code == 404
    seats["gm"].do("show", character=npc, shown="own")
    assert seats["bob"].ask("GET", f"/pictures/{foe}").status_code == 200
    other = server.open(players=["ann"])
    assert other["ann"].ask("GET", f"/pictures/{face}").status_code == 404
    table = seats["ann"].place.partition("~")[0]
    store = SQLiteStore(str(tmp_path / "tables.db"))
    assert store.count_pictures(table) == 2
    store.delete_table(table)
    assert store.count_pictures(table) == 0
    store.close()


def test_bad_uploads_are_refused_over_http(server: ServerThread) -> None:
    seats = server.open(players=["ann"])
    for data, status in ((b"hello", 422), (bomb(), 422), (bytes(5 << 20), 413)):
        path = f"{server.url}{seats['ann'].path}/pictures"
        answer = request("POST", path, content=data, headers=seats["ann"].cookie)
        assert (answer.status_code, "error" in answer.json()) == (status, True)
    assert seats["ann"].ask("GET", "/pictures/nonsense").status_code == 422
