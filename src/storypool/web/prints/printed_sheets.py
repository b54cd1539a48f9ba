"""The sheets of a table as one page to print: characters with room to mark points, and traits."""

from collections.abc import Iterable, Iterator, Mapping

from storypool.engine.game.panels import BoxesPanel, SlotsPanel, TracksPanel, WordsPanel
from storypool.engine.game.system import System
from storypool.engine.table import Character, Seat, Table, Trait, Value
from storypool.pictures.markup import Content, Markup, element, fragment
from storypool.web.prints.printed_reference import document
from storypool.words import Words
from storypool.words.languages import ENGLISH, Language

MAX_BOXES = 25
"""The longest track of boxes; a longer one is a line to write a number on."""


def paper_page(
    system: System, table: Table, seat: Seat | None = None, language: Language = ENGLISH
) -> Markup:
    """The sheets of a table as HTML, as one seat sees it (`sight.seen`).

    The numbers of the GM's characters are only for GMs, and for a player who plays one; None is a
    GM.
    """
    words = language.program
    there = [one for one in table.characters.values() if one.side != "none" or one.seat]
    if seat is not None and seat.side != "gm":
        there = [one for one in there if one.side == "players" or one.seat == seat.id]
    sides = (
        ("players", [one for one in there if one.side == "players"]),
        ("gm", [one for one in there if one.side != "players"]),
    )
    body = [element("h1", _own(table.title)), element("p", system.name)]
    for side, people in sides:
        if people:
            body.append(
                element("h2", words.say(f"print.{side}", gm=system.words["wait.gm"]), class_="side")
            )
            sheets = (_Sheet(system, table, one, words).html() for one in people)
            body.append(element("div", sheets, class_="columns"))
    body += _truths(system, table, words)
    if not there:
        body.append(element("p", words["print.nobody"]))
    return document(words.say("print.sheets", title=table.title), body, words)


def ready_sheets(system: System, language: Language = ENGLISH) -> Iterator[Markup]:
    """The sheets of a game's ready characters, and an empty one, with room to mark points."""
    words = language.program
    blank: Mapping[str, object] = {"name": words["print.blankName"], "sheet": {}}
    default = {one.key: one.default for one in system.sheet if one.given}
    people = []
    for n, one in enumerate([*system.ready, blank]):
        sheet = one.get("sheet", {})
        assert isinstance(sheet, Mapping)
        people.append(Character(f"ready{n}", str(one["name"]), sheet={**default, **sheet}))
    table = Table(characters={one.id: one for one in people})
    yield element("h2", words["print.ready"], class_="side")
    yield element(
        "div", (_Sheet(system, table, one, words).html() for one in people), class_="columns"
    )


def _own(text: str) -> Markup:
    """A text of a person, isolated in its own direction of writing."""
    return element("bdi", text)


def _label(word: str) -> str:
    """A word as the beginning of a label."""
    return word[:1].upper() + word[1:]


def _truths(system: System, table: Table, words: Words) -> Iterator[Markup]:
    turns = {panel.trait for panel in system.panels if isinstance(panel, SlotsPanel)}
    about = (*table.characters, "@players", "@gm")
    truths = [
        _noted(system, one)
        for one in table.traits.values()
        if one.text and one.about not in about and one.kind not in (*turns, "talent", "encounter")
    ]
    if truths:
        yield element("section", element("h2", words["print.truths"], class_="side"), _list(truths))


def _list(texts: Iterable[Content]) -> Markup:
    return element("ul", (element("li", text) for text in texts))


def _noted(system: System, one: Trait) -> Content:
    """The text of a statement, with its kind and its rank if it has them."""
    note = system.note(one)
    return (_own(one.text), f" ({note})") if note else _own(one.text)


def _group(title: str, content: Markup) -> Markup:
    return fragment(element("p", title, class_="group quiet fine strong"), content)


