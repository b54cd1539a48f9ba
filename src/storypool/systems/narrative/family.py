"""Putting a narrative dice game together from what the family shares and what is its own."""

from __future__ import annotations

from dataclasses import replace

from storypool.engine import rules as r
from storypool.systems.narrative import checks, contests, lasting, order, points, rolling, sheet, spends, windows
from storypool.systems.narrative.dice import RANKED
from storypool.systems.narrative.look import moments
from storypool.words import Words, house_words

STANDING = r.standing(replace(checks.DIFFICULTY, choices=checks.levels, needed=True), rule="Difficulty")

MOVES = (*r.moves_of(checks, rolling, spends, contests, order, sheet), STANDING, *r.house.MOVES)

REACTIONS: tuple[tuple[type, r.Reaction], ...] = (
    (r.CheckChanged, contests.result_of),
    (r.CheckClosed, order.turn_taken),
    (r.PointsSet, windows.reopened),
    (r.PointsSet, sheet.beyond),
    (r.PeriodBegan, lasting.round_over),
    (r.PeriodEnded, lasting.round_over),
    *r.house.REACTIONS,
)

OPTIONS = (
    *r.house.OPTIONS,
    r.Option("scheme", ("letters", "colours"), "letters", system=False),
    r.Option("responder", ("any_player", "target_only"), "any_player"),
    r.Option("pass_for_all", ("player", "gm", "nobody"), "player"),
    r.Option("npc_threat", ("players", "gm"), "players"),
    r.Option("competitive_tiebreak", tuple(RANKED), "triumph"),
)


def words(game: str) -> Words:
    """The sentences of the house, of the family with what symbols buy, and of one game with its talents."""
    bought = {row.key: row.text for row in spends.table().values()}
    return (
        r.with_words(house_words(), sheet.NARRATIVE, game)
        .also(bought, "buys")
        .also(points.talent_words(game))
        .also(r.rows(sheet.NARRATIVE, "paper"), "paper")
        .also(r.rows(game, "paper"), "paper")
    )


def panels(
    prefix: str, accounts: tuple[str, str], setup: tuple[str, ...], more: tuple[str, ...] = ()
) -> tuple[r.Panel, ...]:
    """What the page shows, and in which order: what was rolled is left unspent in so many words before the end."""
    return (
        r.TraysPanel("Points", accounts=accounts, turns=True),
        r.OddsPanel("", means=("advantage",), chances=("triumph", "despair")),
        r.SetupPanel("Before the first scene", moves=("session.begin", *setup)),
        r.SidesPanel("", own=("skill", "characteristic"), theirs=("by_skill", "by_characteristic")),
        r.PrimaryPanel(
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
        r.ActionsPanel(
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
        r.MenuPanel("Spend the roll", moves=("spend.buy", "spend.free")),
        r.TracksPanel(
            "Strain and wounds",
            accounts=("strain", "wounds"),
            full=("strain-threshold", "wound-threshold"),
            up="track.suffer",
            down="track.recover",
            tone="bad",
        ),
        r.SlotsPanel("Order", trait="slot", acted="who", moves=("initiative.next", "initiative.end")),
        r.DrawerPanel("The pool", moves=("pool.upgrade", "pool.downgrade", "pool.remove"), name="pool"),
        r.DrawerPanel(
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
        r.DrawerPanel(
            "The table", moves=("points.correct", f"{prefix}.ability", "spend.add", "session.end"), name="table"
        ),
        *moments(accounts),
    )
