"""Findings about the rows of a game, as far as they show without playing."""

from collections import Counter
from collections.abc import Iterator, Set
from contextlib import suppress
from itertools import chain

from storypool import systems
from storypool.contract import row_words
from storypool.contract.finding import Finding, finding, place
from storypool.contract.material import Material
from storypool.contract.menus import SIDES, at_rest
from storypool.engine import house, moments
from storypool.engine.bag import Bag
from storypool.engine.game.moves import Move
from storypool.engine.game.panels import DrawerPanel, TrayPanel
from storypool.engine.game.system import System
from storypool.engine.offers import turn_of
from storypool.engine.refusal import Refused
from storypool.engine.table import Points, Table, Value
from storypool.odds.question import Question
from storypool.systems import game_stakes

_OF_THE_HOUSE = {move.body for move in (*house.MOVES, *house.PLAYERS_CONSENT)}


def rows(system: System, brings: Material) -> Iterator[Finding]:
    """Findings about the moves, panels, names, looks, options and ready characters of a game."""
    counted = Counter(move.key for move in system.moves)
    twice = [key for key, n in counted.items() if n > 1]
    yield from (finding(key, "move.twice") for key in twice)
    for move in system.moves:
        yield from _move(system, brings, move)
    if not twice:
        for move in system.moves:
            yield from _move_questions(system, move)
    yield from _panels(system)
    yield from _moments(system)
    yield from _names(system)
    yield from _looks(system, brings)
    yield from _options(system)
    yield from _ready_characters(system)
    yield from _steps(system)
    for key in sorted(game_stakes.tried(system.key) or ()):
        if key not in {move.key for move in system.moves}:
            yield finding("stakes.py", "tried.move", key=key)


def _move(system: System, brings: Material, move: Move) -> Iterator[Finding]:
    noun, _, verb = move.key.partition(".")
    if not noun.isidentifier() or not verb.isidentifier():
        yield finding(move.key, "move.key")
    if not move.title[:1].isupper():
        yield finding(move.key, "move.title", title=move.title)
    if not move.by or not set(move.by) <= set(SIDES):
        yield finding(move.key, "move.by", sides=", ".join(SIDES))
    if move.body not in _OF_THE_HOUSE and not move.rule and move.key not in brings.unwritten:
        yield finding(move.key, "move.rule")
    for name, n in Counter(ask.name for ask in move.asks).items():
        if n > 1:
            yield finding(move.key, "ask.twice", ask=name)
    if move.price is not None and not row_words.price(system, move):
        yield finding(move.key, "price.words")
    if move.limits and not row_words.limit(move):
        yield finding(move.key, "limit.told")
    for condition in row_words.conditions(move):
        if not any(row_words.reasons(system, condition)):
            yield finding(
                move.key, "condition.words", name=getattr(condition, "__qualname__", condition)
            )
    for ask in move.asks:
        low, high = ask.bounds()
        if not ask.label:
            yield finding(move.key, "ask.label", ask=ask.name)
        if low > high:
            yield finding(move.key, "ask.bounds", ask=ask.name, low=low, high=high)


def _move_questions(system: System, move: Move) -> Iterator[Finding]:
    """Findings about a move's questions and price, at a table with a session and characters."""
    table = at_rest(system)
    found = dict[Finding, None]()
    for seat in table.seats.values():
        if seat.side not in move.by:
            continue
        turn = turn_of(system, table, seat, move)
        with suppress(Exception):
            # A price may need things that do not exist yet; random play finds those errors.
            found |= dict.fromkeys(_price(system, move, move.cost(turn)))
        for ask in move.asks:
            try:
                ask.offered(turn)
            except Refused:
                continue
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
                found[
                    finding(move.key, "ask.raises", ask=ask.name, error=text, place=place(error))
                ] = None
    for limit in _limits(system, move, table):
        if f"no.limit.{limit}" not in system.words:
            found[finding(move.key, "limit.words", group=limit)] = None
    yield from found


def _price(system: System, move: Move, price: Points) -> Iterator[Finding]:
    for name, _ in price:
        if name not in system.by_account:
            accounts = ", ".join(system.by_account) or system.words["list.none"]
            yield finding(move.key, "price.account", name=name, accounts=accounts)


def _limits(system: System, move: Move, table: Table) -> list[str]:
    """The groups of the limits of a move, as far as they do not depend on the table."""
    for seat in table.seats.values():
        if seat.side in move.by:
            with suppress(Exception):
                return [
                    limit.group for limit in move.limits_now(turn_of(system, table, seat, move))
                ]
    return []


