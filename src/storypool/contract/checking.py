"""The check of a whole game: its folder, rows, plays, counts, and random play."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from importlib import import_module

from storypool import systems
from storypool.contract.file_moves import in_file
from storypool.contract.finding import Finding, error_text, finding, place
from storypool.contract.game_rows import rows
from storypool.contract.material import HOUSE, Material, material
from storypool.contract.perft import changes
from storypool.contract.random_play import BrokenOff, play
from storypool.engine.game.system import System
from storypool.play import PlayError, perform, read
from storypool.words import Phrase
from storypool.words.text_files import NotText

MOVES_A_GAME = 150
"""The number of moves tried in one random game."""
FEWEST_MOVES = 60
"""The least number of moves tried in a game of a quick check."""
MAX_BROKEN = 3
"""The most random games that break off before no more are played."""
MIN_GAMES = 30
"""From this many random games on, every move must have been made; up to five times as many run."""


Progress = Callable[[int, int], object]
"""Called with the number of finished random games, and the most that there are."""


def check(
    key: str,
    games: int,
    first: int = 0,
    walks: int = 0,
    *,
    enough: int = 0,
    progress: Progress = lambda done, most: None,
) -> Iterator[Finding]:
    """Findings about this game as they are found; none for a game that keeps every promise.

    `games` random games are played from seed `first`, with `walks` further walks of each kind after
    every tenth try (see `contract.play`). With `enough` they end earlier: once that many have made
    every move, or one less in a row no further move of the game; each is shorter than the last.
    `UnknownSystem` for an unknown game, `UnfitSystem` for one made for another engine.
    """
    found = _findings(key, games, first, walks=walks, enough=enough, progress=progress)
    if not systems.is_file(key):
        yield from found
        return
    for one in found:
        yield in_file(key, one)


def _findings(
    key: str, games: int, first: int, *, walks: int, enough: int, progress: Progress
) -> Iterator[Finding]:
    package = systems.package(key)
    # A module that a package lacks comes from its base file.
    needed = ("game",) if systems.is_file(key) else ("dice", "result", "game")
    for module in needed if package else ():
        try:
            import_module(f"{package}.{module}")
        except Exception as error:
            yield finding(f"{module}.py", "module", error=error_text(error), place=place(error))
            return
    try:
        system = systems.get(key)
        brings = material(key)
    except AttributeError:
        yield finding("game.py", "system", key=key)
        return
    except ValueError as error:
        file = error.file if isinstance(error, NotText) else "check.toml"
        yield finding(file, "brought", why=error)
        return
    if system.key != key:
        yield finding("game.py", "key", key=key, own=system.key)
        return
    yield from rows(system, brings)
    if len({move.key for move in system.moves}) < len(system.moves):
        return
    yield from plays(system, brings)
    yield from vector_findings(system)
    yield from at_random(
        system, brings, games, first, walks=walks, enough=enough, progress=progress
    )


def plays(system: System, brings: Material) -> Iterator[Finding]:
    """Findings about the plays of a game and its demo scene, with file and line."""
    alone = systems.is_file(system.key)
    if not brings.plays and not alone:
        yield finding("plays", "plays.none")
    texts = {f"plays/{name}": text for name, text in brings.plays.items()}
    demo = systems.demo(system.key)
    if demo is None and not alone:
        yield finding("demo.play", "demo.none")
    elif demo is not None:
        texts["demo.play"] = demo
    for name, text in texts.items():
        try:
            perform(read(text, name), lambda key, language: system)
        except PlayError as error:
            yield Finding("", str(error))
        except Exception as error:
            yield finding(name, "play.error", error=error_text(error), place=place(error))


def vector_findings(system: System) -> Iterator[Finding]:
    """Findings about the numbers in the game's `vectors/` that are outdated."""
    try:
        yield from changes(system)
    except Exception as error:
        yield finding("vectors", "perft.error", error=error_text(error), place=place(error))


def _for_its_author(system: System, text: str) -> str:
    """A broken promise with its remedy; for a single-file game, the program is to blame."""
    if not systems.is_file(system.key):
        return text
    fact = re.split(r"[:.] (?!.*[:.] )", text)[0]
    return f"{fact}. {Phrase('check.file.remedy')}"


def at_random(
    system: System,
    brings: Material,
    games: int,
    first: int,
    *,
    walks: int = 0,
    enough: int = 0,
    progress: Progress = lambda done, most: None,
) -> Iterator[Finding]:
    """Findings of random games, with the seeds that repeat them, and the moves that none made."""
    made, broken, reported = Counter[str](), 0, set[str]()
    # A game need not reach every move of the house, such as agreeing to a suggestion.
    own = [move.key for move in system.moves if move.key not in HOUSE]
    most = 5 * games if games >= MIN_GAMES else games
    tries, idle = MOVES_A_GAME, 0
    for seed in range(first, first + most):
        done, known = seed - first, sum(bool(made[key]) for key in own)
        if broken == MAX_BROKEN or (done >= (enough or games) and all(made[key] for key in own)):
            break
        if enough and done:
            # Each later game tries less, and they end where several in a row made nothing new.
            tries = max(MOVES_A_GAME // (done + 1), FEWEST_MOVES)
            if idle == enough - 1:
                break
        progress(done, most)
        try:
            made.update(play(system, seed, tries, brings, walks).made)
            idle = idle + 1 if sum(bool(made[key]) for key in own) == known else 0
        except BrokenOff as off:
            broken += 1
            if str(off.what) not in reported:
                reported.add(str(off.what))
                yield Finding(
                    f"{system.key}, seed {seed}, {off.when}", _for_its_author(system, str(off.what))
                )
    if games >= MIN_GAMES and not broken:
        for key in own:
            if not made[key]:
                kind = "unmade.file" if systems.is_file(system.key) else "unmade"
                yield finding(key, kind, games=5 * games)
