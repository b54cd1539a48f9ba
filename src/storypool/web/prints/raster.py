"""Pictures as PNG, for programs and phones without SVG. Run as a program, it converts one."""

import asyncio
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

FONTS = sorted((Path(__file__).parent.parent / "fonts").glob("*.ttf"))
"""The font of the pictures; for missing letters the fonts of this computer are used."""
STYLE = "svg{font-family:'Storypool Sans'}"
ZOOM = 3
"""Pixels of a PNG for one of the SVG: sharp on a phone."""
RENDER_TIMEOUT_S = 20.0
"""Seconds after which the process is killed."""


def has_renderer() -> bool:
    """Whether the extra `pictures` is installed, which everything here needs."""
    return find_spec("resvg_py") is not None


def png(svg: str) -> bytes:
    """A picture in SVG as PNG, three times as wide; the dark theme of a picture with both."""
    from resvg_py import svg_to_bytes  # the server, which draws in another process, does without

    return svg_to_bytes(
        svg_string=svg, zoom=ZOOM, style_sheet=STYLE, font_files=[str(path) for path in FONTS]
    )


async def png_apart(svg: str) -> bytes:
    """The same from a process of its own.

    The renderer holds the interpreter's lock while it draws, which would stop all threads.
    """
    command = [sys.executable, "-P", __file__]

    def run() -> bytes:
        made = subprocess.run(
            command,
            input=svg.encode(),
            stdout=subprocess.PIPE,
            check=True,
            timeout=RENDER_TIMEOUT_S,
        )
        return made.stdout

    return await asyncio.to_thread(run)


if __name__ == "__main__":
    sys.stdout.buffer.write(png(sys.stdin.buffer.read().decode()))
