"""The pictures of a story as SVG: one for chats, and the parts of a roll that moves."""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from storypool.engine.game.system import System
from storypool.pictures.drawing import clean, clipped
from storypool.pictures.markup import Markup, element
from storypool.web.prints.drawn_dice import coloured_die, face_of
from storypool.web.prints.world_colours import colours_of, sign_of
from storypool.web.server_settings import STATIC
from storypool.words import Words
from storypool.worth.session_story import Throw

WIDTH, HEIGHT = 400, 210
"""The picture for chats in units of a third of a pixel: 1200 by 630 pixels as PNG."""
EDGE = 22
LETTER = 0.5
"""The width of a letter relative to its size."""
MAX_FACES, FACE = 5, 34
"""The most portraits of a picture, and their size."""
CHAT_DICE, CHAT_DIE = 10, 32
MAX_DICE, DIE = 24, 64
"""The most dice of a roll that moves, and their size in pixels; others are a number."""
IN_A_ROW = 6
ROLL_WIDTH = 480
TUMBLED = 4
"""The faces that a die shows before the one that it lands on."""


def chat_picture(
    title: str,
    line: str,
    throw: Throw | None,
    *,
    system: System,
    words: Words,
    world: str,
    hues: Mapping[str, int],
    portraits: Sequence[bytes | str] = (),
) -> str:
    """A story as one picture for chats: its title, a line, a roll, and portraits.

    A portrait is a JPEG, or the name of one of the page's drawings.
    """
    colours = colours_of(world, hues)
    room = WIDTH - 2 * EDGE - 52
    heading = _lines(title, 25, room, 2)
    y = 34 + 30 * len(heading)
    parts = [
        _sign(world, colours["move"], WIDTH - EDGE - 42, 26, 42),
        *_texts(heading, EDGE, 50, 25, colours["text"], bold=True),
        *_texts([clipped(line, 58)], EDGE, y + 4, 12, colours["quiet"]),
    ]
    if throw is not None:
        about = clipped(": ".join(filter(None, [throw.who, throw.title])), 52)
        faces = (FACE + 6) * min(MAX_FACES, len(portraits))
        result = _lines(throw.words, 13, WIDTH - 2 * EDGE - faces, 2)
        parts += _texts([about], EDGE, y + 27, 13, colours["text"], bold=True)
        shown = zip(throw.rolled[:CHAT_DICE], throw.dice, strict=False)
        for i, (rolled, die) in enumerate(shown):
            drawing = coloured_die(system, die, face_of(system, die, rolled.face, words))
            parts.append(_placed(drawing, EDGE + i * (CHAT_DIE + 4), y + 36, CHAT_DIE))
        parts += _texts(result, EDGE, y + 36 + CHAT_DIE + 20, 13, colours["text"])
    parts += _portraits(portraits, HEIGHT - 16 - FACE)
    return _svg(parts, (WIDTH, HEIGHT), colours)


