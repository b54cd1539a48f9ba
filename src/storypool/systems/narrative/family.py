"""Putting a narrative dice game together from what the family shares and what is its own."""

from __future__ import annotations

from dataclasses import replace

from storypool.engine.rules import (
    ActionsPanel,
    CheckChanged,
    CheckClosed,
    DrawerPanel,
    MenuPanel,
    OddsPanel,
    Option,
    Panel,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    PrimaryPanel,
    Reaction,
    SetupPanel,
    SidesPanel,
    SlotsPanel,
    TracksPanel,
    TraysPanel,
    house,
    moves_of,
    rows,
    standing,
    with_words,
)
from storypool.systems.narrative import checks, contests, lasting, order, points, rolling, sheet, spends, windows
from storypool.systems.narrative.dice import RANKED
from storypool.systems.narrative.look import moments
from storypool.words import Words, house_words

STANDING = standing(replace(checks.DIFFICULTY, choices=checks.levels, needed=True), rule="Difficulty")

MOVES = (*moves_of(checks, rolling, spends, contests, order, sheet), STANDING, *house.MOVES)

REACTIONS: tuple[tuple[type, Reaction], ...] = (
    (CheckChanged, contests.result_of),
    (CheckClosed, order.turn_taken),
    (PointsSet, windows.reopened),
    (PointsSet, sheet.beyond),
    (PeriodBegan, lasting.round_over),
    (PeriodEnded, lasting.round_over),
    *house.REACTIONS,
)

OPTIONS = (
    *house.OPTIONS,
    Option("scheme", ("letters", "colours"), "letters", system=False),
    Option("responder", ("any_player", "target_only"), "any_player"),
    Option("pass_for_all", ("player", "gm", "nobody"), "player"),
    Option("npc_threat", ("players", "gm"), "players"),
    Option("competitive_tiebreak", tuple(RANKED), "triumph"),
)


def words(game: str) -> Words:
    """The sentences of the house, of the family with what symbols buy, and of one game with its talents."""
    bought = {row.key: row.text for row in spends.table().values()}
    return (
        with_words(house_words(), sheet.NARRATIVE, game)
        .also(bought, "buys")
        .also(points.talent_words(game))
        .also(rows(sheet.NARRATIVE, "paper"), "paper")
        .also(rows(game, "paper"), "paper")
    )


def panels(
    prefix: str, accounts: tuple[str, str], setup: tuple[str, ...], more: tuple[str, ...] = ()
) -> tuple[Panel, ...]:
    """What the page shows, and in which order: what was rolled is left unspent in so many words before the end."""
    return (
        TraysPanel("Points", accounts=accounts, turns=True),
        OddsPanel("", means=("advantage",), chances=("triumph", "despair")),
        SetupPanel("Before the first scene", moves=("session.begin", *setup)),
        SidesPanel("", own=("skill", "characteristic"), theirs=("by_skill", "by_characteristic")),
        PrimaryPanel(
            "",
            moves=(
                *setup[:1],
                f"{prefix}.attempt",
                "check.roll",
                "check.ready",
                f"{prefix}.pass_all",
                f"{prefix}.pass",
                "spend.waive",
                "check.close",
                "check.declare",
                "session.begin",
            ),
        ),
        ActionsPanel(
            "Your move",
            moves=(
                f"{prefix}.upgrade",
                f"{prefix}.pass",
                f"{prefix}.pass_all",
                f"{prefix}.attempt",
                "check.agree",
                "check.difficulty",
                "pool.add",
                "check.assist",
                f"{prefix}.fact",
                f"{prefix}.talent",
                *more,
                "initiative.roll",
                "check.cancel",
            ),
        ),
        MenuPanel("Spend the roll", moves=("spend.buy", "spend.free")),
        TracksPanel(
            "Strain and wounds",
            accounts=("strain", "wounds"),
            full=("strain-threshold", "wound-threshold"),
            up="track.suffer",
            down="track.recover",
            tone="bad",
        ),
        SlotsPanel("Order", trait="slot", acted="who", moves=("initiative.next", "initiative.end")),
        DrawerPanel("The pool", moves=("pool.upgrade", "pool.downgrade", "pool.remove"), name="pool"),
        DrawerPanel(
            "The scene",
            moves=(
                "scene.begin",
                "check.standing",
                "adversary.add",
                "track.settle",
                "contest.open",
                "contest.settle",
                "trait.set",
                "trait.remove",
            ),
            name="scene",
        ),
        DrawerPanel(
            "The table", moves=("points.correct", f"{prefix}.ability", "spend.add", "session.end"), name="table"
        ),
        *moments(accounts),
    )
