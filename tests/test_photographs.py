"""Pictures that people bring are encoded again, and hostile ones refused."""

from __future__ import annotations

import asyncio
import io
import subprocess
import sys
import zlib

import pytest
from PIL import Image, PngImagePlugin

from storypool.web.prints import decoder, photographs
from storypool.web.prints.decoder import Unfit, encoded_again
from storypool.web.prints.photographs import BadPicture, encoded_apart
from tools.torture.pictures import chunk, moving, png, saved

PLACE = b"48.8584 N, 2.2945 E"


def taken(data: bytes, edge: int = 256) -> Image.Image:
    """What a process of its own makes of a picture."""
    made = asyncio.run(encoded_apart(data, edge))
    assert made == encoded_again(data, edge)
    found = Image.open(io.BytesIO(made))
    found.load()
    assert ("JPEG", "RGB") == (found.format, found.mode)
    assert {*found.info} <= {"jfif", "jfif_version", "jfif_unit", "jfif_density"}
    assert len(made) < 200_000
    return found


def test_only_pixels_stay() -> None:
    """A place, a comment, a profile and a hidden archive are gone, and a phone's turn is made."""
    exif = Image.Exif()
    exif[0x0112], exif[0x010E] = 6, PLACE.decode()
    photo = saved("JPEG", exif=exif, comment=PLACE, icc_profile=PLACE * 20) + b"PK\x03\x04" + PLACE
    assert PLACE in photo
    assert (171, 256) == taken(photo).size
    assert PLACE not in asyncio.run(encoded_apart(photo, 256))
    text = PngImagePlugin.PngInfo()
    text.add_text("place", PLACE.decode())
    clear = saved("PNG", mode="RGBA", pnginfo=text)
    assert (255, 255, 255) == taken(clear).getpixel((9, 9))
    for kind, mode in (("WEBP", "RGB"), ("PNG", "P"), ("PNG", "I;16"), ("JPEG", "CMYK")):
        taken(saved(kind, mode=mode))
    assert (1, 1) == taken(saved("PNG", (1, 1))).size


HOSTILE = {
    "a drawing with a script": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", Unfit.KIND),
    "a page": (b"<!doctype html><script>alert(1)</script>", Unfit.KIND),
    "another kind": (saved("GIF"), Unfit.KIND),
    "two frames": (moving("WEBP"), Unfit.MOVING),
    "two frames of a PNG": (moving("PNG"), Unfit.MOVING),
    "cut off": (saved("JPEG")[:400], Unfit.BROKEN),
    "cut off in its pixels": (saved("PNG", (2000, 2000))[:-2000], Unfit.BROKEN),
    "an edge that is too long": (png(60_000, 1), Unfit.LARGE),
    "a bomb by its size": (
        png(7_999, 7_999, chunk(b"IDAT", zlib.compress(bytes(99)))),
        Unfit.LARGE,
    ),
    "a bomb in its pixels": (
        png(3_999, 3_999, chunk(b"IDAT", zlib.compress(bytes(1 << 20)))),
        Unfit.BROKEN,
    ),
    "a bomb in its profile": (
        png(9, 9, chunk(b"iCCP", b"x\0\0" + zlib.compress(bytes(64 << 20)))),
        Unfit.BROKEN,
    ),
    "a bomb in its words": (
        png(9, 9, chunk(b"zTXt", b"x\0\0" + zlib.compress(bytes(64 << 20)))),
        Unfit.BROKEN,
    ),
    "nothing": (b"", Unfit.LARGE),
    "too many bytes": (bytes(decoder.MAX_BYTES + 1), Unfit.LARGE),
    "zeros": (bytes(9_999), Unfit.KIND),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_picture_is_refused(name: str) -> None:
    """It ends in its own process, with the reason."""
    data, why = HOSTILE[name]
    with pytest.raises(BadPicture) as bad:
        asyncio.run(encoded_apart(data, 256))
    assert why is bad.value.why


def test_process_ends_at_its_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory and time have an end there, whatever a picture does to the decoder."""
    monkeypatch.setattr(photographs, "MAX_SECONDS", 0)
    with pytest.raises(BadPicture) as bad:
        asyncio.run(encoded_apart(saved("PNG"), 256))
    assert Unfit.BROKEN is bad.value.why
    bounded = (
        "import runpy, resource; found = runpy.run_path(__import__('sys').argv[1]);"
        " found['_bound_this_process'](); bytes(found['MAX_MEMORY'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", bounded, decoder.__file__], capture_output=True, text=True
    )
    assert "MemoryError" in done.stderr
