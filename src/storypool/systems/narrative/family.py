"""Putting a narrative dice game together from what the family shares and what is its own."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable

from storypool.engine.rules import CheckChanged, Option, Panel, PeriodEnded, Reaction, house
from storypool.systems.narrative import checks, contests, modifying, points, rolling, spends, tracks
from storypool.words import Words
from storypool.words import house as house_words

MOVES = tuple(made for room in (checks, modifying, rolling, spends, contests, tracks, house) for made in room.MOVES)

REACTIONS: tuple[tuple[type, Reaction], ...] = (
    (CheckChanged, contests.result_of),
    (PeriodEnded, points.unanswered),
    *house.REACTIONS,
)

OPTIONS = (
    *house.OPTIONS,
    Option("scheme", ("letters", "colours"), "letters", system=False),
    Option("responder", ("any_player", "target_only"), "any_player"),
    Option("npc_threat", ("players", "gm"), "players"),
    Option("competitive_tiebreak", ("triumph", "advantage", "none"), "triumph"),
)


def words(game: Traversable) -> Words:
    """The sentences of the house, of the family with what symbols buy, and of one game."""
    family = house_words().plus(files("storypool.systems.narrative").joinpath("words.toml"))
    return family.also({row.key: row.text for row in spends.rows().values()}, "buys").plus(game)


def ready_made(file: Traversable) -> tuple[Mapping[str, object], ...]:
    """Ready-made characters: a name, a line about them, and their numbers."""
    return tuple(tomllib.loads(file.read_text(encoding="utf-8"))["character"])


def panels(
    prefix: str, accounts: tuple[str, str], setup: tuple[str, ...], more: tuple[str, ...] = ()
) -> tuple[Panel, ...]:
    """What the page shows, and in which order: what was rolled is left unspent in so many words before the end."""
    return (
        Panel("trays", "Points", {"accounts": accounts, "turns": True}),
        Panel("odds", "", {"means": ("advantage",), "chances": ("triumph", "despair")}),
        Panel("setup", "Before the first scene", {"moves": ("session.begin", *setup)}),
        Panel(
            "primary",
            "",
            {
                "moves": (
                    *setup[:1],
                    f"{prefix}.attempt",
                    "check.roll",
                    f"{prefix}.pass",
                    "spend.waive",
                    "check.close",
                    "check.declare",
                    "session.begin",
                )
            },
        ),
        Panel(
            "actions",
            "Your move",
            {
                "moves": (
                    f"{prefix}.upgrade",
                    f"{prefix}.pass",
                    f"{prefix}.attempt",
                    "check.difficulty",
                    "pool.add",
                    "check.assist",
                    f"{prefix}.fact",
                    f"{prefix}.talent",
                    *more,
                    "initiative.roll",
                    "check.cancel",
                )
            },
        ),
        Panel("menu", "Spend the roll", {"moves": ("spend.buy", "spend.free", "spend.waive")}),
        Panel(
            "tracks",
            "Strain and wounds",
            {
                "accounts": ("strain", "wounds"),
                "full": ("strain-threshold", "wound-threshold"),
                "up": "track.suffer",
                "down": "track.recover",
            },
        ),
        Panel("slots", "Order", {"trait": "slot", "moves": ("initiative.next", "initiative.end")}),
        Panel("drawer", "The pool", {"moves": ("pool.upgrade", "pool.downgrade", "pool.remove")}, name="pool"),
        Panel(
            "drawer",
            "The scene",
            {"moves": ("scene.begin", "adversary.add", "contest.open", "contest.settle", "trait.set", "trait.remove")},
            name="scene",
        ),
        Panel("drawer", "The table", {"moves": ("points.correct", f"{prefix}.ability", "session.end")}, name="table"),
    )
