"""Every state of a game as data: for each wait a table from the game's plays, and its taps."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from storypool import systems
from storypool.engine import house
from storypool.engine.decisions import decide
from storypool.engine.events import Event, Record
from storypool.engine.fold import fold
from storypool.engine.game.panels import BoardPanel, MenuPanel
from storypool.engine.game.system import System
from storypool.engine.moments import moments
from storypool.engine.offers import offer
from storypool.engine.refusal import Refused
from storypool.engine.sight import records_of
from storypool.engine.table import Table
from storypool.engine.waiting import Waiting, most_pressing, waiting
from storypool.play import Performance, read
from storypool.play.text import (
    Acting,
    Offering,
    Opening,
    Play,
    PlayError,
    Seating,
    Seeing,
    Statement,
)

GM, TITLE = "Kim", "Thursdays at Kim's"
"""The names of the GM and the tables of plays in the pictures."""
PACE = 20_000
"""Milliseconds between two lines of a play."""
TABLE = "/t/{table}?seat={seat}"
SHEET = "dialog[open]"
PRINTED = "/api/tables/{table}/sheets?seat={seat}"
SHARED = "STORYPOOL_TEST_STATES"
"""The variable that names a folder in which the processes of a test run share states."""


@dataclass(frozen=True, slots=True)
class State:
    """A table as one seat sees it, by its log.

    Its browser speaks for the `others` too. `path` is opened, `taps` are then tapped in order, and
    `shown` is visible at the end. `then` is a move made while the page is open. `led` is the move
    that led to the table and the number of records before it, if the page can see it made. A `new`
    guest sees the hints of a first visit. Every game has a state of a `shared` name.
    """

    game: str
    name: str
    records: Sequence[Record] = ()
    seat: str = ""
    others: tuple[str, ...] = ()
    path: str = TABLE
    taps: tuple[str, ...] = ()
    shown: str = ".table"
    then: Acting | None = None
    led: tuple[int, Acting] | None = None
    new: bool = False
    shared: bool = False

    @property
    def live(self) -> State:
        """This state one move before its end, which is then made; or itself without such a move."""
        if self.led is None:
            return self
        before, move = self.led
        return replace(self, records=self.records[:before], then=move, led=None, shown=".table")


@dataclass(slots=True)
class _Reached:
    """The states that plays reach: the fullest table of each wait, the move before each moment.

    Of simultaneous moments only the first is in the picture, so each has its place among them.
    `ended` is the table with the longest log at the end of its session.
    """

    waits: dict[tuple[str, str], tuple[tuple[int, ...], State, Waiting]] = field(
        default_factory=dict
    )
    moments: dict[str, tuple[int, State]] = field(default_factory=dict)
    ended: State | None = None


@cache
def states(key: str) -> tuple[State, ...]:
    """Every state of a game: its waits by side, their forms, its moments, and those of the house.

    The names are unique. It takes seconds to perform the plays, so one process does it for all that
    have the folder `SHARED`.
    """
    folder = os.environ.get(SHARED)
    if not folder:
        return _states(key)
    file = Path(folder, f"{key}.states")
    with suppress(FileNotFoundError):
        shared: tuple[State, ...] = pickle.loads(file.read_bytes())
        return shared
    found = _states(key)
    draft = file.with_suffix(f".{os.getpid()}")
    draft.write_bytes(pickle.dumps(found))
    draft.replace(file)
    return found


def _states(key: str) -> tuple[State, ...]:
    system = systems.get(key)
    reached = _reached(system)
    found = [state for _, state, _ in reached.waits.values()]
    found += _forms(system, reached)
    found += (state for _, state in reached.moments.values())
    found += (replace(state, shared=True) for state in _of_the_house(system, reached))
    return tuple(found)


def _reached(system: System) -> _Reached:
    reached = _Reached()
    demo = systems.demo(system.key)
    texts = {**systems.plays(system.key), **({"demo.play": demo} if demo else {})}
    now = time.time_ns() // 1_000_000
    for name, text in texts.items():
        play = _as_friends_play(read(text, name))
        last = play.statements[-1].line
        performance = Performance(play, when=lambda line, last=last: now - (last - line) * PACE)  # type: ignore[misc]
        statements = {statement.line: statement for statement in play.statements}
        before: tuple[Record, ...] = ()
        table = performance.table
        for step in performance.steps():
            if step.problem:
                raise PlayError(name, step.line, step.problem)
            statement = statements.get(step.line)
            if step.records:
                move = _makeable(system, table, statement)
                _note_moments(system, reached, before, new=step.records, move=move, table=table)
                _note_waits(system, reached, performance, (len(before), move) if move else None)
                _note_end(system, reached, performance)
                before, table = tuple(performance.records), performance.table
    return reached


def _as_friends_play(play: Play) -> Play:
    """A play with realistic names of people and tables, without expectations."""
    return replace(
        play,
        statements=tuple(
            _as_friends(one) for one in play.statements if not isinstance(one, Seeing)
        ),
    )


def _as_friends(statement: Statement) -> Statement:
    if isinstance(statement, Opening):
        return replace(statement, options={"title": TITLE, **statement.options})
    if isinstance(statement, Seating):
        named = (
            {"name": _written(statement.character), **statement.entries}
            if statement.character
            else {}
        )
        return replace(statement, seat=_sits(statement.seat), entries=named)
    if isinstance(statement, Acting):
        refused = tuple(words[:2] for words in statement.expects if words[0] == "refused:")
        return replace(statement, seat=_sits(statement.seat), expects=refused)
    if isinstance(statement, Offering):
        return replace(statement, seat=_sits(statement.seat), expects=(), words="")
    return statement


def _sits(seat: str) -> str:
    """The name of the player in a seat."""
    return GM if seat.casefold() == "gm" else _written(seat)


def _written(name: str) -> str:
    return name[:1].upper() + name[1:].replace("-", " ")


def _makeable(system: System, table: Table, statement: Statement | None) -> Acting | None:
    """The move of a statement for a browser: by its seat's id, with its dice typed in."""
    if not isinstance(statement, Acting):
        return None
    seat = next(seat.id for seat in table.seats.values() if statement.seat in (seat.id, seat.name))
    typed = {"faces": " ".join(map(str, statement.dice))} if statement.dice else {}
    move = replace(statement, seat=seat, args={**statement.args, **typed})
    try:
        decide(system, table, seat, move.move, move.args, roll=None, override=move.override)
    except Refused:
        return None
    return move


