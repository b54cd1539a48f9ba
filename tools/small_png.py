"""Small PNG for the docs: a picture of a page has few colours that matter."""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from math import dist

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a PNG: kind and data."""
    at = len(SIGNATURE)
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += length + 12


def small(pictures: Sequence[bytes], colours: int) -> list[bytes]:
    """Pictures with this many colours: the most frequent ones; others become the nearest.

    All have the same palette of at most 256, as a moving picture needs.
    """
    read = [_rows(png) for png in pictures]
    counted = Counter(pixel for _, rows in read for row in rows for pixel in row)
    palette = [pixel for pixel, _ in counted.most_common(colours)]
    places = {pixel: place for place, pixel in enumerate(palette)}
    for pixel in counted:
        if pixel not in places:
            away = [dist(pixel, one) for one in palette]
            places[pixel] = away.index(min(away))
    listed = chunk(b"PLTE", b"".join(map(bytes, palette)))
    made = list[bytes]()
    for width, rows in read:
        head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), 8, 3, 0, 0, 0))
        lines = (b"\0" + bytes(map(places.__getitem__, row)) for row in rows)
        data = zlib.compress(b"".join(lines), 9)
        made.append(SIGNATURE + head + listed + chunk(b"IDAT", data) + chunk(b"IEND", b""))
    return made


def _rows(png: bytes) -> tuple[int, list[list[tuple[int, ...]]]]:
    """The width of a browser's PNG, and its pixels, row by row. Source: PNG, 9.2, filters."""
    parts = list(chunks(png))
    width, height, depth, kind, *_ = struct.unpack(">IIBBBBB", dict(parts)[b"IHDR"])
    assert (depth, kind) in ((8, 2), (8, 6)), (
        "only 8 bits of red, green and blue, with or without opacity"
    )
    size = 3 if kind == 2 else 4
    stream = zlib.decompress(b"".join(data for name, data in parts if name == b"IDAT"))
    length, above, rows = width * size, bytearray(width * size), list[list[tuple[int, ...]]]()
    for y in range(height):
        start = y * (length + 1)
        row = bytearray(stream[start + 1 : start + 1 + length])
        _unfilter(stream[start], row, above, size)
        rows.append([tuple(row[x : x + 3]) for x in range(0, length, size)])
        above = row
    return width, rows


def _unfilter(filtered: int, row: bytearray, above: bytearray, size: int) -> None:
    """Undo the filter of a row in place."""
    for x in range(len(row)) if filtered else ():
        left, up = row[x - size] if x >= size else 0, above[x]
        if filtered == 1:
            guess = left
        elif filtered == 2:
            guess = up
        elif filtered == 3:
            guess = (left + up) // 2
        else:
            corner = above[x - size] if x >= size else 0
            near = left + up - corner
            guess = min((left, up, corner), key=lambda one: abs(near - one))
        row[x] = (row[x] + guess) & 255
