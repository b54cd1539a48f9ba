"""Hostile pictures: a sentence for each, only pixels of those that are kept, and a live server.

Planted and found: a decoder that reads GIFs, one that keeps the comment of a JPEG, and one that
keeps the end of the file.
"""

from __future__ import annotations

import io
import random
import struct
import time
import zlib
from base64 import b64encode
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from PIL import Image, PngImagePlugin

from tools.torture.garbage import TRACE
from tools.torture.harness import Harness, Run
from tools.torture.serve import Answer, Caller, Gone, Party, opened, serving

MOST_AT_ONCE, TABLE_HOLDS = 6, 150
"""How many pictures are sent at once, and after how many tries there is another table."""
MOST_SECONDS, MOST_BYTES = 45.0, 200_000
"""The bounds on an answer, even on a busy machine, and on a stored portrait."""
EDGE = 256
STORED, KIND, LARGE, MOVING, BROKEN = (
    *("It is stored.", "That is not a picture in JPEG, PNG or WebP."),
    *("The picture has too many pixels or bytes.", "The picture moves."),
    "The picture is damaged, or too much to decode.",
)
UNFIT = frozenset({KIND, LARGE, MOVING, BROKEN})
JFIF = {"jfif", "jfif_version", "jfif_unit", "jfif_density"}