def _note_waits(
    system: System, reached: _Reached, performance: Performance, led: tuple[int, Acting] | None
) -> None:
    table = performance.table
    full = (
        len([one for one in table.characters.values() if one.sheet]),
        len(table.traits),
        len(table.points),
    )
    for seat in table.seats.values():
        waits = waiting(system, table, seat.id)
        for wait in waits:
            score = int(wait is most_pressing(waits)), -abs(len(table.checks) - 1), *full
            best = reached.waits.get((wait.id, seat.side))
            if wait.yours and (best is None or score > best[0]):
                over = table.periods["session"] and "session" not in table.running
                shown = ".recap" if over else ".table"
                name, log = f"{wait.id}-{seat.side}", tuple(performance.records)
                state = State(system.key, name, log, seat.id, shown=shown, led=led)
                reached.waits[wait.id, seat.side] = score, state, wait


def _note_end(system: System, reached: _Reached, performance: Performance) -> None:
    """Note the table at the end of its session, if it has more play than the previous one."""
    table, log = performance.table, tuple(performance.records)
    # An open action is shown instead of the recap.
    if table.checks or (reached.ended is not None and len(log) <= len(reached.ended.records)):
        return
    gm = next((seat.id for seat in table.seats.values() if seat.side == "gm"), "")
    try:
        ended = decide(system, table, gm, "session.end", {}, roll=lambda die: die.first)
    except Refused:
        return
    led = (
        len(log),
        Acting(0, "", gm, move="session.end", args={}, dice=(), override=False, expects=()),
    )
    reached.ended = State(system.key, "ended", after(log, ended, gm), gm, shown=".recap", led=led)


def _note_moments(
    system: System,
    reached: _Reached,
    before: Sequence[Record],
    new: Sequence[Record],
    move: Acting | None,
    table: Table,
) -> None:
    """Note the moments of a move, with the table before it as its seat sees it."""
    if move is None:
        return
    brought = (moment for record in new for moment in moments(record.event, table, system))
    for place, moment in enumerate(brought):
        name = f"moment-{moment.name.lower().replace(' ', '-')}"
        state = State(system.key, name, before, move.seat, then=move)
        if name not in reached.moments or place < reached.moments[name][0]:
            reached.moments[name] = place, state


