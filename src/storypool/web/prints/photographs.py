"""Pictures that people bring, decoded and encoded again. Run as a program, it does one.

Only their pixels stay: no metadata, no further frames, nothing behind the end of the file. The
decoder is Pillow, which is imported in a process of its own alone, with bounds on the bytes, the
pixels, the memory and the time of a picture: one that is made to hurt ends that process.
"""

import asyncio
import io
import subprocess
import sys
from contextlib import suppress
from enum import IntEnum
from importlib.util import find_spec

FORMATS = ("JPEG", "PNG", "WEBP")
"""The formats that are read; one with several frames is none of them."""
MAX_BYTES = 2 << 20
"""The most bytes of a picture as it is brought."""
MAX_PIXELS = 16_000_000
MAX_EDGE = 8_000
"""The most pixels of a picture, and of one edge of it."""
MAX_MEMORY = 768 << 20
"""The most bytes of memory of the process, with the interpreter."""
MAX_SECONDS = 5
"""The most seconds of processor time for a picture; in all it gets twice as long."""
QUALITY = 84
"""The quality of the JPEG."""
MEDIA = "image/jpeg"


class Unfit(IntEnum):
    """The reasons against a picture, as exit codes of the program."""

    KIND = 3
    LARGE = 4
    MOVING = 5
    BROKEN = 6


class BadPicture(ValueError):
    """Raised for a picture that is not taken, with the reason."""

    def __init__(self, why: Unfit) -> None:
        super().__init__(why.name)
        self.why = why


def has_decoder() -> bool:
    """Whether the extra `pictures` is installed, which everything here needs."""
    return find_spec("PIL") is not None


def encoded_again(data: bytes, edge: int) -> bytes:
    """A picture as a JPEG without anything else, at most `edge` pixels wide and high.

    Raises `BadPicture`. It is meant for `encoded_apart`: the decoder runs here.
    """
    from PIL import Image, ImageOps, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None
    if not 0 < len(data) <= MAX_BYTES:
        raise BadPicture(Unfit.LARGE)
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as found:
            if max(found.size) > MAX_EDGE or found.width * found.height > MAX_PIXELS:
                raise BadPicture(Unfit.LARGE)
            if getattr(found, "n_frames", 1) > 1:
                raise BadPicture(Unfit.MOVING)
            found.draft("RGB", (2 * edge, 2 * edge))
            turned = ImageOps.exif_transpose(found)
            turned.thumbnail((edge, edge))
            pixels = turned.convert("RGBA")
    except UnidentifiedImageError as error:
        raise BadPicture(Unfit.KIND) from error
    except (OSError, SyntaxError, ValueError, MemoryError) as error:
        if isinstance(error, BadPicture):
            raise
        raise BadPicture(Unfit.BROKEN) from error
    ground = Image.new("RGB", pixels.size, "white")
    ground.paste(pixels, mask=pixels.getchannel("A"))
    made = io.BytesIO()
    ground.save(made, "JPEG", quality=QUALITY, optimize=True)
    return made.getvalue()


async def encoded_apart(data: bytes, edge: int) -> bytes:
    """The same from a process of its own, whose end by a bound is a `BadPicture` too."""
    if not 0 < len(data) <= MAX_BYTES:
        raise BadPicture(Unfit.LARGE)
    command = [sys.executable, "-P", __file__, str(edge)]

    def run() -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(command, input=data, capture_output=True, timeout=2 * MAX_SECONDS)

    try:
        done = await asyncio.to_thread(run)
    except subprocess.TimeoutExpired:
        raise BadPicture(Unfit.BROKEN) from None
    if done.returncode:
        known = done.returncode in [*Unfit]
        raise BadPicture(Unfit(done.returncode) if known else Unfit.BROKEN)
    return done.stdout


def _bound_this_process() -> None:
    """Bound the memory, the processor time and the files of this process, where that is known."""
    with suppress(ImportError):
        import resource

        for kind, most in (
            (resource.RLIMIT_AS, MAX_MEMORY),
            (resource.RLIMIT_CPU, MAX_SECONDS),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            # Not every system bounds all of them.
            with suppress(ValueError, OSError):
                resource.setrlimit(kind, (most, most))


def main() -> int:
    """Encode the picture on standard input again; the exit code is 0, or why it is not taken."""
    _bound_this_process()
    try:
        made = encoded_again(sys.stdin.buffer.read(MAX_BYTES + 1), int(sys.argv[1]))
    except BadPicture as bad:
        return bad.why
    sys.stdout.buffer.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
