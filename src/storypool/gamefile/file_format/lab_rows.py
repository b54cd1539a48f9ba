"""The parts of a file that only the lab and the checks read: evenings, and what checks must know.

Files are read without them, since the lab and the checks say themselves what is wrong there. They
teach what stands in these tables.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from storypool.gamefile.file_format.thing_rows import column

__all__ = ["CheckRow", "EveningRow"]


@dataclass(frozen=True, kw_only=True)
class MeansRow:
    """The moves on which a side may spend points in an evening."""

    spends: tuple[str, ...] = column(
        "the moves, with answers to their questions; bars are between different ways",
        '["move.push cost=stress|harm"]',
        (),
    )
    policy: str = column(
        "when it spends: `always`, `never`, `helps`, or `gains=` and the least gain of the chance",
        '"gains=0.1"',
        "always",
    )


@dataclass(frozen=True, kw_only=True)
class EveningRow:
    """An evening that the lab plays; keys of the table `evening` itself apply to all evenings."""

    title: str = column("what it is called; needed", '"A usual evening"', "")
    table: str = column(
        "the beginning of a play: seats, characters, points; its last line begins the session;"
        " needed",
        '"""seat Mona side=gm ..."""',
        "",
    )
    scenes: int = column("how many scenes it has; needed", "3", 0)
    actions: int = column("how many actions each scene has; needed", "6", 0)
    deeds: Mapping[str, Any] = column(
        "what is attempted, as a line of a play, and how often in proportion; one of the answers"
        " between bars is drawn each time",
        '{ "Ann check.declare as=ilse action=sneak|pry" = 4 }',
        {},
    )
    players: MeansRow | None = column(
        "the moves on which the players spend", '{ policy = "helps" }', None
    )
    gm: MeansRow | None = column("the moves on which the GM spends", '{ policy = "always" }', None)
    goes_on: tuple[str, ...] = column(
        "the moves that answer what the table waits for, the first that is open",
        '["check.agree", "check.roll", "check.close"]',
        (),
    )
    pools: tuple[str, ...] = column(
        "points of characters that are counted besides those of the table", '["stress"]', ()
    )


@dataclass(frozen=True, kw_only=True)
class OpeningRow:
    """The moves before the checks count moves."""

    moves: tuple[str, ...] = column("moves of the GM, in order", '["session.begin"]', ())


@dataclass(frozen=True, kw_only=True)
class CheckRulesRow:
    """What the checks must know of the rules."""

    unwritten: tuple[str, ...] = column("moves that no book describes", '["move.help"]', ())
    instead: tuple[str, ...] = column("looks of what is spent in place of points", '["free"]', ())
    reveals: tuple[str, ...] = column("moves that show something hidden", '["move.reveal"]', ())


@dataclass(frozen=True, kw_only=True)
class CheckRow:
    """What the checks must know of a game."""

    weights: Mapping[str, Any] = column(
        "how often random play makes a move, by its key or its group; 4 if it is left out",
        '{ "move.push" = 12 }',
        {},
    )
    opening: OpeningRow | None = column("what is done first", '{ moves = ["session.begin"] }', None)
    rules: CheckRulesRow | None = column(
        "what is unusual in the rules", '{ unwritten = ["move.help"] }', None
    )
    menus: Mapping[str, tuple[str, ...]] = column(
        "`traits`: the kinds of statements that a character needs before all rows of a menu show",
        '{ traits = ["harm"] }',
        {},
    )
    roll: Mapping[str, tuple[str, ...]] = column(
        "`apart`: dice that an action ignores", '{ apart = ["d100"] }', {}
    )
    odds: Mapping[str, Any] = column(
        "the terms with which odds are asked, and an example to draw",
        '{ example = { pool = "2 risk" } }',
        {},
    )
    words: Mapping[str, tuple[str, ...]] = column(
        "words that are typed the same in every language, and words of this game alone",
        '{ own = ["lantern"] }',
        {},
    )
