"""Ed25519 signatures (RFC 8032) without a library: public keys and signing.

Checking a signature is the verifier's job (`verifier.py`), which shares no code with this module.
The arithmetic is not constant-time: use `cryptography` where strangers could measure it
(`store/signing.py` does so if it is installed).  Signatures are deterministic, so both give the same.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha512

SEED_BYTES = 32
_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493  # of the base point
_D = -121665 * pow(121666, -1, _P) % _P
_BASE_X = 15112221349535400772501151409588531511454012693041857206046113283949847762202
_BASE_Y = 4 * pow(5, -1, _P) % _P
_WINDOW = 4  # bits of a scalar that one table look-up handles

_Point = tuple[int, int, int, int]  # extended coordinates X, Y, Z, T: x = X/Z, y = Y/Z, xy = T/Z
_Affine = tuple[int, int, int]  # y + x, y - x, 2dxy
_IDENTITY: _Point = (0, 1, 1, 0)


class SigningKey:
    """A private key, expanded from a seed of 32 random bytes."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        digest = sha512(seed).digest()
        self._scalar = (int.from_bytes(digest[:32], "little") & (2**254 - 8)) | 2**254
        self._prefix = digest[32:]
        self.public_key = _encode(_multiply_base(self._scalar))

    def sign(self, message: bytes) -> bytes:
        nonce = _scalar(self._prefix, message)
        commitment = _encode(_multiply_base(nonce))
        challenge = _scalar(commitment, self.public_key, message)
        response = (nonce + challenge * self._scalar) % _ORDER
        return commitment + response.to_bytes(32, "little")


def _scalar(*parts: bytes) -> int:
    return int.from_bytes(sha512(b"".join(parts)).digest(), "little") % _ORDER


def _multiply_base(scalar: int) -> _Point:
    """Return a multiple of the base point: one addition per window, from a table of its multiples."""
    point, digit_mask = _IDENTITY, 2**_WINDOW - 1
    for row in _base_multiples():
        if digit := scalar & digit_mask:
            point = _add(point, row[digit - 1])
        scalar >>= _WINDOW
    return point


@cache
def _base_multiples() -> list[list[_Affine]]:
    """Return, for each window of a scalar, the multiples of the base point it can stand for."""
    rows: list[list[_Affine]] = []
    base: _Point = (_BASE_X, _BASE_Y, 1, _BASE_X * _BASE_Y % _P)
    for _ in range(256 // _WINDOW):
        step, row = _affine(base), []
        for _ in range(2**_WINDOW - 1):
            row.append(_affine(base))
            base = _add(base, step)
        rows.append(row)
    return rows


def _add(one: _Point, other: _Affine) -> _Point:
    x, y, z, t = one
    plus, minus, product = other
    a, b = (y - x) * minus % _P, (y + x) * plus % _P
    c, d = t * product % _P, z + z
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _affine(point: _Point) -> _Affine:
    x, y = _divide(point)
    return (y + x) % _P, (y - x) % _P, 2 * _D * x * y % _P


def _divide(point: _Point) -> tuple[int, int]:
    x, y, z, _ = point
    inverse = pow(z, -1, _P)
    return x * inverse % _P, y * inverse % _P


def _encode(point: _Point) -> bytes:
    x, y = _divide(point)
    return (y | (x & 1) << 255).to_bytes(32, "little")
