"""Taking over new rules: a table goes on with a newer text of the game that it plays."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from storypool.engine.events import CharacterSet, Event, RulesChanged, TraitRemoved
from storypool.engine.game.moves import Limit, Move, move
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.engine.refusal import Refusal
from storypool.engine.table import Trait
from storypool.words.languages import LANGUAGE

KEY = "rules.take_over"
RULE_CHANGE_LIMIT = Limit("rules", (), 100)
"""The limit of rule changes at a table: each adds the whole text of a game to its log."""


@dataclass(frozen=True, slots=True)
class NewRules:
    """A newer text of a game, and the game that it describes.

    `changes` describes the differences in sentences; `gone` are the kinds of statements that it
    lacks.
    """

    system: System
    text: str
    changes: tuple[str, ...]
    gone: frozenset[str]


def with_new_rules(system: System, new: NewRules) -> System:
    """The game of a table with one more move, by which a GM takes over these rules."""
    return replace(system, moves=(*system.moves, _taking_over(new)))


def _taking_over(new: NewRules) -> Move:
    """The move; it waits until no action is open, as an action ends by the rules it began with."""

    @move(KEY, by=["gm"], when=_nothing_open, limit=RULE_CHANGE_LIMIT)
    def take_over(turn: Turn) -> Iterator[Event]:
        """Take over the new rules"""
        if turn.table.checks or turn.table.proposals:
            # Actions and statements that this GM does not see stand in the way as well.
            raise turn.refused("when", "rules.hidden")
        if new.system.has_gm is not turn.system.has_gm:
            # Nobody's seat changes sides, and the moves are those of the sides.
            raise turn.refused("when", "rules.gm")
        yield from _make_room(turn, new)
        yield RulesChanged(new.system.key, new.text, _options(turn, new.system), new.changes)
        yield from _within_sheets(turn)

    return take_over


def _nothing_open(turn: Turn) -> Refusal | None:
    """No action is open, nothing waits for an answer, and the rules may change once more."""
    if RULE_CHANGE_LIMIT.used(turn) >= RULE_CHANGE_LIMIT.n:
        return turn.firm("rules.often", most=RULE_CHANGE_LIMIT.n)
    for check in turn.table.checks.values():
        return turn.firm("rules.action", title=check.title)
    for proposal in turn.table.proposals.values():
        seat = turn.table.seats.get(proposal.seat)
        return turn.firm(
            "rules.proposal", who=seat.name if seat else proposal.seat, what=proposal.text
        )
    return None


def _make_room(turn: Turn, new: NewRules) -> Iterator[Event]:
    """Remove, by the old rules, the points and the statements that the new rules do not have."""
    why = turn.words["rules.gone"]
    for purse, n in turn.table.points.items():
        row = new.system.by_account.get(purse.account)
        if row is None or row.each != ("character" if purse.owner else "table"):
            yield from turn.change(purse.account, -n, purse.owner, why)
    dice = {die.name for die in new.system.dice}
    for trait in turn.table.traits.values():
        if trait.kind in new.gone or not _dice_of(trait) <= dice:
            yield TraitRemoved(trait.id, why)


def _dice_of(trait: Trait) -> set[str]:
    return {mod.die for mod in trait.mods}


def _options(turn: Turn, system: System) -> dict[str, str]:
    """The table's options that the new rules have, and the default values of all others."""
    current = turn.table.options
    found = {}
    for option in system.options:
        value = current.get(option.key, "")
        found[option.key] = value if value in option.values else option.default
    if LANGUAGE in current:
        found[LANGUAGE] = current[LANGUAGE]
    return found


def _within_sheets(turn: Turn) -> Iterator[Event]:
    """Bring the numbers of each character within those that the new sheet has."""
    for one in turn.table.characters.values():
        sheet = dict(one.sheet)
        for entry in turn.system.sheet:
            n = sheet.get(entry.key)
            if n is not None and isinstance(n, str) != bool(entry.text):
                del sheet[entry.key]  # a text for a number, or a number for a text
                if entry.given:
                    sheet[entry.key] = entry.default
            elif type(n) is int:
                sheet[entry.key] = min(entry.high, max(entry.low, n))
        if sheet != one.sheet:
            yield CharacterSet(replace(one, sheet=sheet))
