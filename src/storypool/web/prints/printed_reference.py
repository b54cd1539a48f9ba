"""The printable reference of a game: one plain page, generated from the game's data."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, groupby

from storypool.engine.dice import Die
from storypool.engine.game.kit import Look, Note
from storypool.engine.game.system import System
from storypool.pictures.markup import Content, Markup, element, fragment, page
from storypool.words import Words
from storypool.words.languages import ENGLISH, Language

STYLES = ("fonts/fonts.css", "css/tokens.css", "css/base.css", "css/print.css")

OPTION = re.compile(r" \(\w+ `\w+`(?: \w+ `\w+`)*\)")
"""The keys of options behind a ruling, for commands; on the page the settings have its words."""
MAX_IN_A_COLUMN = 4
"""The most columns of a table that fits a column of the sheet."""


def printable_page(system: System, language: Language = ENGLISH, more: Content = ()) -> Markup:
    """The dice of a game, face by face, its symbols and notes, without scripts or inline styles.

    `more` follows them.
    """
    words = language.program
    faced = [die for die in system.dice if any(die.faces)]
    dice = element(
        "section",
        element("h2", words["print.dice"]),
        element("p", words["print.order"], class_="screen"),
        _dice(system, faced, words),
        _symbols(system),
        class_="dice",
    )
    columns = element("div", dice if faced else (), map(_note, system.notes), class_="columns")
    body = [element("h1", system.name), element("p", system.about), columns, more]
    return document(words.say("print.title", game=system.name), body, words)


def document(title: str, body: Content, words: Words) -> Markup:
    """A page to print with this title and content."""
    head = [
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", title),
        element("link", rel="icon", href="/static/favicon.svg", type="image/svg+xml"),
        [element("link", rel="stylesheet", href=f"/static/{path}") for path in STYLES],
    ]
    return page(words["language"], head, element("main", body), data_theme="light")


def _look(system: System, name: str) -> Look:
    return system.look.get(name) or Look(name, name)


def _dice(system: System, dice: Sequence[Die], words: Words) -> Iterator[Markup]:
    """The dice, without those that repeat another or have a single face."""
    drawn = set[str]()
    for die in dice:
        faces = _faces(system, die, words)
        yield _die(system, die, faces, screen=faces in drawn or len(die.faces) == 1)
        drawn.add(faces)


def _faces(system: System, die: Die, words: Words) -> Markup:
    return fragment(
        element(
            "li", element("span", _numbers(run), class_="number"), " ", _face(system, face, words)
        )
        for run, face in _runs(die)
    )


def _die(system: System, die: Die, faces: Markup, *, screen: bool) -> Markup:
    look = _look(system, die.name)
    letter = element(
        "span",
        look.letter or look.word[:1].upper(),
        class_="letter centred",
        data_colour=look.colour or "grey",
    )
    where = "one-die screen" if screen else "one-die"
    return element(
        "div",
        element("h3", letter, f" {look.word}", class_="row"),
        element("ol", faces, class_="cluster gap-1"),
        class_=where,
    )


def _runs(die: Die) -> Iterator[tuple[list[int], Mapping[str, int]]]:
    """Equal neighbouring faces once, with their numbers."""
    for face, numbered in groupby(enumerate(die.faces, die.first), key=lambda one: one[1]):
        yield [n for n, _ in numbered], face


def _numbers(run: list[int]) -> str:
    return str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}"


def _face(system: System, face: Mapping[str, int], words: Words) -> Markup:
    """The symbols of a face as drawings, with words for screen readers."""
    signs = fragment(
        _sign(_look(system, name), alone=True) for name, n in face.items() for _ in range(n)
    )
    return signs or element("span", words["print.blank"], class_="quiet")


def _sign(look: Look, *, alone: bool) -> Markup:
    """A symbol as a drawing; `alone` adds its word as a label, for symbols without a text."""
    if not look.glyph:
        return element("span", look.word) if alone else Markup()
    if look.drawing:
        named = {"role": "img", "aria_label": look.word} if alone else {"aria_hidden": "true"}
        shapes = fragment(element(tag, **attributes) for tag, attributes in look.drawing)
        return element("svg", shapes, viewBox="0 0 24 24", width=20, height=20, **named)
    drawing = f"/static/glyphs/{look.glyph}.svg"
    return element("img", src=drawing, alt=look.word if alone else "", width=20, height=20)


def _symbols(system: System) -> Content:
    """A legend of the symbols with a drawing."""
    faces = chain.from_iterable(die.faces for die in system.dice if len(die.faces) > 1)
    looks = dict[str, Look]()
    for name in chain.from_iterable(faces):
        look = _look(system, name)
        if look.glyph:
            looks[look.word] = look
    items = [
        element("li", _sign(look, alone=False), f" {look.word}", class_="row gap-1")
        for look in looks.values()
    ]
    return element("ul", items, class_="symbols cluster") if items else ()


def _note(note: Note) -> Markup:
    where = "across" if len(note.head) > MAX_IN_A_COLUMN else ""
    content = (element("h2", note.title), _text(OPTION.sub("", note.text)), _table(note))
    return element("section", content, class_=where if note.printed else "screen")


def _text(text: str) -> Iterator[Markup]:
    """The paragraphs of a text; lines that begin with a dash or a number become a list."""
    for part in text.split("\n\n") if text else ():
        lines = part.split("\n")
        if all(line.startswith("- ") for line in lines):
            yield element("ul", (element("li", _line(line[2:])) for line in lines))
        elif all(re.match(r"\d+\. ", line) for line in lines):
            yield element("ol", (element("li", _line(line.partition(" ")[2])) for line in lines))
        else:
            yield element("p", _line(" ".join(lines)))


def _line(text: str) -> Iterator[str]:
    """The parts of a line of a note; text between backticks becomes code."""
    for i, part in enumerate(re.split(r"`([^`]+)`", text)):
        yield element("code", part) if i % 2 else part


def _table(note: Note) -> Content:
    if not note.rows:
        return ()
    head = [element("th", cell, scope="col") for cell in note.head]
    rows = map(_row, note.rows)
    top = element("thead", element("tr", head)) if head else ()
    table = element("table", top, element("tbody", rows), class_="full")
    # A box that scrolls is reached with the tab key.
    return element("div", table, class_="wide", role="region", aria_label=note.title, tabindex="0")


def _row(cells: Sequence[str]) -> Markup:
    return element("tr", (element("td", OPTION.sub("", cell)) for cell in cells))