def _panels(system: System) -> Iterator[Finding]:
    """Findings about panels: unknown moves and accounts, and moves in two panels."""
    known, homes = {move.key for move in system.moves}, Counter[str]()
    for panel in system.panels:
        where = panel.title or panel.kind
        listed = [str(one) for name in ("moves", "rows") for one in _tuple(panel.binds.get(name))]
        single = ("up", "down", "real", "write")
        listed += [str(panel.binds[name]) for name in single if name in panel.binds]
        for key in listed:
            if key not in known:
                yield finding(where, "panel.move", key=key)
        if isinstance(panel, TrayPanel):
            yield from _tray(system, panel, where)
        accounts = panel.binds.get("accounts", ())
        for name in accounts if isinstance(accounts, tuple) else ():
            if name not in system.by_account:
                yield finding(
                    where, "panel.account", name=name, accounts=", ".join(system.by_account)
                )
        if panel.kind != "primary":
            homes.update(set(listed))
    yield from (finding(key, "panel.twice") for key, n in homes.items() if n > 1)
    panels = set[str]()
    for panel in system.panels:
        panels.add(panel.name if isinstance(panel, DrawerPanel) else panel.kind)
    for move in (move for move in system.moves if move.body not in _OF_THE_HOUSE):
        yield from (
            finding(move.key, "move.place", panel=spot.panel)
            for spot in move.places
            if spot.panel not in panels
        )


def _tray(system: System, panel: TrayPanel, where: str) -> Iterator[Finding]:
    """Findings about the dice of a tray: unknown moves, dice and questions."""
    dice = {die.name for die in system.dice}
    for tap in panel.taps:
        move = system.by_key.get(tap.move)
        if move is None:
            yield finding(where, "panel.move", key=tap.move)
            continue
        if tap.die not in dice:
            yield finding(where, "panel.die", die=tap.die, dice=", ".join(sorted(dice)))
        asks = {ask.name for ask in move.asks}
        if tap.ask and tap.ask not in asks:
            yield finding(where, "panel.ask", ask=tap.ask, key=tap.move)


def _moments(system: System) -> Iterator[Finding]:
    """Findings about moments: each needs a unique name and a cause."""
    listed = tuple(moments.listed(system))
    for name, n in Counter(one.name for one in listed).items():
        if n > 1 or not name:
            yield finding(name, "moment.name")
    dice, accounts = {die.name: die for die in system.dice}, system.by_account
    for one in listed:
        die = dice.get(one.die)
        rolls = die is not None and all(die.first <= face <= die.last for face in one.faces)
        if bool(one.die) != bool(one.faces) or (one.die and not rolls):
            yield finding(
                one.name, "moment.face", die=one.die, faces=", ".join(map(str, one.faces))
            )
        for name in sorted(set(one.symbols) - _symbols(system)):
            yield finding(one.name, "moment.symbol", name=name)
        for name in (*one.gained, *one.filled, *one.turned):
            if name not in accounts:
                yield finding(one.name, "panel.account", name=name, accounts=", ".join(accounts))
        for name in one.filled:
            if name in accounts and accounts[name].cap is None:
                yield finding(one.name, "moment.cap", name=name)
        if one.turned and "points.turned" not in system.words:
            yield finding(one.name, "moment.turned")
        causes = (one.symbols, one.faces, one.gained, one.filled, one.turned, one.traits)
        if not any((*causes, one.ended, one.won, one.reached, one.terms, one.began, one.periods)):
            yield finding(one.name, "moment.never")


def _tuple(bound: Value | None) -> tuple[Value, ...]:
    """The names in a bound tuple; () for anything else."""
    return bound if isinstance(bound, tuple) else ()


def _names(system: System) -> Iterator[Finding]:
    """Findings about dice, notation, axes and upgrades with different names, or without an axis.

    A die without symbols may be in no notation: it is in no pool, and moves alone throw it.
    """
    dice, notation = {die.name for die in system.dice}, system.notation
    blank = {die.name for die in system.dice if not any(die.faces)}
    written = {*notation.helping, *notation.hindering}
    for name in sorted((written - dice) | (dice - written - blank)):
        yield finding(name, "die.notation")
    for name in sorted({*system.upgrades, *system.upgrades.values()} - dice):
        yield finding(name, "die.upgrade")
    for letters in (*notation.schemes.values(), *notation.after_slash.values()):
        for letter, name in letters.items():
            if name not in dice or len(letter) != 1:
                yield finding(name, "die.letter", letter=letter)
    for name in sorted(_symbols(system) - set(system.axes.moves)):
        yield finding(name, "symbol.axis")
    for name in sorted(set(system.axes.below) - set(system.axes.names)):
        yield finding(name, "axis.below")