class _Sheet:
    """One character's sheet."""

    def __init__(self, system: System, table: Table, one: Character, words: Words) -> None:
        self.system, self.table, self.one, self.words = system, table, one, words
        self.traits = [
            trait for trait in table.traits.values() if trait.about == one.id and trait.text
        ]

    def html(self) -> Markup:
        """The sheet as HTML."""
        drawn = set[str]()
        parts = [*self._tracks(), *self._boxes(drawn), *self._numbers(), *self._words(drawn)]
        rest = [
            _noted(self.system, one)
            for one in self.traits
            if one.kind not in drawn and not one.goal
        ]
        if rest:
            parts.append(_group(self.words["print.true"], _list(rest)))
        blank = element("p", self.words["print.notes"], class_="blank-lines quiet fine")
        return element(
            "article",
            element("h3", _own(self.one.name), class_="lead"),
            self._who(),
            parts,
            blank,
            class_="sheet",
        )

    def _who(self) -> Content:
        seat: Seat | None = self.table.seats.get(self.one.seat)
        before, _, after = self.words.say("print.played", who="\0").partition("\0")
        played = fragment(before, _own(seat.name), after) if seat else ""
        hidden = self.words["print.hidden"] if self.one.seen_by is not None else ""
        parts = (played, " · " if played and hidden else "", hidden)
        return element("p", parts, class_="who quiet fine") if played or hidden else ()

    def _tracks(self) -> Iterator[Markup]:
        panel = next(
            (panel for panel in self.system.panels if isinstance(panel, TracksPanel)), None
        )
        full = dict(zip(panel.accounts, panel.full, strict=False)) if panel else {}
        for account in self.system.accounts:
            if account.each == "character":
                of_sheet = self.one.rating(full.get(account.name, ""))
                n = self.table.balance(account.name, self.one.id)
                # The sheet has the first balance; points may rise above it.
                most = (
                    account.most(self.table, self.one.id) if of_sheet is None else max(of_sheet, n)
                )
                name = _label(self.system.plural(account.name))
                # Leave out points that the table's options exclude.
                if n or account.most(self.table, self.one.id) != 0:
                    least = account.least(self.table, self.one.id)
                    yield self._marks(name, most, set(range(1, n + 1)), least=least, n=n)

    def _boxes(self, drawn: set[str]) -> Iterator[Markup]:
        for panel in self.system.panels:
            if isinstance(panel, BoxesPanel):
                drawn.add(panel.trait)
                checked = {
                    one.rating
                    for one in self.table.traits.values()
                    if one.kind == panel.trait and one.about == self.one.id
                }
                default = next(
                    (entry.default for entry in self.system.sheet if entry.key == panel.count), 0
                )
                n = max(self.one.rating(panel.count) or default, *checked, 0)
                if n:
                    yield self._marks(panel.title, n, checked, numbered=True)

    def _marks(
        self,
        name: str,
        most: int | None,
        marked: set[int],
        *,
        numbered: bool = False,
        least: int = 0,
        n: int = 0,
    ) -> Markup:
        """A track: boxes with these marked, or room for a number where they cannot show it.

        Boxes show no debt, so where there can be one the number stands next to its floor and cap.
        """
        room: Content
        if least < 0 or most is None or not 0 < most <= MAX_BOXES:
            bounds = "" if most is None else f" / {most}"
            if least < 0:
                bounds = f" ({least} … {'' if most is None else most})"
            room = (element("span", n or len(marked) or "", class_="room"), bounds)
        else:

            def sign(i: int) -> Content:
                if i in marked:
                    return "×"
                return i if numbered else ""

            room = (element("span", sign(i), class_="mark") for i in range(1, most + 1))
        return element(
            "p",
            element("span", name),
            " ",
            element("span", room, class_="marks cluster gap-0"),
            class_="track cluster between lines-0",
        )

    def _numbers(self) -> Iterator[Markup]:
        shown = set[str]()
        for panel in self.system.panels:
            if isinstance(panel, TracksPanel):
                shown.update(panel.full)
            elif isinstance(panel, BoxesPanel):
                shown.add(panel.count)
        groups: dict[str, list[tuple[str, Value]]] = {}
        for entry in self.system.sheet:
            if self.one.sheet.get(entry.key, "") != "" and entry.key not in shown:
                group = groups.setdefault(self.system.group(entry.group), [])
                group.append((entry.label, self.one.sheet[entry.key]))
        known = {entry.key for entry in self.system.sheet}
        # A game's own notes about a character are not numbers.
        own: list[tuple[str, Value]] = [
            (key, n) for key, n in self.one.sheet.items() if key not in known and isinstance(n, int)
        ]
        titled = list(groups.items())
        if own:
            titled.append((self.words["print.own"], own))
        for title, numbers in titled:
            rows = (_row(label, n) for label, n in numbers)
            yield _group(title, element("dl", rows))

    def _words(self, drawn: set[str]) -> Iterator[Markup]:
        labels = {entry.key: entry.label for entry in self.system.sheet}
        for panel in self.system.panels:
            if isinstance(panel, WordsPanel):
                for kind in panel.traits:
                    drawn.add(kind)
                    own = [one for one in self.traits if one.kind == kind]
                    items = (element("li", self._word(one, labels, panel.struck)) for one in own)
                    title = panel.words.get(kind) or _label(self.system.plural(kind))
                    if own:
                        yield _group(title, element("ul", items))

    def _word(self, one: Trait, labels: dict[str, str], struck: str) -> Content:
        text: Content = _noted(self.system, one)
        if struck and one.terms.get(struck):
            text = element("s", text)
        return fragment(element("strong", labels[one.at]), " ", text) if one.at in labels else text


def _row(label: str, value: Value) -> Markup:
    """An entry with its number, or with its text in lines."""
    shown: Content = str(value)
    if isinstance(value, str):
        shown = tuple(element("div", _own(line)) for line in value.splitlines())
    return element("div", element("dt", _own(label)), element("dd", shown, class_="strong"))
