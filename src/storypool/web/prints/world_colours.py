"""The colours of a world for pictures, in the dark: those of the style sheets, as hexadecimal."""

import math
import re
from collections.abc import Mapping, Sequence
from functools import cache

from storypool.web.server_settings import STATIC

NAMES = ("ground", "raised", "line", "text", "quiet", "move", "refusal")
"""The colours that pictures need, by the names of the style sheet."""
HUES = {"ground": "ground-hue", "yours": "move-hue", "others": "other-hue", "depth": "depth"}
"""The number of a world for each that a game may change."""
OKLCH = re.compile(
    r"oklch\(([\d.]+) (?:calc\(([\d.]+) \* var\(--depth\)\)|([\d.]+)) var\(--([\w-]+)\)\)"
)
# The linear red, green and blue of the cone responses of Oklab, as CSS Color 4 has them.
RED = (4.0767416621, -3.3077115913, 0.2309699292)
GREEN = (-1.2684380046, 2.6097574011, -0.3413193965)
BLUE = (-0.0041960863, -0.7034186147, 1.7076147010)
CONES = (
    (0.3963377774, 0.2158037573),
    (-0.1055613458, -0.0638541728),
    (-0.0894841775, -1.291485548),
)


def colours_of(world: str, hues: Mapping[str, int]) -> dict[str, str]:
    """The colours of a world, with some numbers of a game's own; "" is the page without one."""
    found, numbers = dict(_tokens()), dict(_numbers(world))
    for key, name in HUES.items():
        if key in hues:
            numbers[name] = hues[key] / 100 if key == "depth" else hues[key]
    if not numbers:
        return found
    for name, (light, chroma, deep, hue) in _rules().items():
        depth = numbers.get("depth", 1.0) if deep else 1.0
        found[name] = hexadecimal(light, chroma * depth, numbers[hue])
    return found


def sign_of(world: str) -> str:
    """The drawing of a world, as SVG; that of the page for none."""
    rule = re.search(r'--sign: url\("\.\./(worlds/[\w-]+\.svg)"\)', _rule(world))
    path = STATIC / (rule[1] if rule else "glyphs/storypool.svg")
    return path.read_text(encoding="utf-8")


def hexadecimal(lightness: float, chroma: float, hue: float) -> str:
    """A colour of Oklch as #RRGGBB, clipped to what a screen shows.

    >>> hexadecimal(1, 0, 0), hexadecimal(0.84, 0.13, 88)
    ('#FFFFFF', '#EEC55E')
    """
    a, b = (chroma * turn(math.radians(hue)) for turn in (math.cos, math.sin))
    cones = [(lightness + p * a + q * b) ** 3 for p, q in CONES]
    channels = (_sum_of_products(row, cones) for row in (RED, GREEN, BLUE))
    return "#" + "".join(f"{round(255 * _curved(channel)):02X}" for channel in channels)


def _sum_of_products(row: Sequence[float], cones: Sequence[float]) -> float:
    """The sum of products, which `math` has from Python 3.12 on."""
    return sum(k * c for k, c in zip(row, cones, strict=True))


def _curved(channel: float) -> float:
    """A linear channel as sRGB has it."""
    channel = min(1.0, max(0.0, channel))
    return 12.92 * channel if channel <= 0.0031308 else 1.055 * channel ** (1 / 2.4) - 0.055


@cache
def _styles(name: str) -> str:
    return (STATIC / "css" / name).read_text(encoding="utf-8")


@cache
def _tokens() -> Mapping[str, str]:
    """The colours of the page without a world."""
    text = _styles("tokens.css")
    pairs = {name: re.search(rf"--{name}: light-dark\(#\w+, (#\w+)\)", text) for name in NAMES}
    return {name: pair[1] for name, pair in pairs.items() if pair}


@cache
def _rules() -> Mapping[str, tuple[float, float, bool, str]]:
    """The lightness, the chroma, whether that is times the depth, and the hue of each colour."""
    found = {}
    for name in NAMES:
        rule = re.search(rf"--{name}: light-dark\((.*?)\);", _styles("worlds.css"), re.DOTALL)
        if rule:
            *_, dark = OKLCH.finditer(rule[1])
            chroma = float(dark[2] or dark[3])
            found[name] = float(dark[1]), chroma, bool(dark[2]), dark[4]
    return found


def _rule(world: str) -> str:
    found = re.search(
        rf':root\[data-world="{re.escape(world)}"\] \{{(.*?)\}}', _styles("worlds.css"), re.DOTALL
    )
    return found[1] if found else ""


@cache
def _numbers(world: str) -> Mapping[str, float]:
    """The numbers of a world; none for the page without one."""
    return {name: float(n) for name, n in re.findall(r"--([\w-]+): ([\d.]+);", _rule(world))}