def _symbols(system: System) -> set[str]:
    return {symbol for die in system.dice for face in die.faces for symbol in face}


def _looks(system: System, brings: Material) -> Iterator[Finding]:
    """Findings about looks: missing, unused, or different only by colour."""
    dice = {die.name for die in system.dice}
    for name in sorted((dice | set(system.by_account) | _symbols(system)) - set(system.look)):
        yield finding(name, "look.none")
    known = dice | set(system.by_account) | set(system.axes.moves) | set(system.axes.names)
    known |= set(system.axes.below.values()) | set(brings.instead)
    for panel in system.panels:
        for value in panel.binds.values():
            known |= set(map(str, value if isinstance(value, tuple) else (value,)))
    unknown = set(system.look) - known
    for names in _outcomes(system, brings) if unknown else ():
        unknown -= names
        # Odds are the slowest part of these checks.
        if not unknown:
            break
    yield from (finding(name, "look.unknown") for name in sorted(unknown))
    seen = dict[tuple[str, str, str], str]()
    for name in sorted(dice & set(system.look)):
        look = system.look[name]
        other = seen.setdefault((look.outline, look.pattern, look.letter), name)
        if other != name:
            yield finding(name, "look.same", other=other)


def _outcomes(system: System, brings: Material) -> Iterator[Set[str]]:
    """The outcomes and axes of this game's odds, of one pool after the other; none without odds."""
    for die in system.pool_dice:
        for terms in ({}, *brings.odds.get("terms", ())):
            with suppress(Refused, systems.UnknownSystem):
                reckoned = systems.odds(system.key).reckon(Question(Bag({die.name: 2}), terms))
                yield {*reckoned.outcomes, *reckoned.distribution.axes}


def _options(system: System) -> Iterator[Finding]:
    for key, n in Counter(option.key for option in system.options).items():
        if n > 1:
            yield finding(key, "option.twice")
    for option in system.options:
        if option.default not in option.values:
            yield finding(
                option.key,
                "option.default",
                default=option.default,
                values=", ".join(option.values),
            )
        if f"option.{option.key}" not in system.words:
            yield finding(option.key, "option.words")
        for value in option.values:
            if system.choice(option.key, value) == value and not value.isdecimal():
                yield finding(option.key, "option.value", value=value)
    for group in sorted(
        {entry.group for entry in system.sheet if system.group(entry.group) == entry.group}
    ):
        yield finding(group, "entries.words")


def _ready_characters(system: System) -> Iterator[Finding]:
    """Findings about ready characters: unique names, and numbers within the sheet's bounds."""
    if not system.ready:
        yield finding("", "ready.none")
    for name, n in Counter(str(one.get("name", "")) for one in system.ready).items():
        if n > 1 or not name:
            yield finding(name, "ready.name")
    entries = {entry.key: entry for entry in system.sheet}
    for one in system.ready:
        sheet = one.get("sheet")
        if not isinstance(sheet, dict):
            continue
        for key, n in sheet.items():
            entry = entries.get(key)
            if entry is None:
                yield finding(one.get("name", ""), "ready.entry", entry=key)
            elif entry.text and not entry.fits(n):
                yield finding(
                    one.get("name", ""),
                    "ready.text",
                    entry=key,
                    most=entry.text,
                    lines=entry.lines,
                )
            elif not entry.fits(n):
                yield finding(
                    one.get("name", ""),
                    "ready.bounds",
                    entry=key,
                    n=n,
                    low=entry.low,
                    high=entry.high,
                )


def _steps(system: System) -> Iterator[Finding]:
    """Findings about the steps in which a character is made: their numbers and their moves."""
    for one in chain.from_iterable(step.choices for step in system.steps):
        for key, n in (*one.sheet.items(), *one.adds.items()):
            entry = system.by_entry.get(key)
            if entry is None or (key in one.sheet and not entry.fits(n)):
                yield finding(one.name, "steps.number", entry=key, n=n)
        for move in (*(text.move for text in one.texts), *(trial.move for trial in one.trials)):
            if move not in system.by_key:
                yield finding(one.name, "steps.move", key=move)
