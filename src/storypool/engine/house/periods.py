"""Sessions, scenes and rounds, and the statements and orders that end with them."""

from collections.abc import Iterator

from storypool.engine.events import CheckClosed, Event, PeriodBegan, PeriodEnded, TraitRemoved
from storypool.engine.game.asks import TextAsk
from storypool.engine.game.moves import FIRST, LAST, at, move, whenever
from storypool.engine.game.turn import Turn
from storypool.engine.house.conditions import between_actions, in_session

TITLE = TextAsk("title", "What is it called?", needed=False)


@move(
    "session.begin",
    by=["gm"],
    when=lambda t: t.no("session.running") if in_session(t) is None else None,
    asks=[TITLE],
    place=(at("setup", FIRST), at("primary", LAST)),
)
def begin_session(turn: Turn) -> Iterator[Event]:
    """Start a session"""
    yield PeriodBegan("session", turn.table.periods["session"] + 1, turn.text("title"))
    yield PeriodBegan("scene", turn.table.periods["scene"] + 1)


@move("session.end", by=["gm"], when=between_actions, place=at("table", LAST))
def end_session(turn: Turn) -> Iterator[Event]:
    """End the session"""
    for kind in [k for k in ("round", "scene") if k in turn.table.running]:
        yield PeriodEnded(kind, turn.table.periods[kind])
    yield PeriodEnded("session", turn.table.periods["session"])


def _cut_short(turn: Turn) -> str:
    """The warning that an order of turns would end, or ""."""
    return turn.words["cut_short.order"] if turn.table.of_kind("slot") else ""


@move(
    "scene.begin",
    by=["gm"],
    when=between_actions,
    asks=[TITLE],
    ends=_cut_short,
    place=at("scene", FIRST),
)
def begin_scene(turn: Turn) -> Iterator[Event]:
    """Start a new scene"""
    if "round" in turn.table.running:
        yield PeriodEnded("round", turn.table.periods["round"])
    if "scene" in turn.table.running:
        yield PeriodEnded("scene", turn.table.periods["scene"])
    yield PeriodBegan("scene", turn.table.periods["scene"] + 1, turn.text("title"))


def _first_round(turn: Turn) -> str:
    """The title while no rounds are counted yet: no other round comes before it."""
    return "" if "round" in turn.table.running else turn.words["round.first"]


@move("round.next", by=["gm"], when=between_actions, shown_as=_first_round)
def next_round(turn: Turn) -> Iterator[Event]:
    """Start the next round"""
    number = turn.table.periods["round"] + 1 if "round" in turn.table.running else 1
    yield PeriodBegan("round", number)


def begin_adventure(turn: Turn, event: Event) -> Iterator[Event]:
    """Begin an adventure with a session if none is running, in games that count adventures."""
    began = isinstance(event, PeriodBegan) and event.kind == "session"
    if began and "adventure" not in turn.table.running:
        yield PeriodBegan("adventure", turn.table.periods["adventure"] + 1)


@whenever(PeriodEnded, PeriodBegan)
def _period_over(turn: Turn, event: PeriodEnded | PeriodBegan) -> Iterator[Event]:
    """Remove the traits that last until the end of this round, scene or session."""
    ends = {
        "round": ("round",),
        "scene": ("round", "scene"),
        "session": ("round", "scene", "session"),
    }
    for trait in [t for t in turn.table.traits.values() if t.until in ends.get(event.kind, ())]:
        if isinstance(event, PeriodEnded) or event.kind == "round":
            yield TraitRemoved(trait.id)


@whenever(CheckClosed)
def _check_over(turn: Turn, event: CheckClosed) -> Iterator[Event]:
    """Remove the traits that last for this action."""
    for trait in [t for t in turn.table.traits.values() if t.until == "check" and t.at == event.id]:
        yield TraitRemoved(trait.id)