def _forms(system: System, reached: _Reached) -> Iterator[State]:
    """The form of each move that needs more than one tap, opened where the table waits for it.

    Moves of a menu, or of a board that has places, are opened there.
    """
    boards = [panel for panel in system.panels if isinstance(panel, BoardPanel)]
    forms = {
        *(key for panel in system.panels if isinstance(panel, MenuPanel) for key in panel.moves),
    }
    for score, state, wait in reached.waits.values():
        key = wait.moves[0]
        given = {**wait.args, **({"check": wait.check} if wait.check else {})}
        table = fold(state.records)
        drawn = [panel for panel in boards if table.of_kind(panel.place)]
        if key in {one.split()[0] for panel in drawn for one in panel.any}:
            continue
        asks = offer(system, table, state.seat, key, given).asks
        needed = any(ask.needed and ask.name not in wait.args for ask in asks)
        if score[0] and needed and len(asks) > 1 and key not in forms:
            forms.add(key)
            # A form with all its answers has a button of its own.
            asked = (
                f":is(.dock .button, .offer-place)[data-move='{key}']:not(:has(~ [data-change]))"
            )
            tap = f"{asked}, [data-change='{key}'], .chips[data-move='{key}'] [data-kind=plain]"
            yield replace(state, name=f"form-{key}", taps=(tap,), shown=SHEET, led=None)


def _of_the_house(system: System, reached: _Reached) -> Iterator[State]:
    """The states that every game has, on its fullest tables."""

    def fullest(*ids: str) -> State:
        found = [
            (score, state) for (id, _), (score, state, _) in reached.waits.items() if id in ids
        ]
        return max(found, key=lambda one: one[0])[1]

    action = replace(fullest("roll"), led=None)
    table = fold(action.records)
    gm = next(seat.id for seat in table.seats.values() if seat.side == "gm")
    own = next(one for one in table.characters.values() if one.seat)
    player = own.seat
    yield State(system.key, "home-empty", path="/", shown="#primary", new=True)
    yield replace(action, name="home", path="/", shown=".table-card")
    yield State(system.key, "new-table", path="/", taps=("#primary",), shown=f"{SHEET} .pick")
    yield replace(action, name="first-visit", shown=".hint", new=True)
    vera, cy = (
        house.take_seat(system, table, "Vera", "spectator"),
        house.take_seat(system, table, "Cy", "player"),
    )
    yield replace(
        action, name="spectator", records=after(action.records, [vera]), seat=vera.seat.id
    )
    nobody = replace(action, records=after(action.records, [cy]), seat=cy.seat.id)
    yield replace(nobody, name="nobody", shown=".nobody")
    yield replace(nobody, name="whom-you-play", taps=(".nobody button",), shown=f"{SHEET} .ready")
    for side, seat in (("gm", gm), ("player", player)):
        for view in ("log", "people", "table"):
            tap = f".views [data-view={view}]"
            yield replace(
                action,
                name=f"{view}-{side}",
                seat=seat,
                taps=(tap,),
                shown=f"{tap}[aria-current=page]",
            )
    yield replace(
        action, name="drawer", seat=gm, taps=(".drawer-button button",), shown=".drawer-body"
    )
    # On a large screen the rows of a fight take the place of the strips.
    strip = f":is(.strip, .fighter)[data-character='{own.id}']"
    card = f"{strip}:is(button), {strip} .fighter-face"
    yield replace(action, name="sheet", seat=player, taps=(card,), shown=SHEET)
    yield replace(action, name="keys", seat=gm, taps=("?",), shown=f"{SHEET} .keys")
    yield replace(action, name="paper", seat=gm, path=PRINTED, shown="main")
    yield replace(
        action, name="reference", path=f"/api/systems/{system.key}/reference", shown="main"
    )
    if reached.ended is None:
        raise ValueError(f"No play of {system.key} comes to where its session can be ended.")
    yield reached.ended


def after(records: Sequence[Record], events: Iterable[Event], seat: str = "") -> tuple[Record, ...]:
    """A log with further records."""
    return (*records, *records_of(events, seat, len(records), records[-1].at))
