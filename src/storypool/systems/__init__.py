"""The games: one folder each, imported on first use.

In each folder, `game` defines the whole game as `SYSTEM`, `dice` and `result` are what a roll
needs, `odds` computes the odds of a pool, and `stakes` the odds of an open action; `demo.play` is a
scene under way and `first_scene.play` one to begin with, `plays` are the tests of its rules, and
`reference.md` describes them. Code that games share is next to them, in folders without a `game`.

A game may also be an installed package that registers the entry point group `storypool.systems`,
with the key of the game as the name and its package as the value. The package has `ENGINE = 1`, the
version of the engine it was made for.

Or it is one file, `KEY.game.toml` (see `storypool.gamefile`), in a folder that `STORYPOOL_GAMES`
names or added. A package can have such a file as its `BASE`, and add to it what a file cannot say.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, cast

from storypool.engine import ENGINE
from storypool.systems.game_files import (
    compiled_file,
    file_key,
    files,
    is_one_page,
    kept,
    kept_game,
    one_page,
    text_in,
    written,
)
from storypool.words import Phrase, StorypoolError, package_file
from storypool.words.languages import ENGLISH, Language
from storypool.words.text_files import NotText, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from storypool.engine.bag import Bag
    from storypool.engine.dice import Die, Rolled
    from storypool.engine.game.system import System
    from storypool.engine.table import Table
    from storypool.gamefile.compiled import CompiledGame
    from storypool.systems.game_parts import Dice, Judge, Odds, Result
    from storypool.systems.odds_system import OddsSystem

__all__ = ["UnfitSystem", "UnknownSystem", "find", "get", "names", "playable"]


class UnknownSystem(StorypoolError, LookupError):
    """There is no game with this key; `known` lists the keys there are."""

    def __init__(self, key: str, known: tuple[str, ...]) -> None:
        self.key, self.known = key, known
        super().__init__(Phrase("no.system", key=key, known=", ".join(known)))


class UnfitSystem(UnknownSystem):
    """A game that this engine cannot play is installed; the text says what to do."""

    def __init__(self, key: str, known: tuple[str, ...], why: Phrase) -> None:
        super().__init__(key, known)
        self.args = (why,)


GROUP = "storypool.systems"
"""The entry point group by which other packages announce their games."""


@cache
def names() -> tuple[str, ...]:
    """The keys of all games in alphabetical order, without importing any."""
    return tuple(sorted({*_own(), *_announced(), *files()}))


def added(file: str | Path) -> str:
    """Add a game that is one file, and return its key.

    `Unread` lists what is wrong with it, `OSError` if it cannot be read. The key of a game of
    this folder or of a package cannot be taken: that is `UnfitSystem`.
    """
    from pathlib import Path  # slow to import, and not needed to roll

    path = Path(file)
    game = written(text_in(path), kept=False)
    if game.key in _own() or game.key in _announced():
        raise UnfitSystem(game.key, names(), Phrase("no.system.taken", key=game.key))
    files()[game.key] = str(path)
    _forget_games()
    return game.key


def of_table(table: Table, language: Language = ENGLISH) -> OddsSystem:
    """The game that a table plays now: the text that it keeps, or a game of this server.

    `UnknownSystem` where there is none, or the text makes another game than the table names.
    """
    if table.game and kept(table.game, before=True) != table.system:
        raise UnknownSystem(table.system, names())
    return get(table.system, language)


def newest(key: str) -> str:
    """The current text of this game's file, from which a table's may differ; "" for none."""
    file = files().get(file_key(key), "")
    with suppress(OSError, ValueError):
        text = text_in(file)
        if _READ.get(file, text) != text:
            _forget_games()
        _READ[file] = text
        return text
    return ""


def removed(key: str) -> None:
    """Remove a game that was `added`."""
    files().pop(key, None)
    _forget_games()


def playable() -> tuple[str, ...]:
    """The keys of the games that this engine can play; others may need another version."""
    return tuple(key for key in names() if _fits(key))


def get(key: str, language: Language = ENGLISH) -> OddsSystem:
    """The game with this key in a language, imported on first use.

    `UnknownSystem` lists the games there are; `ValueError` for a sentence of the language with
    a blank that nothing fills.
    """
    if (game := _kept_game(key)) is not None:
        return _whole(game, language)
    if language.folder is None:
        return _english(key)
    return _translated(key, language)


def _whole(game: CompiledGame, language: Language) -> OddsSystem:
    """A game that a table keeps, made once for each language."""
    found = game.spoken.get(language.key)
    if found is None:
        from storypool.engine.catalogue import translated
        from storypool.systems.odds_system import OddsSystem

        found = OddsSystem.of(game.system, lambda question: odds(game.key).reckon(question))
        if language.folder:
            found = translated(found, language.game(game.key))
        found = replace(found, versions=lambda table: of_table(table, language))
        game.spoken[language.key] = found
    return cast("OddsSystem", found)


@cache
def _english(key: str) -> OddsSystem:
    from storypool.systems.odds_system import OddsSystem

    system: System = _module(key, "game").SYSTEM
    found = OddsSystem.of(system, lambda question: odds(key).reckon(question))
    if key in files():
        return replace(found, versions=of_table)
    return found


@cache
def _translated(key: str, language: Language) -> OddsSystem:
    from storypool.engine.catalogue import translated

    found = translated(get(key), language.game(key))
    if found.versions:
        return replace(found, versions=lambda table: of_table(table, language))
    return found


def dice(key: str) -> Dice:
    """The module `dice` of a game, without importing its moves.

    `UnknownSystem` lists the games there are.
    """
    return cast("Dice", _module(key, "dice"))


def result(key: str) -> Result:
    """The module `result` of a game; `UnknownSystem` lists the games there are."""
    return cast("Result", _module(key, "result"))


def under(
    key: str, pool: Bag, terms: Mapping[str, str], language: Language = ENGLISH
) -> tuple[tuple[Die, ...], Judge]:
    """The dice of a pool under these terms, in printed order, and the reader of the roll.

    A game whose rolls depend on terms has the function `under` in its module `result`;
    `Refused` for unknown terms.
    """
    found = result(key)
    bound = getattr(found, "under", None)
    if bound is not None and (terms or hasattr(found, "assumed")):
        return cast("tuple[tuple[Die, ...], Judge]", bound(pool, terms, language))
    if terms:
        from storypool.odds.question import unknown

        raise unknown(next(iter(terms)), ())
    from storypool.engine.dice import in_order

    return in_order(pool, dice(key).DICE), lambda rolled: found.result(pool, rolled, language)


def rolls_on(key: str) -> Callable[[Sequence[Rolled]], bool]:
    """Whether a die of a game with these rolls is rolled once more, as one that explodes."""
    found = getattr(result(key), "rolls_on", lambda rolls: False)
    return cast("Callable[[Sequence[Rolled]], bool]", found)


def thrown(
    key: str, dice: Sequence[Die], roll: Callable[[Sequence[Die]], Sequence[Rolled]]
) -> tuple[tuple[Die, ...], tuple[Rolled, ...]]:
    """The dice, each with further ones for its further rolls where it explodes, and their faces.

    `roll` gets the dice, then those that are rolled once more, until none is.
    """
    on, rolls = rolls_on(key), [[one] for one in roll(dice)]
    while going := [n for n, each in enumerate(rolls) if on(each)]:
        for n, one in zip(going, roll([dice[n] for n in going]), strict=True):
            rolls[n].append(one)
    of_dice = [die for die, each in zip(dice, rolls, strict=True) for _ in each]
    return tuple(of_dice), tuple(one for each in rolls for one in each)


def assumed(
    key: str, terms: Mapping[str, str], pool: Mapping[str, int] | None = None
) -> dict[str, str]:
    """The missing terms that decide how a game reads a roll, with their defaults for a pool.

    They come from `assumed` in its module `result`; a game without that function has none.
    """
    found = getattr(result(key), "assumed", None)
    if found is not None:
        return cast("dict[str, str]", found(terms, pool))
    return {}


def odds(key: str) -> Odds:
    """The module `odds` of a game; `UnknownSystem` lists the games there are.

    `Refused` for a game that has no odds.
    """
    found = part(key, "odds")
    if found is None:
        from storypool.odds.question import no_odds

        why = "none" if dice(key).DICE else "dice"
        raise no_odds(why, "system", system=key)
    return cast("Odds", found)


def named(key: str) -> Mapping[str, Callable[..., Bag]]:
    """A game's names for tables of odds: functions from numbers of a sheet to dice.

    They are `NAMED` in its module `named`; a game without that module has none. `UnknownSystem`
    lists the games there are.
    """
    return cast("Mapping[str, Callable[..., Bag]]", getattr(part(key, "named"), "NAMED", {}))


@cache
def package(key: str) -> str:
    """The dotted name of a game's package, "" for a file.

    `UnknownSystem` lists the games there are; `UnfitSystem` says why this engine cannot play a
    game of another package.
    """
    if key in _own():
        return f"{__name__}.{key}"
    if is_one_page(key):
        return ""
    if key not in _announced():
        raise UnknownSystem(key, names())
    from_elsewhere = _announced()[key]
    try:
        made = getattr(import_module(from_elsewhere), "ENGINE", None)
    except (ImportError, ValueError) as error:
        why = Phrase("no.system.broken", key=key, package=from_elsewhere, why=error)
        raise UnfitSystem(key, names(), why) from None
    if made is None:
        raise UnfitSystem(
            key,
            names(),
            Phrase("no.system.engine.none", key=key, package=from_elsewhere, ours=ENGINE),
        )
    if made != ENGINE:
        why = Phrase("no.system.engine", key=key, package=from_elsewhere, made=made, ours=ENGINE)
        raise UnfitSystem(key, names(), why)
    return from_elsewhere


def is_known(key: str) -> bool:
    """Whether there is a game with this key, or a table keeps one."""
    return key in _own() or key in names() or is_one_page(key)


def file_of(key: str) -> str:
    """The path of a game that is one file; "" for any other."""
    return files().get(key, "")


def is_file(key: str) -> bool:
    """Whether a game is one file, or has one as its base, so that other modules are optional."""
    return file_behind(key) is not None


def folder(key: str) -> Path:
    """The folder of a game with all its files; `UnknownSystem` lists the games there are."""
    from pathlib import Path  # slow to import, and not needed to roll

    if is_one_page(key):
        return Path(files().get(key, "")).parent / key
    return Path(package_file(package(key)))


def demo(key: str) -> str | None:
    """The text of a game's `demo.play`, a scene under way, or None."""
    return _scene(key, "demo")