def roll_parts(
    throw: Throw, line: str, *, system: System, words: Words, world: str, hues: Mapping[str, int]
) -> dict[str, object]:
    """The parts of a roll that moves, for the program that puts them together.

    `before` and `after` are the picture without the result and with it, both without dice; `dice`
    has the place of each die, and the faces that it shows, the rolled one last.
    """
    colours = colours_of(world, hues)
    room = ROLL_WIDTH - 2 * EDGE
    about = ": ".join(filter(None, [throw.who, throw.title]))
    title, result = _lines(about, 22, room, 2), _lines(throw.words, 22, room, 3)
    n = min(MAX_DICE, len(throw.rolled))
    top = 52 + 28 * max(1, len(title))
    below = top + -(-n // IN_A_ROW) * (DIE + 8) + 26
    size = ROLL_WIDTH, below + 28 * max(1, len(result)) + 14
    before = [
        *_texts([clipped(line, 62)], EDGE, 34, 13, colours["quiet"]),
        *_texts(title, EDGE, 64, 22, colours["text"], bold=True),
        _sign(world, colours["move"], ROLL_WIDTH - EDGE - 24, 14, 24),
    ]
    if len(throw.rolled) > n:
        more = f"+ {len(throw.rolled) - n}"
        before += _texts([more], ROLL_WIDTH - EDGE - 40, below - 10, 15, colours["quiet"])
    tone = "refusal" if throw.passed is False else "move"
    after = [*before, *_texts(result, EDGE, below + 8, 22, colours[tone], bold=True)]
    dice = []
    for i, (rolled, die) in enumerate(zip(throw.rolled[:n], throw.dice, strict=False)):
        in_row = min(IN_A_ROW, n - i // IN_A_ROW * IN_A_ROW)
        left = (ROLL_WIDTH - in_row * (DIE + 8) + 8) // 2 + i % IN_A_ROW * (DIE + 8)
        # The faces on the way follow from the roll, so each picture of it is the same.
        sides = max(1, len(die.faces))
        on_the_way = [die.first + (rolled.face + 5 * k + i) % sides for k in range(TUMBLED)]
        faces = [face_of(system, die, face, words) for face in (*on_the_way, rolled.face)]
        drawings = [_alone(coloured_die(system, die, face)) for face in faces]
        dice.append({"x": left, "y": top + i // IN_A_ROW * (DIE + 8), "faces": drawings})
    return {
        "before": _svg(before, size, colours),
        "after": _svg(after, size, colours),
        "dice": dice,
        "size": DIE,
    }


def _svg(parts: Sequence[str], size: tuple[int, int], colours: Mapping[str, str]) -> str:
    width, height = size
    ground = element("rect", width=width, height=height, fill=colours["ground"])
    bar = element("rect", width=width, height=5, fill=colours["move"])
    return _root([ground, bar, *map(Markup, parts)], width, height)


def _root(parts: Sequence[str], width: int, height: int, box: str = "") -> str:
    return element(
        "svg",
        map(Markup, parts),
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=box or f"0 0 {width} {height}",
    )


def _alone(drawing: str) -> str:
    return _root([drawing], DIE, DIE, "0 0 24 24")


def _placed(drawing: str, x: float, y: float, size: float) -> Markup:
    """A drawing of 24 units at a place, in this size."""
    move = f"translate({x:g} {y:g}) scale({size / 24:.4f})"
    return element("g", Markup(drawing), transform=move)


def _sign(world: str, colour: str, x: float, y: float, size: float) -> Markup:
    drawing = sign_of(world).replace("#000", colour).replace("currentColor", colour)
    return _inside(drawing, x, y, size)


def _inside(drawing: str, x: float, y: float, size: float) -> Markup:
    """A whole drawing at a place of another, in this size."""
    place = f'<svg x="{x:g}" y="{y:g}" width="{size:g}" height="{size:g}" '
    return Markup(place + drawing.partition("<svg ")[2])


def _portraits(portraits: Sequence[bytes | str], y: float) -> Iterator[Markup]:
    for i, one in enumerate(portraits[:MAX_FACES]):
        x = WIDTH - EDGE - FACE - i * (FACE + 6)
        middle = {"cx": f"{x + FACE / 2:g}", "cy": f"{y + FACE / 2:g}", "r": f"{FACE / 2:g}"}
        circle = element("circle", **middle)
        yield element("clipPath", circle, id=f"face-{i}")
        yield element("g", _face(one, x, y), clip_path=f"url(#face-{i})")


def _face(one: bytes | str, x: float, y: float) -> Markup:
    if isinstance(one, bytes):
        data = f"data:image/jpeg;base64,{b64encode(one).decode()}"
        return element("image", href=data, x=f"{x:g}", y=f"{y:g}", width=FACE, height=FACE)
    return _inside((STATIC / "faces" / f"{one}.svg").read_text(encoding="utf-8"), x, y, FACE)


def _lines(text: str, size: int, room: float, most: int) -> list[str]:
    """A text in at most `most` lines; the rest becomes an ellipsis."""
    return wrap(clean(text), max(8, int(room / (size * LETTER))), max_lines=most, placeholder=" …")


def _texts(
    lines: Sequence[str], x: float, y: float, size: int, colour: str, bold: bool = False
) -> Iterator[Markup]:
    for i, line in enumerate(lines):
        yield element(
            "text",
            clean(line),
            x=f"{x:g}",
            y=f"{y + i * round(size * 1.25):g}",
            font_size=size,
            font_weight="600" if bold else "400",
            fill=colour,
        )
