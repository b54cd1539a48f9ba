"""Dune put together, with its adventures: what the pools hold when one begins, and what the end of a scene takes.

Source: rulings.md; dune.md 4.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from storypool.engine import rules as r
from storypool.systems.dune import (
    abilities,
    advancement,
    arriving,
    assets,
    attacks,
    checks,
    conflicts,
    contests,
    drives,
    endings,
    npcs,
    pools,
    rolling,
    tasks,
)
from storypool.systems.dune.dice import AXES, DICE, NOTATION
from storypool.systems.dune.look import LOOK, PANELS
from storypool.systems.dune.sheet import SHEET
from storypool.systems.dune.waits import waits
from storypool.words import house_words

HERE = "storypool.systems.dune"

# Adventures.


@r.move(
    "adventure.begin",
    by=["gm"],
    when=lambda t: r.in_session(t) or r.idle(t),
    asks=[r.TextAsk("title", "What is it called?", needed=False)],
    rule="Start values",
)
def begin_adventure(turn: r.Turn) -> Iterator[r.Event]:
    """Begin an adventure

    Momentum starts at 0, Threat at 2 for each player, and each player's character has 1 Determination.
    """
    if "adventure" in turn.table.running:
        yield r.PeriodEnded("adventure", turn.table.periods["adventure"])
    yield r.PeriodBegan("adventure", turn.table.periods["adventure"] + 1, turn.text("title"))


def first_adventure(turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
    """Whenever a session begins and no adventure is under way, one begins with it."""
    assert isinstance(event, r.PeriodBegan)
    if event.kind == "session" and "adventure" not in turn.table.running:
        yield r.PeriodBegan("adventure", turn.table.periods["adventure"] + 1)


def start_values(turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
    """Whenever an adventure begins, every pool is set to what it starts with."""
    assert isinstance(event, r.PeriodBegan)
    if event.kind != "adventure":
        return
    players = sum(1 for seat in turn.table.seats.values() if seat.side == "player" and seat.here)
    yield from _set(turn, "momentum", "", 0)
    yield from _set(turn, "threat", "", players * int(turn.option("threat_start")))
    for who in advancement.heroes(turn):
        yield from _provided(turn, who.id)


def newcomer(turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
    """Whenever a player's character joins a running adventure, they have what the others started with."""
    assert isinstance(event, r.CharacterSet)
    if turn.key == "character.add" and event.character.seat and "adventure" in turn.table.running:
        yield from _provided(turn, event.character.id)