def first_scene(key: str) -> str | None:
    """The text of a game's `first_scene.play`, ready to be played, or None."""
    return _scene(key, "first_scene")


def _scene(key: str, name: str) -> str | None:
    if (game := one_page(key)) is not None and (text := getattr(game.game, name)):
        return str(text)
    file = folder(key).joinpath(f"{name}.play")
    if file.is_file():
        return text_of(file.read_bytes())
    base = file_behind(key)
    if base is not None:
        return str(getattr(base.game, name)) or None
    return None


def data(key: str, name: str) -> Mapping[str, Any]:
    """The data of a game's NAME.toml, or of the table NAME in its file; {} without either."""
    game, file = file_behind(key), folder(key).joinpath(f"{name}.toml")
    if game is not None and (is_one_page(key) or not file.is_file()):
        return cast("Mapping[str, Any]", getattr(game.game, name))
    import tomllib

    if file.is_file():
        return tomllib.loads(text_of(file.read_bytes()))
    return {}


def plays(key: str) -> dict[str, str]:
    """The plays that test a game's rules: texts by file name, in alphabetical order.

    `NotText` says which of them is none, and why.
    """
    place = folder(key).joinpath("plays")
    if not place.is_dir():
        return {}
    found = sorted(place.iterdir(), key=lambda file: file.name)
    return {file.name: _play(file) for file in found if file.name.endswith(".play")}


