"""Stress boxes and consequences, and the ways in which they absorb a hit.

Source: destinydice.md 3.5.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from storypool.engine import rules as r
from storypool.systems.destinydice.aspects import free_invokes
from storypool.systems.destinydice.sheet import SHIFTS, open_consequences, unchecked_boxes
from storypool.systems.destinydice.state import Aspect


@dataclass(frozen=True, slots=True)
class Absorption:
    """A way to absorb a hit: a stress box, or 0, and consequences, the lightest first."""

    box: int
    taken: tuple[str, ...]

    @property
    def key(self) -> str:
        """Its key as a choice: `2`, `2+mild`, `moderate`."""
        return "+".join([str(self.box)] * bool(self.box) + [*self.taken])

    @property
    def shifts(self) -> int:
        """The shifts that it absorbs."""
        return self.box + _shifts_of(self.taken)


def absorptions(table: r.Table, who: str, shifts: int) -> list[Absorption]:
    """The ways to absorb a hit without waste, the lightest consequences first.

    A way has at most one unchecked box, and any open consequences, each of them necessary.
    """
    severities = open_consequences(table, who)
    sets = [taken for n in range(len(severities) + 1) for taken in combinations(severities, n)]
    found = [
        Absorption(box, taken)
        for taken in sorted(sets, key=_shifts_of)
        for box in (0, *unchecked_boxes(table, who))
    ]
    return [
        way for way in found if way.shifts >= shifts and _smallest_part(way) > way.shifts - shifts
    ]


def _shifts_of(taken: Iterable[str]) -> int:
    return sum(SHIFTS[severity] for severity in taken)


def _smallest_part(way: Absorption) -> int:
    """The shifts of its smallest part."""
    return min([way.box] * bool(way.box) + [SHIFTS[severity] for severity in way.taken], default=0)


def absorption_in_words(turn: r.Turn, way: Absorption) -> str:
    """A way in words: box 2 and a mild consequence."""
    boxes = [turn.words.say("hit.box", n=way.box)] if way.box else []
    kinds = [
        turn.words.say("hit.consequence", kind=turn.words[f"severity.{severity}"])
        for severity in way.taken
    ]
    return turn.words["result.and"].join(boxes + kinds)


def absorptions_in_words(turn: r.Turn, who: str, shifts: int) -> str:
    """The ways to absorb a hit, in words; only those heavier ways that save a box."""
    named: list[Absorption] = []
    for way in absorptions(turn.table, who, shifts):
        if all(way.box < other.box for other in named):
            named.append(way)
    return (
        f"{turn.words['hit.or']} ".join(absorption_in_words(turn, way) for way in named)
        or turn.words["hit.nothing"]
    )


def turn_box(turn: r.Turn, who: str, box: int) -> Iterator[r.Event]:
    """Check a stress box until the end of the scene, or clear a checked one."""
    full = [trait for trait in turn.table.of_kind("stress", about=who) if trait.rating == box]
    for trait in full:
        yield r.TraitRemoved(trait.id)
    if not full:
        yield turn.trait(
            "stress", turn.words.say("stress.box", n=box), who, rating=box, until="scene"
        )


def take_consequence(
    turn: r.Turn, who: str, severity: str, text: str, inflicted_by: str = ""
) -> r.Event:
    """A consequence: a lasting aspect, with a free invoke for the side that inflicted it."""
    periods = turn.table.periods
    taken = Aspect(text, session=periods["session"], scene=periods["scene"])
    new = turn.trait(
        "consequence", text, who, rating=SHIFTS[severity], at=severity, terms=taken.terms
    )
    return free_invokes(turn, new.trait, inflicted_by or "gm", 1 if inflicted_by else 0)
