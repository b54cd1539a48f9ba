"""A roll as a short moving picture, a GIF. Run as a program, it makes one in its own process.

The server writes all drawings; this puts them together: dice tumble in, land one after the other,
and the result appears. It plays once, so nothing moves for longer than a few seconds.
"""

import asyncio
import io
import json
import math
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from storypool.web.prints.decoder import bound_this_process
from storypool.web.prints.raster import FONTS, STYLE

MAX_SECONDS = 10
"""The most seconds of processor time, and of waiting for the process."""
MAX_MEMORY = 1 << 30
"""The most bytes of memory of the process, with the interpreter."""
MAX_BYTES = 500 * 1024
"""The most bytes of a moving picture: chats take that at once."""
FRAMES, FRAME_MS = 22, 60
"""The frames in which dice move, and the milliseconds of each."""
STILL_MS = 2600
"""The milliseconds for which the result is shown."""
FALL, STAGGER = 12, 8
"""The frames that one die needs, and those over which the dice start."""
COLOURS = (96, 48, 24)
"""The colours of a picture: the next number if it has too many bytes; then it stands still."""
MEDIA = "image/gif"


async def moving_apart(parts: str) -> bytes:
    """The moving picture of parts in JSON (`story_picture.roll_parts`), from its own process."""

    def run() -> bytes:
        made = subprocess.run(
            [sys.executable, "-P", __file__],
            input=parts.encode(),
            stdout=subprocess.PIPE,
            check=True,
            timeout=2 * MAX_SECONDS,
        )
        return made.stdout

    return await asyncio.to_thread(run)


def moving(parts: Mapping[str, Any]) -> bytes:
    """The moving picture of these parts."""

    before, after = _painted(parts["before"]), _painted(parts["after"])
    dice, frames = [], []
    for one in parts["dice"]:
        dice.append((one["x"], one["y"], list(map(_painted, one["faces"]))))
    for n in range(FRAMES + 1):
        frame = before.copy()
        for i, (x, y, faces) in enumerate(dice):
            start = STAGGER * i / max(1, len(dice) - 1)
            _put(frame, faces, (x, y), (n - start) / FALL)
        frames.append(frame)
    end = after.copy()
    for x, y, faces in dice:
        end.alpha_composite(faces[-1], (x, y))
    frames.append(end)
    for colours in COLOURS:
        made = _written(frames, colours)
        if len(made) <= MAX_BYTES:
            return made
    return _written([end], COLOURS[-1])


def _written(frames: Sequence[Any], colours: int) -> bytes:
    """The frames as a GIF with this many colours, those of the last one."""
    from PIL import Image

    palette = frames[-1].convert("RGB").quantize(colours)
    how = {"palette": palette, "dither": Image.Dither.NONE}
    first, *others = [one.convert("RGB").quantize(**how) for one in frames]
    times = [FRAME_MS] * len(others) + [STILL_MS]
    made = io.BytesIO()
    first.save(made, "GIF", save_all=True, append_images=others, duration=times, optimize=False)
    return made.getvalue()


def _put(frame: Any, faces: Any, place: tuple[int, int], done: float) -> None:
    """Put a die on a frame, `done` of its fall from 0 to 1: it turns, bounces and changes."""
    from PIL import Image

    if done < 0:
        return
    done = min(1.0, done)
    left = (1 - done) ** 2
    face = faces[-1] if done > 0.8 else faces[int(done * 10) % (len(faces) - 1)]
    size = face.width
    turned = face.rotate(520 * left, resample=Image.Resampling.BICUBIC, expand=True)
    height = abs(math.cos(done * 2.5 * math.pi)) * left * 90
    side = 120 * left
    x = round(place[0] + size / 2 - turned.width / 2 - side)
    y = round(place[1] + size / 2 - turned.height / 2 - height)
    box = Image.new("RGBA", frame.size)
    box.paste(turned, (x, y))
    frame.alpha_composite(box)


def _painted(svg: str) -> Any:
    from PIL import Image
    from resvg_py import svg_to_bytes

    data = svg_to_bytes(
        svg_string=svg,
        style_sheet=STYLE,
        font_files=[str(path) for path in FONTS],
        # Looking for the fonts of this computer takes longest, for each drawing.
        skip_system_fonts=all(ord(letter) < 0x250 for letter in svg),
    )
    return Image.open(io.BytesIO(data)).convert("RGBA")


if __name__ == "__main__":
    bound_this_process(MAX_MEMORY, MAX_SECONDS)
    sys.stdout.buffer.write(moving(json.load(sys.stdin)))
