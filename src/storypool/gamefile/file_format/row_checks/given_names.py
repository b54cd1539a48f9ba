"""Names that a game file gives: each is a key, means one thing, and is not the house's own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from storypool.gamefile.file_format.expressions import WORDS
from storypool.gamefile.file_format.readable_names import OUTCOME, PLAYERS, ROUND, SIDE
from storypool.gamefile.file_format.schema import GameFile
from storypool.gamefile.file_rolls.action_names import KEY
from storypool.gamefile.turns.turn_order import THROWN
from storypool.words import Phrase

__all__ = ["OF_TURNS", "RESERVED", "names_twice", "wrong_key"]

RESERVED = frozenset(
    {"as", "face", OUTCOME, SIDE, "title", "pay", "faces", "secret", "check", *WORDS}
)
"""Names that have a meaning of their own."""
OF_TURNS = frozenset({ROUND, THROWN})
"""Names that have a meaning of their own in a game with turns."""

Path = tuple[str | int, ...]
Found = Iterator[tuple[Path, Phrase]]


def names_twice(game: GameFile, symbols: Iterable[str], taken: Iterable[str]) -> Found:
    """Each wrong name, and each with two meanings; `taken` have one already."""
    places: list[tuple[Path, str]] = [(("dice", name), name) for name in game.dice]
    places += [(("deck", name), name) for name in game.deck]
    places += [(("symbols", name), name) for name in symbols]
    places += [(("points", name), name) for name in game.points]
    for group, entries in game.sheet.items():
        places += [(("sheet", group, "entries"), name) for name in entries.entries]
    places += [(("option", name), name) for name in game.option]
    seen = {*taken}
    yield from _new(game, places, seen)
    for n, action in enumerate(game.actions):
        own: list[tuple[Path, str]] = []
        own += [(("action", n, "asks", i), ask.name) for i, ask in enumerate(action.asks)]
        for part in ("terms", "figures", "counts"):
            own += [(("action", n, part, name), name) for name in getattr(action, part)]
        yield from _new(game, own, set(seen))
    for where in ("trait", "sheet", "effects"):
        for name in getattr(game, where):
            yield from wrong_key(game, (where, name), name)


def wrong_key(game: GameFile, path: Path, name: str) -> Found:
    """The mistake of a name that is not a key, or has a meaning of its own."""
    if name in RESERVED:
        yield path, Phrase("gamefile.reserved", name=name)
    elif name == PLAYERS or (game.turns is not None and name in OF_TURNS):
        yield path, Phrase("gamefile.silent.reserved", name=name)
    elif not KEY.fullmatch(name):
        yield path, Phrase("gamefile.key", got=name[:40])


def _new(game: GameFile, places: Iterable[tuple[Path, str]], seen: set[str]) -> Found:
    """Mistakes in new names: not a key, or `seen` before. Adds them to `seen`."""
    for path, name in places:
        yield from wrong_key(game, path, name)
        if name in seen:
            yield path, Phrase("gamefile.twice", name=name)
        seen.add(name)