def _play(file: Path) -> str:
    try:
        return text_of(file.read_bytes())
    except NotText as wrong:
        wrong.file = f"plays/{file.name}"
        raise


def find() -> dict[str, System]:
    """Import every game that this engine can play, and return them by key."""
    return {key: get(key) for key in playable()}


_READ: dict[str, str] = {}  # The texts of files as they were read last, by their paths.


def _kept_game(key: str) -> CompiledGame | None:
    """The game that a table keeps by this key: one in play, or a file's current text."""
    if kept_game(key) is None and file_key(key) != key and (text := newest(key)):
        with suppress(ValueError):
            kept(text, before=True)
    return kept_game(key)


def look_again() -> None:
    """Forget the known games, because a package was installed or removed."""
    for found in (_own, _announced, _is_there):
        found.cache_clear()
    _forget_games()


def _forget_games() -> None:
    """Forget what is known of each game, because a file was added, removed or changed."""
    for found in (names, package, _english, _translated, compiled_file):
        found.cache_clear()


def file_behind(key: str) -> CompiledGame | None:
    """The file of a game, or the `BASE` of its package; None without one."""
    return one_page(key) or getattr(import_module(package(key)), "BASE", None)


def _module(key: str, name: str) -> Any:
    """Return a module that every game has."""
    found = part(key, name)
    if found is None:
        return import_module(f"{package(key)}.{name}")
    return found


def part(key: str, name: str) -> Any:
    """An optional module of a game, or None: its package's, or the replacement from its file."""
    if key not in _own() and is_one_page(key):
        module = ""
    else:
        module = f"{package(key)}.{name}"
    if module and _is_there(module):
        return import_module(module)
    game = file_behind(key)
    return None if game is None else game.modules.get(name)


@cache
def _is_there(module: str) -> bool:
    return find_spec(module) is not None


@cache
def _own() -> frozenset[str]:
    """The keys of the games in this folder, without the slow search for other packages."""
    entries = (entry for folder in __path__ for entry in os.scandir(folder) if entry.is_dir())
    return frozenset(
        entry.name for entry in entries if os.path.isfile(os.path.join(entry.path, "game.py"))
    )


@cache
def _announced() -> Mapping[str, str]:
    """The packages of the games that are installed next to Storypool, by key."""
    from importlib.metadata import entry_points  # slow to import, and not needed to roll

    return {one.name: one.value for one in entry_points(group=GROUP)}


def _fits(key: str) -> bool:
    try:
        package(key)
    except UnfitSystem:
        return False
    return True
