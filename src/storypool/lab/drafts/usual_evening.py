"""A default evening for games that bring none: its action is tried with various answers.

Two of the ready characters are played, or two nameless ones. Each side spends where it `helps`, and
the GM makes every free move about a roll.
"""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice

from storypool.engine import house
from storypool.engine.decisions import Decision, decision_of
from storypool.engine.dice import Die
from storypool.engine.game.asks import AskView
from storypool.engine.game.system import System
from storypool.engine.offers import offer, offers
from storypool.engine.refusal import Refused
from storypool.engine.table import Table
from storypool.lab.course import Course, opening
from storypool.lab.evenings import ActionKind, Evening, Means, MoveLine

SCENES, ACTIONS = 3, 6
POLICY = "helps"
PLAYERS = ("Ann", "Bo")
DECLARE, CLOSE = "check.declare", "check.close"
FURTHER = "action"
"""The group of the moves that declare the further actions of a file."""
GOES_ON = ("check.agree", "check.roll")
MOST_ANSWERS = 6
"""The most answers to one question to vary."""
MOST_STEPS = 12
"""The most questions of a move, and the most moves of the trial action."""


def usual_evening(system: System, title: str) -> Evening:
    """An evening in which players attempt the actions that a game offers."""
    own = tuple(account.name for account in system.accounts if account.each == "character")
    bare = Evening(
        system.key,
        "usual",
        title,
        table=_table(system),
        scenes=SCENES,
        actions=ACTIONS,
        deeds=(),
        players=Means(),
        gm=Means(),
        pools=own,
    )
    begins = opening(system, bare, {})
    course, table = Course(begins), begins.table
    seats = {seat.name: id for id, seat in table.seats.items() if seat.side == "player"}
    player = seats[PLAYERS[0]]
    declared = [move.key for move in system.moves if DECLARE == move.key or FURTHER == move.group]
    during, deeds = list[Table](), list[ActionKind]()
    for key in declared:
        lines = {name: _line(system, table, id, key) for name, id in seats.items()}
        tables = list(_during(system, course, table, player, lines[PLAYERS[0]]))
        during += tables
        if tables or key == DECLARE:
            deeds += [ActionKind(name, line, 1) for name, line in lines.items()]
    masters = {}
    for key, line in _own(system, during, course.masters[0]):
        if "player" not in system.by_key[key].by:
            masters[key] = line
    free = tuple(MoveLine(key) for key in masters if not system.by_key[key].price)
    goes_on = (*map(MoveLine, GOES_ON), *free, MoveLine(CLOSE))
    return replace(
        bare,
        deeds=tuple(deeds),
        players=Means(tuple(dict(_own(system, during, player)).values()), POLICY),
        gm=Means(tuple(line for key, line in masters.items() if system.by_key[key].price), POLICY),
        goes_on=tuple(one for one in goes_on if one.move in system.by_key),
    )


def _table(system: System) -> str:
    """The beginning of a play: a GM, if there is one, two players, and the ready characters."""
    lines = ["seat Mona side=gm"] if system.has_gm else []
    for name, who in zip(PLAYERS, [*system.ready, {}, {}], strict=False):
        sheet = who.get("sheet", {})
        assert isinstance(sheet, Mapping)
        called = shlex.quote(f"name={who.get('name', name)}")
        lines.append(
            f"seat {name} of_{name.lower()}: {called}"
            f" {' '.join(shlex.quote(f'{k}={n}') for k, n in sheet.items())}"
        )
    return "\n".join([*lines, f"{'Mona' if system.has_gm else PLAYERS[0]} session.begin"])


def _during(
    system: System, course: Course, table: Table, seat: str, line: MoveLine
) -> Iterator[Table]:
    """The tables of one action, from its declaration to its end."""
    try:
        made: Decision | None = decision_of(
            system, table, seat, line.move, line.ways[0], roll=_lowest_face
        )
        for _ in range(MOST_STEPS):
            if made is None or not made.tables[-1].checks:
                return
            yield (now := made.tables[-1])
            answers = (course.answered(now, wait, _lowest_face) for wait in course.waits(now))
            made = next((one for one in answers if one is not None), None)
    except Refused:
        return


def _lowest_face(die: Die) -> int:
    return die.first


def _own(system: System, tables: Sequence[Table], seat: str) -> Iterator[tuple[str, MoveLine]]:
    """The game's own moves with a price or a limit, preferably from tables with them open."""
    of_house = {move.key for move in house.MOVES}
    found = [(one, table) for table in tables for one in offers(system, table, seat)]
    for one, table in sorted(found, key=lambda pair: pair[0].closed is None):
        move = system.by_key[one.key]
        if one.key in of_house:
            continue
        if move.group != "check" and (move.price or move.limits):
            yield one.key, _line(system, table, seat, one.key)


def _line(system: System, table: Table, seat: str, key: str) -> MoveLine:
    """A move with several answers to each question that has no default."""
    args, first = dict[str, tuple[str, ...]](), dict[str, object]()
    for _ in range(MOST_STEPS):
        asks = offer(system, table, seat, key, first).asks
        ask = next(
            (one for one in asks if one.name not in first and one.needed and one.default is None),
            None,
        )
        if ask is None:
            break
        args[ask.name] = _answers(ask, table, seat)
        first[ask.name] = args[ask.name][0]
    return MoveLine(key, args)


def _answers(ask: AskView, table: Table, seat: str) -> tuple[str, ...]:
    """Answers to a question: the character's skills or the open choices; numbers; words."""
    if ask.preset is not None:
        return (str(ask.preset),)
    if ask.kind == "number":
        least = max(1, ask.low)
        return tuple(str(n) for n in range(least, min(ask.high, least + 2) + 1)) or (str(ask.low),)
    open_now = [choice.value for choice in ask.choices if not choice.closed]
    if ask.kind == "several":
        each = combinations(open_now, max(1, ask.low))
        return tuple(islice(map(",".join, each), MOST_ANSWERS))
    rated = set[str]()
    for one in table.characters.values():
        if one.seat == seat:
            rated.update(key for key, value in one.sheet.items() if value)
    able = [value for value in open_now if value in rated]
    return tuple((able or open_now)[:MOST_ANSWERS]) or ("So be it",)
