"""Assembling a narrative dice game from the family's parts and its own."""

from storypool.engine import rules as r
from storypool.systems.narrative import (
    arriving,
    checks,
    lasting,
    open_check,
    points,
    reading,
    sheet,
    spends,
    windows,
)
from storypool.systems.narrative.fight import (
    adversaries,
    attacks,
    contests,
    fates,
    injuries,
    order,
    ranges,
    recovery,
    weapons,
)
from storypool.systems.narrative.look import moments
from storypool.systems.narrative.symbol_dice import RANKED
from storypool.systems.supporting_cast import bringing
from storypool.words import Words

STANDING = r.standing(
    r.replace(checks.DIFFICULTY, choices=checks.levels, needed=True),
    rule="Difficulty",
    place=r.at("scene", 10),
)

MOVES = (
    *r.moves_of(
        checks,
        open_check,
        attacks,
        spends,
        injuries,
        contests,
        order,
        recovery,
        fates,
        sheet,
        weapons,
    ),
    *ranges.MOVES,
    STANDING,
    *r.placed(r.house.MOVES, {"check.agree": r.at("actions", 14)}),
)

REACTIONS = (
    *r.reactions_of(
        checks, contests, order, windows, open_check, sheet, lasting, recovery, weapons
    ),
    *r.house.REACTIONS,
)

OPTIONS = (
    *r.house.OPTIONS,
    r.Option("scheme", ("letters", "colours"), "letters", system=False),
    r.Option("responder", ("any_player", "target_only"), "any_player"),
    r.Option("pass_for_all", ("player", "gm", "nobody"), "player"),
    r.Option("npc_threat", ("players", "gm"), "players"),
    r.Option("talents", ("any", "own"), "any"),
    r.Option("competitive_tiebreak", tuple(RANKED), "triumph"),
)


TERMS = (
    *("skill", "characteristic", "difficulty", "by_skill", "by_characteristic"),
    *("contest", "helper", "injury"),
)
"""The terms of an action that its page names."""


SHEET_TRAITS = (points.OWN, weapons.KIND)
"""The traits of a sheet: talents and weapons."""


def words(game: str) -> Words:
    """The sentences of the house, the family and the game, with its purchases and talents."""
    bought = {row.key: row.text for row in spends.TABLE.values()}
    return (
        r.game_words(bringing.PACKAGE, sheet.NARRATIVE, reading.__name__, game)
        .also(bought, "buys")
        .also(injuries.injury_words(), "injury")
        .also(arriving.brought_words(game), "brings")
        .also(points.talent_words(game))
        .also(adversaries.adversary_words(game), "adversary")
        .also({**r.rows(sheet.NARRATIVE, "paper"), **r.rows(sheet.NARRATIVE, "notes")}, "paper")
        .also({**r.rows(game, "paper"), **r.rows(game, "notes")}, "paper")
    )


def panels(prefix: str, accounts: tuple[str, str]) -> tuple[r.Panel, ...]:
    """The panels of the page of a game whose point moves begin with `prefix`, in order."""
    return (
        r.TraysPanel("Points", accounts=accounts, turns=True),
        r.OddsPanel("", means=("advantage",), chances=("triumph", "despair")),
        r.SetupPanel("Before the first scene"),
        # A weapon is the title, and its numbers are on the sheet.
        r.TermsPanel("", terms=TERMS),
        r.SidesPanel(
            "",
            own=("skill", "characteristic"),
            theirs=("by_skill", "by_characteristic"),
            helps=tuple(f"skill {key}" for key in sheet.HELPING_SKILLS),
        ),
        r.PrimaryPanel("", real=f"{prefix}.pass"),
        r.ActionsPanel("Your move"),
        r.TrayPanel("Dice", dice=("pool.add boost die", "pool.add setback die")),
        r.MenuPanel("Spend the roll"),
        r.TracksPanel(
            "Strain and wounds",
            accounts=("strain", "wounds"),
            full=("strain-threshold", "wound-threshold"),
            up="track.suffer",
            down="track.recover",
            tone="bad",
        ),
        r.SheetPanel(
            "",
            rank=("minions", "adversary"),
            beside=("characteristic",),
            folded=("skill",),
            words={
                "minions": "A group of {n} minions",
                "minions.1": "A minion",
                "adversary": "Adversary {n}",
            },
        ),
        r.WordsPanel(
            "On the sheet",
            traits=SHEET_TRAITS,
            words={points.OWN: "Talents", weapons.KIND: "Weapons"},
        ),
        ranges.BOARD,
        r.SlotsPanel("Order", trait="slot", acted="who"),
        r.ListPanel(
            "What lasts",
            traits=("effect", "group"),
            hurts=(f"effect {lasting.INJURY}",),
        ),
        r.DrawerPanel("The pool", name="pool"),
        r.DrawerPanel("The scene", name="scene"),
        r.DrawerPanel("The table", name="table"),
        *moments(accounts),
    )
