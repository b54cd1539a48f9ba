"""An invented language of other letters, which reveals sentences outside the catalogue."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from storypool import systems
from storypool.engine import story
from storypool.engine.catalogue import whole
from storypool.engine.events import (
    CheckChanged,
    CheckOpened,
    DiceRolled,
    Event,
    MoveMade,
    PointsSet,
    ProposalSettled,
    Proposed,
    Record,
    Rewound,
    TraitRemoved,
    TraitSet,
)
from storypool.engine.game.asks import AskView
from storypool.engine.game.system import System
from storypool.engine.offers import Offer, offers
from storypool.engine.refusal import Refusal
from storypool.engine.table import Check, Table
from storypool.play import Play
from storypool.play.text import Acting, Offering, Seeing, Statement
from storypool.words import as_toml, english
from storypool.words.languages import Language, languages
from tests.performed_plays import Played

LATIN = string.ascii_uppercase + string.ascii_lowercase
OTHER = str.maketrans(
    LATIN, "".join(chr(ord("А" if c.isupper() else "а") + ord(c.upper()) - ord("A")) for c in LATIN)
)
"""Each Latin letter as a Cyrillic one of the same case."""
WORD = re.compile(r"[A-Za-z]+")


def foreign(text: str) -> str:
    """A sentence in this language with its original blanks.

    >>> foreign("{who} has {n}."), foreign("")
    ('{who} зат {n}.', '')
    """
    translated = ""
    for own, blank, _, _ in string.Formatter().parse(text):
        translated += own.translate(OTHER).replace("{", "{{").replace("}", "}}")
        translated += "" if blank is None else f"{{{blank}}}"
    return translated


@cache
def bare(text: str) -> frozenset[str]:
    """The words of a text from outside the catalogue: the values of its blanks."""
    return frozenset(WORD.findall(text))


def words_in(texts: Iterable[str]) -> set[str]:
    """Every word of these texts."""
    return {word for text in texts for word in WORD.findall(text)}


def nobodys(folder: Path) -> Language:
    """This language, read from a folder's files like any other."""
    _write(folder / "program.toml", english())
    for key in systems.names():
        _write(folder / f"{key}.toml", whole(systems.get(key)))
    return languages(folder).default


def _write(file: Path, texts: Mapping[str, str]) -> None:
    translated = {key: text if key == "language" else foreign(text) for key, text in texts.items()}
    file.write_text(as_toml(translated), encoding="utf-8")


def typed_dice(system: System) -> set[str]:
    """The words of the notation."""
    return words_in(
        [
            *(die.name for die in system.dice),
            "vs",
            "no dice",
            *map("".join, system.notation.schemes.values()),
        ]
    )


def typed_codes(system: System) -> set[str]:
    """The words that can be typed as a key."""
    return words_in([*whole(system), *(row.name for row in system.accounts), "t c p"])


def of_refusal(refusal: Refusal) -> Iterator[str]:
    """The texts of a refusal."""
    yield from (refusal.text, refusal.remedy, refusal.rule)


def of_ask(ask: AskView) -> Iterator[str]:
    """The texts of a question and of its answers."""
    yield ask.label
    for choice in ask.choices:
        yield from (choice.label, choice.note)


def of_offer(offer: Offer) -> Iterator[str]:
    """The texts of a button and around it."""
    yield from (offer.title, offer.rule, offer.caution)
    for refusal in (*offer.all_closed, *([offer.closed] if offer.closed else [])):
        yield from of_refusal(refusal)
    for ask in offer.asks:
        yield from of_ask(ask)


def of_check(check: Check) -> Iterator[str]:
    """The page's texts about an action."""
    yield check.title
    yield from (mod.why for mod in check.mods)
    if check.outcome is not None:
        yield check.outcome.words


def of_event(event: Event | None) -> Iterator[str]:
    """The page's texts from an event, in addition to its sentence."""
    match event:
        case (
            PointsSet(why=why)
            | DiceRolled(why=why)
            | ProposalSettled(why=why)
            | TraitRemoved(why=why)
        ):
            yield why
        case TraitSet(trait):
            yield trait.text
        case CheckOpened(check):
            yield from of_check(check)
        case CheckChanged(check, what):
            yield from (*of_check(check), what)
        case Proposed(proposal):
            yield from (proposal.text, *proposal.set_aside)
        case MoveMade(set_aside=aside):
            yield from aside
        case Rewound(what=what):
            yield what


def of_offers(system: System, table: Table, seat: str) -> Iterator[str]:
    """The texts of a seat's buttons."""
    for offer in offers(system, table, seat):
        yield from of_offer(offer)


def of_log(system: System, records: list[Record]) -> Iterator[str]:
    """The texts of a log: each record's sentence, and the page's texts from it."""
    yield from story.sentences(records, system)
    for record in records:
        yield from of_event(record.event)


def not_in_catalogue(texts: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """Each unknown word from outside the catalogue, with a text that has it."""
    known = set(known)
    return {word: text for text in texts for word in bare(text) - known}


def without_words(played: Played) -> Play:
    """A play without words: answers by values, and refusals by code."""
    kept: list[Statement] = []
    for statement, (step, _) in zip(played.play.statements, played.statements, strict=True):
        if isinstance(statement, Acting):
            codes = tuple(expect[:2] for expect in statement.expects if expect[0] == "refused:")
            made = next((event for event in step.events if isinstance(event, MoveMade)), None)
            args = {**statement.args, **(dict(made.args) if made else {})}
            answered = {name: value for name, value in args.items() if name in statement.args}
            kept.append(replace(statement, args=answered, expects=codes))  # type: ignore[arg-type]
        elif not isinstance(statement, (Seeing, Offering)):
            kept.append(statement)
    return replace(played.play, statements=tuple(kept))
