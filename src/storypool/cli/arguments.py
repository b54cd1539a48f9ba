"""Arguments of commands: a game by its key, a pool by its notation. Bad ones raise `Refused`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from storypool import systems
from storypool.cli.refusals import denied
from storypool.engine.notation import Notation, NotationError
from storypool.engine.refusal import Refusal, Refused
from storypool.systems import game_files
from storypool.words.languages import ENGLISH, Language

if TYPE_CHECKING:
    from pathlib import Path

    from storypool.engine.bag import Bag
    from storypool.engine.game.system import System
    from storypool.gamefile import Unread
    from storypool.systems.game_parts import Dice


def game(text: str) -> str:
    """The key of a game from its key or its single-file game; `Refused` for an invalid file."""
    if not text.endswith(game_files.ENDING):
        return text
    from storypool.gamefile import Unread  # only a file needs it

    try:
        return systems.added(text)
    except Unread as wrong:
        raise unread(wrong, text) from None
    except systems.UnknownSystem as unknown:
        raise _no_system(unknown) from None
    except OSError as wrong:
        raise denied(
            "unknown", "game.unread", "system", file=text, why=wrong.strerror or wrong
        ) from None


def unread(wrong: Unread, file: str = "") -> Refused:
    """The refusal of a game file with mistakes: the first one, with its line."""
    first = wrong.mistakes[0]
    return denied(
        "argument", "game.file", "system", file=file or wrong.file, line=first.line, why=first.what
    )


def add_game_near(key: str, play: Path) -> None:
    """Add the game with this key from a file next to a play, or above; `Refused` if invalid."""
    if key in systems.names() and not systems.file_of(key):
        return
    for folder in play.resolve().parents:
        files = sorted(
            folder.glob(f"*{game_files.ENDING}"),
            key=lambda file: not file.name.startswith(f"{key}."),
        )
        for file in files:
            named = file.name == f"{key}{game_files.ENDING}"
            if (named or _has_key(file, key)) and game(str(file)) == key:
                return


def _has_key(file: Path, key: str) -> bool:
    """Whether a game file has this key, even one with mistakes."""
    try:
        head = re.split(r"^\s*\[", game_files.text_in(file), maxsplit=1, flags=re.MULTILINE)[0]
    except (OSError, ValueError):
        return False
    return re.search(rf"""^\s*key\s*=\s*(["']){re.escape(key)}\1""", head, re.MULTILINE) is not None


def system(key: str, language: Language = ENGLISH) -> System:
    """The game with this key in a language; `Refused` lists the known games."""
    try:
        return systems.get(key, language)
    except systems.UnknownSystem as unknown:
        raise _no_system(unknown) from None


def known(key: str) -> None:
    """Raise `Refused` unless this engine can play a game with this key; it is not imported."""
    try:
        systems.package(key)
    except systems.UnknownSystem as unknown:
        raise _no_system(unknown) from None


def dice(key: str) -> Dice:
    """The dice of the game with this key, without its moves; `Refused` lists the known games.

    A game without dice is refused too.
    """
    try:
        found = systems.dice(key)
    except systems.UnknownSystem as unknown:
        raise _no_system(unknown) from None
    if not found.DICE:
        from storypool.odds.question import no_odds

        raise no_odds("dice", "system", system=key)
    return found


def _no_system(unknown: systems.UnknownSystem) -> Refused:
    return Refused(Refusal.of("unknown", unknown, "system"))


def pool_of(notation: Notation, text: str, field: str = "pool") -> Bag:
    """The pool that a text describes; `Refused` has the position, and the expected text."""
    try:
        return notation.thrown(notation.parse(text))
    except NotationError as wrong:
        raise Refused(Refusal.of("argument", wrong, field)) from None
