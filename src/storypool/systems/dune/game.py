"""Dune put together, with its adventures: what the pools hold when one begins, and what the end of a scene takes.

Source: rulings.md; dune.md 4.3.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from storypool.engine.rules import (
    Account,
    CharacterSet,
    CheckChanged,
    Event,
    MoveMade,
    Note,
    Option,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    System,
    Table,
    TextAsk,
    Turn,
    house,
    idle,
    in_session,
    move,
    moves_of,
    notes_of,
    ready_made,
    rows,
    standing,
    with_words,
)
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


@move(
    "adventure.begin",
    by=["gm"],
    when=lambda t: in_session(t) or idle(t),
    asks=[TextAsk("title", "What is it called?", needed=False)],
    rule="Start values",
)
def begin_adventure(turn: Turn) -> Iterator[Event]:
    """Begin an adventure

    Momentum starts at 0, Threat at 2 for each player, and each player's character has 1 Determination.
    """
    if "adventure" in turn.table.running:
        yield PeriodEnded("adventure", turn.table.periods["adventure"])
    yield PeriodBegan("adventure", turn.table.periods["adventure"] + 1, turn.text("title"))


def first_adventure(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a session begins and no adventure is under way, one begins with it."""
    assert isinstance(event, PeriodBegan)
    if event.kind == "session" and "adventure" not in turn.table.running:
        yield PeriodBegan("adventure", turn.table.periods["adventure"] + 1)


def start_values(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever an adventure begins, every pool is set to what it starts with."""
    assert isinstance(event, PeriodBegan)
    if event.kind != "adventure":
        return
    players = sum(1 for seat in turn.table.seats.values() if seat.side == "player" and seat.here)
    yield from _set(turn, "momentum", "", 0)
    yield from _set(turn, "threat", "", players * int(turn.option("threat_start")))
    for who in advancement.heroes(turn):
        yield from _provided(turn, who.id)


def newcomer(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a player's character joins a running adventure, they have what the others started with."""
    assert isinstance(event, CharacterSet)
    if turn.key == "character.add" and event.character.seat and "adventure" in turn.table.running:
        yield from _provided(turn, event.character.id)


def taken_over(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a player takes over one of the GM's characters in a running adventure, the same."""
    assert isinstance(event, MoveMade)
    who = turn.character("who") if event.move == "character.give" else None
    if who and who.side == "gm" and turn.text("seat") and "adventure" in turn.table.running:
        yield from _provided(turn, who.id)


def _provided(turn: Turn, who: str) -> Iterator[Event]:
    """The Determination that a player's character starts with."""
    start, most = int(turn.option("determination_start")), turn.system.by_account["determination"].most(turn.table, who)
    yield from _set(turn, "determination", who, start if most is None else min(start, most))


def _set(turn: Turn, account: str, owner: str, n: int) -> Iterator[Event]:
    before = turn.table.balance(account, owner)
    if n != before:
        yield PointsSet(account, owner, n, n - before, turn.words["adventure.new"])


def decay(turn: Turn, event: Event) -> Iterator[Event]:
    """Whenever a scene is over, or where the table says so a round, a point of Momentum is gone."""
    assert isinstance(event, PeriodEnded | PeriodBegan)
    over = isinstance(event, PeriodEnded) or (event.kind == "round" and event.number > 1)
    if over and event.kind == turn.option("momentum_decay") and turn.table.balance("momentum"):
        yield from turn.change("momentum", -1, why=turn.words["momentum.decay"])


# The whole.

NO_CAP = "none"


def cap(option: str, default: str) -> Callable[[Table, str], int | None]:
    """A cap that an option of the table sets; "none" is no cap at all."""

    def most(table: Table, owner: str) -> int | None:
        value = table.options.get(option, default)
        return None if value == NO_CAP else int(value)

    return most


OPTIONS = (
    *house.OPTIONS,
    Option("momentum_cap", ("6", "4", "8", NO_CAP), "6"),
    Option("momentum_decay", ("scene", "round", "none"), "scene"),
    Option("threat_start", ("2", "0", "1", "3"), "2"),
    Option("determination_start", ("1", "0", "3"), "1"),
    Option("determination_cap", ("3", "5", NO_CAP), "3"),
    Option("threat_substitution", ("seed", "immediate_only", "any"), "seed"),
    Option("minor_npc_determination", ("no", "yes"), "no"),
    Option("peril_threshold", ("3", "4"), "3"),
    Option("contest_style", ("dune", "srd"), "dune"),
    Option("advance_limits", ("no", "yes"), "no"),
    Option("asset_prices", ("no", "yes"), "no"),
    Option("challenge_dice", ("no", "yes"), "no"),
)


def notes(system: System) -> tuple[Note, ...]:
    """The reference to print: the ladder of Difficulty, and the notes of paper.toml."""
    words = system.words
    ladder = tuple((str(n), words[f"level.{n}"], words[f"level.{n}.note"].partition(": ")[2]) for n in range(6))
    paper = {key: note for key, note in rows(HERE, "paper").items() if key != "ladder"}
    test, *others = notes_of(words, paper)
    return test, Note(words["paper.ladder"], "", (), ladder), *others


SYSTEM = System(
    key="dune",
    name="Dune, and the 2d20 family",
    about="A few d20 against skill and drive; Momentum that the players share, facing the GM's Threat.",
    dice=DICE,
    axes=AXES,
    notation=NOTATION,
    accounts=(
        Account("momentum", side="players", cap=cap("momentum_cap", "6"), overflow="lost"),
        Account("threat", side="gm"),
        Account("determination", "character", cap=cap("determination_cap", "3"), overflow="lost"),
        Account("advancement", "character"),
    ),
    moves=(
        *moves_of(
            checks, contests, rolling, pools, drives, conflicts, assets, attacks, tasks, advancement, abilities, npcs
        ),
        begin_adventure,
        standing(replace(checks.DIFFICULTY, needed=True), checks.RANGE, rule="Difficulty Levels"),
        *house.MOVES,
    ),
    waits=(waits, *house.WAITS),
    reactions=(
        (PeriodBegan, first_adventure),
        (PeriodBegan, start_values),
        (PeriodBegan, decay),
        (PeriodEnded, decay),
        (CharacterSet, newcomer),
        (CharacterSet, arriving.arrived),
        (MoveMade, taken_over),
        (CheckChanged, checks.agreed),
        (CheckChanged, endings.ends),
        (PointsSet, advancement.peril),
        *house.REACTIONS,
    ),
    reader=lambda words: partial(rolling.read, words),
    bind=rolling.bind,
    options=OPTIONS,
    sheet=SHEET,
    look=LOOK,
    panels=PANELS,
    words=with_words(house_words(), "storypool.systems.twod20", HERE)
    .also(npcs.row_words() | abilities.row_words() | arriving.brought_words())
    .also(pools.SUGGESTIONS, "complication.suggestion")
    .also(rows(HERE, "paper"), "paper"),
    pages=notes,
    ready=ready_made(HERE),
)
