"""A pool of points over many evenings: the middle as a line, and the usual range as a band."""

from collections.abc import Mapping, Sequence
from math import ceil

from storypool.pictures.charts import LEFT, PLOT, Mark, Picture
from storypool.pictures.drawing import EDGE, NUMBER, TITLE, WIDTH, Drawing
from storypool.pictures.rows import Cell, DataTable
from storypool.words import BadValue, Words
from storypool.words.languages import ENGLISH, Language

Band = Sequence[tuple[float, float, float]]
"""The lower edge, the middle and the upper edge after each action, starting before the first."""

MARKS: tuple[Mark, Mark] = ("first", "second")
NUMBERS = 6
"""The approximate number of labels along each edge."""


def bands(
    title: str, pool: str, settings: Mapping[str, Band], language: Language = ENGLISH
) -> Picture:
    """The picture of one pool under one setting, or two; the second is dashed and hatched.

    `ValueError` for no setting, and for more than two.
    """
    if not 1 <= len(settings) <= len(MARKS):
        raise BadValue(
            f"A picture shows one setting, or two beside each other, not {len(settings)}."
        )
    words, drawing = language.program, Drawing()
    drawing.paragraph(title, TITLE, bold=True)
    marked = list(zip(MARKS, settings.items(), strict=False))
    if len(settings) > 1:
        for mark, (name, _) in marked:
            drawing.y += 6
            fill = "first" if mark == "first" else "hatching"
            drawing.put(
                "rect", fill, stroke=mark, x=EDGE, y=drawing.y + 3, width=20, height=12, rx=2
            )
            drawing.paragraph(name, indent=28)
    steps = max(len(band) for band in settings.values()) - 1
    most = max(high for band in settings.values() for _, _, high in band) or 1
    top = drawing.y + 14

    def x(n: float) -> float:
        return LEFT + n * (WIDTH - EDGE - LEFT - 12) / max(1, steps)

    def y(points: float) -> float:
        return top + PLOT * (1 - points / most)

    for n in range(0, int(most) + 1, max(1, ceil(most / NUMBERS))):
        drawing.put(
            "path",
            "none",
            stroke="line",
            d=f"M{LEFT} {y(n):.1f}H{WIDTH - EDGE}",
            stroke_opacity="0.5",
        )
        drawing.write(LEFT - 9, y(n) + 4, str(n), size=NUMBER, fill="quiet", anchor="end")
    for mark, (name, band) in marked:
        low = [f"{x(n):.1f} {y(one[0]):.1f}" for n, one in enumerate(band)]
        high = [f"{x(n):.1f} {y(one[2]):.1f}" for n, one in enumerate(band)]
        fill, opacity, dashes = "hatching", "0.5", "5 4"
        if mark == "first":
            fill, opacity, dashes = "first", "0.25", "none"
        area = "M" + "L".join([*high, *reversed(low)]) + "Z"
        drawing.put("path", fill, title=name, d=area, fill_opacity=opacity)
        middle = "M" + "L".join(f"{x(n):.1f} {y(one[1]):.1f}" for n, one in enumerate(band))
        drawing.put(
            "path", "none", stroke=mark, d=middle, stroke_width=2.5, stroke_dasharray=dashes
        )
    drawing.y = top + PLOT + 20
    for n in range(0, steps + 1, max(1, ceil(steps / NUMBERS))):
        drawing.write(x(n), drawing.y, str(n), size=NUMBER, fill="quiet", anchor="middle")
    drawing.y += 6
    drawing.paragraph(words["lab.picture.actions"], NUMBER, "quiet", indent=LEFT - EDGE)
    drawing.paragraph(words["lab.picture.legend"], NUMBER, "quiet")
    columns, texts = list[Sequence[Cell]](), []
    for band in settings.values():
        columns.append([*(_text(one, words) for one in band), *[""] * (steps + 1 - len(band))])
        texts += [_step(n, band[n], words) for n in dict.fromkeys((0, steps)) if n < len(band)]
    rows = tuple(zip(range(steps + 1), *columns, strict=True))
    about = words.say("lab.picture.about", pool=pool, said="; ".join(texts))
    return Picture(
        title,
        about,
        DataTable((words["lab.picture.actions"], *(n or pool for n in settings)), rows),
        drawing,
    )


def _step(n: int, one: tuple[float, float, float], words: Words) -> str:
    low, middle, high = (f"{value:g}" for value in one)
    return words.say("lab.picture.step", n=n, low=low, middle=middle, high=high)


def _text(one: tuple[float, float, float], words: Words) -> str:
    low, middle, high = (f"{value:g}" for value in one)
    return words.say("lab.band", low=low, middle=middle, high=high)
