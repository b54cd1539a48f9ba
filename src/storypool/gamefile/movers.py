"""The character who makes a move of a game file: whether it needs one, and who can be chosen."""

from collections.abc import Callable, Iterable, Iterator

from storypool.engine import rules as r
from storypool.gamefile.file_format.expressions import Expression
from storypool.gamefile.file_format.row_checks.effect_tables import nested_rows
from storypool.gamefile.file_format.schema import DoRow, GameFile, MoveRow
from storypool.gamefile.file_rolls.step_dice import sizes_read
from storypool.gamefile.file_rules import Rules


def reads_character(rules: Rules, row: MoveRow) -> bool:
    """Whether a move needs a character of its seat: to pay, to answer, or for its effects."""
    paid = [name for price in row.price for name in price]
    statements = [*row.do, *_consulted(rules, row)]
    return (
        any(map(rules.is_of_character, paid))
        or any(ask.entry or ask.card or ask.held or ask.of == "mover" for ask in row.asks)
        or any(is_of_mover(rules, do) for do in statements)
        or any(rules.is_of_character(name) for name in _read(rules.game, row, statements))
        or any(map(_counts_hand, _expressions(rules.game, row, _of_one(statements))))
        or any(map(rules.counts_of_character, _expressions(rules.game, row, _of_one(statements))))
    )


Movers = Callable[[r.Turn], Iterator[r.Choice]]
"""The characters of a seat who can make a move."""


def able_first(movers: Movers, holds: Callable[[r.Turn, r.Character], bool], reason: str) -> Movers:
    """These characters; one for whom a condition does not hold is closed while it does for another.

    Where it holds for none, the move itself is closed, and a GM may set that aside.
    """

    def choices(turn: r.Turn) -> Iterator[r.Choice]:
        people = turn.table.characters
        listed = list(movers(turn))
        free = [one for one in listed if not one.closed]
        able = [one for one in free if holds(turn, people[one.value])]
        for one in listed:
            is_closed = able and one in free and one not in able
            yield one.unless(turn.no(reason)) if is_closed else one

    return choices


def _counts_hand(expression: Expression) -> bool:
    return any(function == "hand" for function, _ in expression.counts)


def _of_one(statements: Iterable[DoRow]) -> Iterator[DoRow]:
    """The statements that are not done for each character, whose statements they would count."""
    return (do for do in statements if do.of != "each")


def _consulted(rules: Rules, row: MoveRow) -> Iterator[DoRow]:
    """The possible effects of the tables that a move consults."""
    for statement in row.do:
        for _, effect in nested_rows(rules.game, statement.consult):
            yield from effect.do


def _read(game: GameFile, row: MoveRow, statements: Iterable[DoRow]) -> frozenset[str]:
    """The names that a move reads, without its own questions."""
    read = frozenset[str]()
    for expression in _expressions(game, row, statements):
        read |= expression.names
    return read - {ask.name for ask in row.asks}


def _expressions(game: GameFile, row: MoveRow, statements: Iterable[DoRow]) -> Iterator[Expression]:
    """All that a move reads: in its prices, its condition, and what it does."""
    for price in row.price:
        yield from price.values()
    if row.only:
        yield row.only
    for ask in row.asks:
        yield from filter(None, (ask.default, ask.when))
    for do in statements:
        yield from filter(None, (do.n, do.to, do.when, do.goal, do.again))
        yield from do.throw.values()
        yield from sizes_read(game, do)


def is_of_mover(rules: Rules, do: DoRow) -> bool:
    """Whether a statement is about the character who makes the move."""
    if do.make in rules.game.trait and rules.game.trait[do.make].held:
        return True
    if do.of not in ("", "mover"):
        return False
    changes = rules.is_of_character(do.gain or do.lose or do.step)
    return (
        changes
        or is_about_character(rules, do.make or do.end)
        or bool(do.improve or do.promise or do.draw or do.forward)
    )


def is_about_character(rules: Rules, kind: str) -> bool:
    """Whether statements of this kind are about a character."""
    return kind in rules.game.trait and rules.game.trait[kind].of == "character"
