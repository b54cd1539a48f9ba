"""The sheets of a table as one plain page to print: its characters, with room to mark points, and what is true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from storypool.engine.game.panels import BoxesPanel, SlotsPanel, TracksPanel, WordsPanel
from storypool.engine.game.system import System
from storypool.engine.table import Character, Seat, Table, Trait, Value
from storypool.web.prints.printable import document
from storypool.words import Words
from storypool.words.languages import ENGLISH, Language

MOST_BOXES = 25
"""A track with more to mark is a line to write a number on."""


def paper_page(system: System, table: Table, language: Language = ENGLISH) -> str:
    """Return the sheets of a table as HTML, of what this table shows: one seat's view of it, from `sight.seen`."""
    said = language.program
    there = [one for one in table.characters.values() if one.side != "none" or one.seat]
    sides = (
        ("players", [one for one in there if one.side == "players"]),
        ("gm", [one for one in there if one.side != "players"]),
    )
    parts = [f"<h1>{_own(table.title)}</h1><p>{escape(system.name)}</p>"]
    for side, people in sides:
        if people:
            sheets = "".join(_Sheet(system, table, one, said).html() for one in people)
            title = said.say(f"print.{side}", gm=system.words["wait.gm"])
            parts.append(f'<h2 class="side">{escape(title)}</h2><div class="columns">{sheets}</div>')
    parts.append(_truths(system, table, said))
    if not there:
        parts.append(f"<p>{escape(said['print.nobody'])}</p>")
    return document(said.say("print.sheets", title=table.title), "".join(parts), said)


def _own(text: str) -> str:
    """Return what somebody wrote as HTML: it runs in its own direction, whatever stands around it."""
    return f"<bdi>{escape(text)}</bdi>"


def _label(word: str) -> str:
    """Return a word as it begins a label."""
    return word[:1].upper() + word[1:]


def _truths(system: System, table: Table, said: Words) -> str:
    turns = {panel.trait for panel in system.panels if isinstance(panel, SlotsPanel)}
    about = (*table.characters, "@players", "@gm")
    truths = [
        one
        for one in table.traits.values()
        if one.text and one.about not in about and one.kind not in (*turns, "talent")
    ]
    if not truths:
        return ""
    return f'<section><h2 class="side">{escape(said["print.truths"])}</h2>{_list(one.text for one in truths)}</section>'


def _list(texts: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{_own(text)}</li>' for text in texts)}</ul>"


class _Sheet:
    """One character's sheet."""

    def __init__(self, system: System, table: Table, one: Character, said: Words) -> None:
        self.system, self.table, self.one, self.said = system, table, one, said
        self.traits = [trait for trait in table.traits.values() if trait.about == one.id and trait.text]

    def html(self) -> str:
        """Return the sheet as HTML."""
        drawn = set[str]()
        parts = [*self._tracks(), *self._boxes(drawn), *self._numbers(), *self._words(drawn)]
        rest = [one.text for one in self.traits if one.kind not in drawn and not one.goal]
        if rest:
            parts.append(f'<p class="group">{escape(self.said["print.true"])}</p>{_list(rest)}')
        blank = f'<p class="blank-lines">{escape(self.said["print.notes"])}</p>'
        return f'<article class="sheet"><h3>{_own(self.one.name)}</h3>{self._who()}{"".join(parts)}{blank}</article>'

    def _who(self) -> str:
        seat: Seat | None = self.table.seats.get(self.one.seat)
        played = escape(self.said.say("print.played", who="\0")).replace("\0", _own(seat.name)) if seat else ""
        hidden = escape(self.said["print.hidden"]) if self.one.seen_by is not None else ""
        told = " · ".join(filter(None, (played, hidden)))
        return f'<p class="who">{told}</p>' if told else ""

    def _tracks(self) -> Iterator[str]:
        panel = next((panel for panel in self.system.panels if isinstance(panel, TracksPanel)), None)
        full = dict(zip(panel.accounts, panel.full, strict=False)) if panel else {}
        for account in self.system.accounts:
            if account.each == "character":
                of_sheet = self.one.rating(full.get(account.name, ""))
                most = account.most(self.table, self.one.id) if of_sheet is None else of_sheet
                n = self.table.balance(account.name, self.one.id)
                yield self._marks(_label(self.system.plural(account.name)), most, set(range(1, n + 1)))

    def _boxes(self, drawn: set[str]) -> Iterator[str]:
        for panel in self.system.panels:
            if isinstance(panel, BoxesPanel):
                drawn.add(panel.trait)
                checked = {
                    one.rating
                    for one in self.table.traits.values()
                    if one.kind == panel.trait and one.about == self.one.id
                }
                default = next((entry.default for entry in self.system.sheet if entry.key == panel.count), 0)
                n = max(self.one.rating(panel.count) or default, *checked, 0)
                if n:
                    yield self._marks(panel.title, n, checked, numbered=True)

    def _marks(self, name: str, most: int | None, marked: set[int], *, numbered: bool = False) -> str:
        """Return a track as HTML: boxes of which these are marked, or room for a number where there are too many."""
        if most is None or not 0 < most <= MOST_BOXES:
            of = "" if most is None else f" / {most}"
            room = f'<span class="room">{len(marked) or ""}</span>{of}'
        else:
            room = "".join(
                f'<span class="mark">{"×" if i in marked else i if numbered else ""}</span>' for i in range(1, most + 1)
            )
        return f'<p class="track"><span>{escape(name)}</span> <span class="marks">{room}</span></p>'

    def _numbers(self) -> Iterator[str]:
        full = {key for panel in self.system.panels if isinstance(panel, TracksPanel) for key in panel.full}
        counts = {panel.count for panel in self.system.panels if isinstance(panel, BoxesPanel)}
        groups: dict[str, list[tuple[str, Value]]] = {}
        for entry in self.system.sheet:
            if entry.key in self.one.sheet and entry.key not in full | counts:
                groups.setdefault(self.system.group(entry.group), []).append((entry.label, self.one.sheet[entry.key]))
        known = {entry.key for entry in self.system.sheet}
        # What a game notes of somebody in words of its own is no number.
        own: list[tuple[str, Value]] = [
            (key, n) for key, n in self.one.sheet.items() if key not in known and isinstance(n, int)
        ]
        for group, numbers in (*groups.items(), *([(self.said["print.own"], own)] if own else [])):
            rows = "".join(f"<div><dt>{_own(label)}</dt><dd>{escape(str(n))}</dd></div>" for label, n in numbers)
            yield f'<p class="group">{escape(group)}</p><dl>{rows}</dl>'

    def _words(self, drawn: set[str]) -> Iterator[str]:
        labels = {entry.key: entry.label for entry in self.system.sheet}
        for panel in self.system.panels:
            if isinstance(panel, WordsPanel):
                for kind in panel.traits:
                    drawn.add(kind)
                    own = [one for one in self.traits if one.kind == kind]
                    items = "".join(f"<li>{self._word(one, labels, panel.struck)}</li>" for one in own)
                    title = panel.words.get(kind) or _label(self.system.plural(kind))
                    if own:
                        yield f'<p class="group">{escape(title)}</p><ul>{items}</ul>'

    def _word(self, one: Trait, labels: dict[str, str], struck: str) -> str:
        text = f"<s>{_own(one.text)}</s>" if struck and one.terms.get(struck) else _own(one.text)
        return f"<strong>{escape(labels[one.at])}</strong> {text}" if one.at in labels else text
