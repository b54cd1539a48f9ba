"""Small PNG files for the docs: exact pixels with few colours, or the nearest ones."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

from tools.moving import animated
from tools.small_png import SIGNATURE, chunk, chunks, small

MOVING = Path(__file__).parent.parent / "docs" / "pictures" / "check.png"
DARK, BLUE, RED, PINK = (10, 12, 20), (40, 90, 200), (210, 40, 30), (215, 45, 33)


def png(rows: list[list[tuple[int, int, int]]]) -> bytes:
    """A browser-like PNG, whose rows alternate between the five filters."""
    data, above = bytearray(), bytes(3 * len(rows[0]))
    for y, row in enumerate(rows):
        plain, kind = bytes(part for pixel in row for part in pixel), y % 5
        data.append(kind)
        for x, part in enumerate(plain):
            left, corner = (plain[x - 3], above[x - 3]) if x >= 3 else (0, 0)
            near = left + above[x] - corner
            paeth = min((left, above[x], corner), key=lambda one: abs(near - one))
            data.append(part - (0, left, above[x], (left + above[x]) // 2, paeth)[kind] & 255)
        above = plain
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    return (
        SIGNATURE
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(bytes(data)))
        + chunk(b"IEND", b"")
    )


def pixels(made: bytes) -> list[tuple[int, ...]]:
    """The pixels of a PNG with a palette, row by row."""
    parts = dict(chunks(made))
    width, _ = struct.unpack(">II", parts[b"IHDR"][:8])
    data, palette = zlib.decompress(parts[b"IDAT"]), parts[b"PLTE"]
    rows = [data[at + 1 : at + 1 + width] for at in range(0, len(data), width + 1)]
    return [tuple(palette[3 * place : 3 * place + 3]) for row in rows for place in row]


ROWS = [
    [DARK, BLUE, RED],
    [BLUE, DARK, DARK],
    [RED, RED, BLUE],
    [DARK, RED, BLUE],
    [BLUE, BLUE, DARK],
    [RED, DARK, BLUE],
]


def test_small_png_keeps_its_pixels() -> None:
    """Each filter works if the palette has room for every colour."""
    [made] = small([png(ROWS)], 3)
    assert [pixel for row in ROWS for pixel in row] == pixels(made)


def test_nearest_colour_is_used() -> None:
    """A rare colour becomes the most similar; pictures made together share a palette."""
    one, other = small([png(ROWS), png([[PINK, DARK, BLUE]])], 3)
    assert [RED, DARK, BLUE] == pixels(other)
    assert dict(chunks(one))[b"PLTE"] == dict(chunks(other))[b"PLTE"]


def test_moving_picture_moves() -> None:
    """Its pictures follow each other in time; the README's is below half a megabyte."""
    parts = list(chunks(animated([(png(ROWS), 1200), (png([*ROWS[1:], ROWS[0]]), 2400)])))
    assert [b"IHDR", b"acTL", b"PLTE", b"fcTL", b"IDAT", b"fcTL", b"fdAT", b"IEND"] == [
        kind for kind, _ in parts
    ]
    assert [1200, 2400] == [
        struct.unpack(">H", data[20:22])[0] for kind, data in parts if kind == b"fcTL"
    ]
    shown = MOVING.read_bytes()
    assert len(shown) < 512 * 1024
    assert sum(kind == b"fcTL" for kind, _ in chunks(shown)) >= 8
