"""The decoder of pictures that people bring. It is run as a program, for one picture.

The decoder is Pillow, which reads such a picture here alone, in a process with bounds on the bytes,
the pixels, the memory and the time of a picture: one that is made to hurt ends that process.
"""

import io
import sys
from contextlib import suppress
from enum import IntEnum

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
"""The most seconds of processor time for a picture."""
QUALITY = 84
"""The quality of the JPEG."""


class Unfit(IntEnum):
    """The reasons against a picture, as exit codes of the program."""

    KIND = 3
    LARGE = 4
    MOVING = 5
    BROKEN = 6


def encoded_again(data: bytes, edge: int) -> bytes | Unfit:
    """A picture as a JPEG without anything else, at most `edge` pixels wide and high."""
    from PIL import Image, ImageOps, UnidentifiedImageError

    Image.MAX_IMAGE_PIXELS = None
    if not 0 < len(data) <= MAX_BYTES:
        return Unfit.LARGE
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as found:
            if max(found.size) > MAX_EDGE or found.width * found.height > MAX_PIXELS:
                return Unfit.LARGE
            if getattr(found, "n_frames", 1) > 1:
                return Unfit.MOVING
            found.draft("RGB", (2 * edge, 2 * edge))
            turned = ImageOps.exif_transpose(found)
            turned.thumbnail((edge, edge))
            pixels = turned.convert("RGBA")
    except UnidentifiedImageError:
        return Unfit.KIND
    except (OSError, SyntaxError, ValueError, MemoryError):
        return Unfit.BROKEN
    ground = Image.new("RGB", pixels.size, "white")
    ground.paste(pixels, mask=pixels.getchannel("A"))
    made = io.BytesIO()
    ground.save(made, "JPEG", quality=QUALITY, optimize=True)
    return made.getvalue()


def bound_this_process(memory: int, seconds: int) -> None:
    """Bound the memory, the processor time and the files of this process, where that is known."""
    with suppress(ImportError):
        import resource

        for kind, most in (
            (resource.RLIMIT_AS, memory),
            (resource.RLIMIT_CPU, seconds),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ):
            # Not every system bounds all of them.
            with suppress(ValueError, OSError):
                resource.setrlimit(kind, (most, most))


def _bound_this_process() -> None:
    bound_this_process(MAX_MEMORY, MAX_SECONDS)


def main() -> int:
    """Encode the picture on standard input again; the exit code is 0, or why it is not taken."""
    _bound_this_process()
    made = encoded_again(sys.stdin.buffer.read(MAX_BYTES + 1), int(sys.argv[1]))
    if isinstance(made, Unfit):
        return made
    sys.stdout.buffer.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(main())