def saved(
    kind: str, size: tuple[int, int] = (300, 200), mode: str = "RGB", **more: object
) -> bytes:
    """A picture in this format."""
    file = io.BytesIO()
    Image.new(mode, size).save(file, kind, **more)
    return file.getvalue()


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, *chunks: bytes) -> bytes:
    """A PNG that says that it has this size, with these chunks behind that."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + chunk(b"IEND", b"")


def moving(kind: str) -> bytes:
    """A picture of two frames."""
    return saved(kind, save_all=True, append_images=[Image.new("RGB", (300, 200), "red")])


def _noted(chance: random.Random, mark: bytes) -> bytes:
    """A good picture with the mark wherever a file can have a text."""
    size = chance.randint(1, 900), chance.randint(1, 900)
    kind = chance.choice(("JPEG", "PNG", "WEBP"))
    mode = chance.choice(
        {"JPEG": ("RGB", "L", "CMYK"), "PNG": ("RGB", "RGBA", "P", "L", "1")}.get(
            kind, ("RGB", "RGBA")
        )
    )
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = chance.randint(1, 8), mark.decode()
    more: dict[str, object] = {"exif": exif, "icc_profile": mark * chance.choice((1, 500))}
    if kind == "JPEG":
        more["comment"] = mark
    elif kind == "PNG":
        more["pnginfo"] = text = PngImagePlugin.PngInfo()
        text.add_text("place", mark.decode(), zip=chance.random() < 0.5)
    return saved(kind, size, mode, **more) + chance.choice((b"", mark, b"PK\x03\x04" + mark))


def _stuffed(chance: random.Random, mark: bytes) -> bytes:
    """A small picture with nearly as much in its notes as may be sent."""
    note = (mark * 3_000)[:65_000]
    segments = (b"\xff\xfe" + struct.pack(">H", len(note) + 2) + note) * chance.randint(1, 6)
    whole = saved("JPEG")
    return whole[:2] + segments + whole[2:]


def _spoilt(chance: random.Random, mark: bytes) -> bytes:
    """A picture that is cut off, or with a few other bytes."""
    whole = bytearray(_noted(chance, mark))
    if chance.random() < 0.4:
        return bytes(whole[: chance.randrange(len(whole))])
    for _ in range(chance.choice((1, 3, 40))):
        whole[chance.randrange(len(whole))] = chance.randrange(256)
    return bytes(whole)


def _misstated(chance: random.Random, mark: bytes) -> bytes:
    """A picture whose head says another size than it has."""
    if chance.random() < 0.5:
        edges = (0, 1, 255, 8_001, 65_535, 2**31 - 1, 2**32 - 1)
        size = chance.choice(edges), chance.choice(edges)
        return png(*size, chunk(b"IDAT", zlib.compress(bytes(chance.choice((0, 99, 9_999))))))
    whole = bytearray(saved("JPEG"))
    at = whole.index(b"\xff\xc0") + 5
    whole[at : at + 4] = struct.pack(">HH", chance.randrange(65_536), chance.randrange(65_536))
    return bytes(whole)


def _bomb(chance: random.Random, mark: bytes) -> bytes:
    """A small file that becomes large: by its size, its pixels, its profile or its texts."""
    most = zlib.compress(bytes(64 << 20))
    return chance.choice(
        (
            png(7_999, 7_999, chunk(b"IDAT", zlib.compress(bytes(99)))),
            png(3_999, 3_999, chunk(b"IDAT", most)),
            png(9, 9, chunk(b"IDAT", most)),
            png(9, 9, chunk(b"iCCP", b"x\0\0" + most)),
            png(9, 9, *[chunk(b"zTXt", b"x\0\0" + most)] * 3),
            saved("PNG", (3_990, 3_990)),
        )
    )


def _two_in_one(chance: random.Random, mark: bytes) -> bytes:
    """A page, a script or an archive that begins or ends like a picture."""
    page = b"<!doctype html><script>alert(1)</script>" + mark
    whole = saved(chance.choice(("JPEG", "PNG", "WEBP")))
    return chance.choice((whole + page, page + whole, whole[:20] + page, b"GIF89a" + page))


def _other(chance: random.Random, mark: bytes) -> bytes:
    """No picture in a format that is read."""
    return chance.choice(
        (
            saved(chance.choice(("GIF", "BMP", "TIFF", "ICO", "PPM", "TGA", "PDF"))),
            b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
            b"<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><svg/>",
            b"%!PS-Adobe-3.0 EPSF-3.0\n" + mark,
            bytes(chance.randint(1, 9_999)),
            chance.randbytes(chance.randint(1, 9_999)),
        )
    )


Maker = Callable[[random.Random, bytes], bytes]
KINDS: dict[str, tuple[Maker, frozenset[str]]] = {
    "with notes": (_noted, frozenset({STORED})),
    "stuffed with notes": (_stuffed, frozenset({STORED})),
    "spoilt": (_spoilt, UNFIT | {STORED}),
    "with another size": (_misstated, UNFIT | {STORED}),
    "a bomb": (_bomb, UNFIT | {STORED}),
    "two files in one": (_two_in_one, UNFIT | {STORED}),
    "another kind": (_other, frozenset({KIND})),
    "moving": (lambda chance, _: moving(chance.choice(("WEBP", "PNG"))), frozenset({MOVING})),
    "empty": (lambda *_: b"", frozenset({LARGE})),
}
"""The kinds of pictures, each with what may become of one."""


def brought(run: Run) -> None:
    """Send one picture after another, and sometimes several at once."""
    with serving(run.folder / "data") as server, ThreadPoolExecutor(MOST_AT_ONCE) as threads:
        party = opened(server, "dune", "Ann")
        polite = party.caller("ann")
        tried = 0
        for n in run.numbers:
            chance = run.chance(n)
            together = chance.choice((1, 1, 1, MOST_AT_ONCE))
            if (tried := tried + together) > TABLE_HOLDS:
                party, tried = opened(server, "dune"), together
            doing = [threads.submit(_bring, run, (n, i), party) for i in range(together)]
            if n % 10 == 0 and polite.ask("GET", "/api/session").status != 200:
                run.fail(n, "another client got no answer")
            for one in doing:
                one.result()
        polite.close()
        log = server.output()
        if trace := TRACE.search(log):
            run.fail(run.numbers[-1], f"the log has {log[trace.start() :][:300]!r}")
        server.stop()


def _bring(run: Run, at: tuple[int, int], party: Party) -> None:
    """Send a picture as the GM, and look at what became of it."""
    chance = run.chance(*at)
    mark = f"48.8584 N {chance.getrandbits(64)}".encode()
    kind = chance.choice([*KINDS])
    make, allowed = KINDS[kind]
    data = make(chance, mark)
    began = time.monotonic()
    try:
        with party.caller() as gm:
            body = {"picture": b64encode(data).decode(), "use": "portrait"}
            answer = gm.ask("POST", f"{party.path}/pictures", body)
            took = time.monotonic() - began
            why = _judged(answer, allowed, len(body["picture"]))
            if not why and answer.status == 201:
                why = _not_only_pixels(gm, party, str(answer.json["picture"]), mark)
                run.count("stored")
    except Gone as gone:
        why, took = f"no answer: {gone}", 0
    run.count("pictures")
    if not why and took > MOST_SECONDS:
        why = f"the answer took {took:.0f} s"
    if why:
        run.fail(at[0], f"a picture that is {kind} ({len(data):,} bytes): {why}")


def _judged(answer: Answer, allowed: frozenset[str], length: int) -> str:
    """The fault of an answer, or ""."""
    if answer.status == 201:
        return "" if STORED in allowed else "it was stored"
    error = answer.json["error"]
    is_too_long = length > 480 * 1024 and answer.status in (400, 413)
    is_refused = answer.status == 400 and error["text"] in allowed
    if (is_too_long and error["text"].endswith(".")) or (is_refused and error["remedy"]):
        return ""
    return f"it was answered {answer.status}: {answer.body[:200]!r}"


def _not_only_pixels(gm: Caller, party: Party, key: str, mark: bytes) -> str:
    """What a stored picture has that it should not have, or ""."""
    made = gm.ask("POST", f"{party.path}/moves", {"move": "paper.write", "args": {"picture": key}})
    shown = gm.ask("GET", f"{party.path}/pictures/{key}")
    if made.status != 200 or shown.status != 200:
        return f"it was not shown: {made.status}, {shown.status}"
    found = Image.open(io.BytesIO(shown.body))
    found.load()
    if (found.format, found.mode) != ("JPEG", "RGB") or {*found.info} - JFIF:
        return f"a {found.format} in {found.mode} with {sorted(found.info)} was kept"
    if max(found.size) > EDGE or len(shown.body) > MOST_BYTES:
        return f"{found.size} pixels in {len(shown.body):,} bytes were kept"
    end = shown.body.rindex(b"\xff\xd9") + 2
    is_kept = mark in shown.body or b"<script" in shown.body or end != len(shown.body)
    return "something of the file was kept" if is_kept else ""


HARNESS = Harness(
    "pictures",
    "Of a picture that somebody brings, whatever is in its file, only pixels are kept, within"
    " bounds, or it gets its sentence; others are answered all the while.",
    "{pictures} pictures, {stored} of them stored",
    quick=60,
    long=300,
    run=brought,
)