def taken_over(turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
    """Whenever a player takes over one of the GM's characters in a running adventure, the same."""
    assert isinstance(event, r.MoveMade)
    who = turn.character("who") if event.move == "character.give" else None
    if who and who.side == "gm" and turn.text("seat") and "adventure" in turn.table.running:
        yield from _provided(turn, who.id)


def _provided(turn: r.Turn, who: str) -> Iterator[r.Event]:
    """The Determination that a player's character starts with."""
    start, most = (
        int(turn.option("determination_start")),
        turn.system.by_account["determination"].most(turn.table, who),
    )
    yield from _set(turn, "determination", who, start if most is None else min(start, most))


def _set(turn: r.Turn, account: str, owner: str, n: int) -> Iterator[r.Event]:
    before = turn.table.balance(account, owner)
    if n != before:
        yield r.PointsSet(account, owner, n, n - before, turn.words["adventure.new"])


def decay(turn: r.Turn, event: r.Event) -> Iterator[r.Event]:
    """Whenever a scene is over, or where the table says so a round, a point of Momentum is gone."""
    assert isinstance(event, r.PeriodEnded | r.PeriodBegan)
    over = isinstance(event, r.PeriodEnded) or (event.kind == "round" and event.number > 1)
    if over and event.kind == turn.option("momentum_decay") and turn.table.balance("momentum"):
        yield from turn.change("momentum", -1, why=turn.words["momentum.decay"])


# The whole.

NO_CAP = "none"


def cap(option: str, default: str) -> Callable[[r.Table, str], int | None]:
    """A cap that an option of the table sets; "none" is no cap at all."""

    def most(table: r.Table, owner: str) -> int | None:
        value = table.options.get(option, default)
        return None if value == NO_CAP else int(value)

    return most


OPTIONS = (
    *r.house.OPTIONS,
    r.Option("momentum_cap", ("6", "4", "8", NO_CAP), "6"),
    r.Option("momentum_decay", ("scene", "round", "none"), "scene"),
    r.Option("threat_start", ("2", "0", "1", "3"), "2"),
    r.Option("determination_start", ("1", "0", "3"), "1"),
    r.Option("determination_cap", ("3", "5", NO_CAP), "3"),
    r.Option("threat_substitution", ("seed", "immediate_only", "any"), "seed"),
    r.Option("minor_npc_determination", ("no", "yes"), "no"),
    r.Option("peril_threshold", ("3", "4"), "3"),
    r.Option("contest_style", ("dune", "srd"), "dune"),
    r.Option("advance_limits", ("no", "yes"), "no"),
    r.Option("asset_prices", ("no", "yes"), "no"),
    r.Option("challenge_dice", ("no", "yes"), "no"),
)


def notes(system: r.System) -> tuple[r.Note, ...]:
    """The reference to print: the ladder of Difficulty, and the notes of paper.toml."""
    words = system.words
    ladder = tuple((str(n), words[f"level.{n}"], words[f"level.{n}.note"].partition(": ")[2]) for n in range(6))
    paper = {key: note for key, note in r.rows(HERE, "paper").items() if key != "ladder"}
    test, *others = r.notes_of(words, paper)
    return test, r.Note(words["paper.ladder"], "", (), ladder), *others


SYSTEM = r.System(
    key="dune",
    name="Dune, and the 2d20 family",
    about="A few d20 against skill and drive; Momentum that the players share, facing the GM's Threat.",
    dice=DICE,
    axes=AXES,
    notation=NOTATION,
    accounts=(
        r.Account("momentum", side="players", cap=cap("momentum_cap", "6"), overflow="lost"),
        r.Account("threat", side="gm"),
        r.Account("determination", "character", cap=cap("determination_cap", "3"), overflow="lost"),
        r.Account("advancement", "character"),
    ),
    moves=(
        *r.moves_of(
            checks,
            contests,
            rolling,
            pools,
            drives,
            conflicts,
            assets,
            attacks,
            tasks,
            advancement,
            abilities,
            npcs,
        ),
        begin_adventure,
        r.standing(replace(checks.DIFFICULTY, needed=True), checks.RANGE, rule="Difficulty Levels"),
        *r.house.MOVES,
    ),
    waits=(waits, *r.house.WAITS),
    reactions=(
        (r.PeriodBegan, first_adventure),
        (r.PeriodBegan, start_values),
        (r.PeriodBegan, decay),
        (r.PeriodEnded, decay),
        (r.CharacterSet, newcomer),
        (r.CharacterSet, arriving.arrived),
        (r.MoveMade, taken_over),
        (r.CheckChanged, checks.agreed),
        (r.CheckChanged, endings.ends),
        (r.PointsSet, advancement.peril),
        *r.house.REACTIONS,
    ),
    reader=lambda words: partial(rolling.read, words),
    bind=rolling.bind,
    options=OPTIONS,
    sheet=SHEET,
    look=LOOK,
    panels=PANELS,
    words=r.with_words(house_words(), "storypool.systems.twod20", HERE)
    .also(npcs.row_words() | abilities.row_words() | arriving.brought_words())
    .also(pools.SUGGESTIONS, "complication.suggestion")
    .also(r.rows(HERE, "paper"), "paper"),
    pages=notes,
    ready=r.ready_made(HERE),
)
