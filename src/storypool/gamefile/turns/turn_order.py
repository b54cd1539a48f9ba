"""The order of turns of a game file: how its slots are made, and who is next."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from storypool.engine import rules as r
from storypool.gamefile.doing import RowExecutor
from storypool.gamefile.file_format.expressions import Value
from storypool.gamefile.file_format.schema import DoRow, FigureRow, TurnsRow
from storypool.gamefile.file_rules import Rules
from storypool.gamefile.scope import TurnScope

__all__ = ["THROWN", "TURN_KINDS", "FileTurns", "TurnSlot", "not_now", "not_your_turn"]

THROWN = "thrown"
"""The sum of the dice thrown for the order."""
TURN_KINDS = frozenset({"slot", "turn", "acts-next"})
"""The kinds of statements that store an order of turns."""

FollowsTurn = Callable[[str, r.Turn, r.Character | None, Mapping[str, Value]], Iterator[r.Event]]
"""Yields the consequences of the begin, the end, or the throw for the place of a turn."""


@dataclass(frozen=True)
class TurnSlot(r.Slot):
    """A turn: the character whose slot it was (`by`), and the actions taken in it (`done`).

    A turn of a side is empty (`who`) until one of the side has acted in it.
    """

    by: str = ""
    done: int = 0


class FileTurns:
    """The order of turns of one game, and its changes."""

    def __init__(self, rules: Rules, row: TurnsRow, follows: FollowsTurn) -> None:
        self.rules, self.row, self._follows = rules, row, follows
        self.order = r.Order(counts=self._counts, taken=self._taken)

    # What it is now.

    def is_on(self, table: r.Table) -> bool:
        """Whether turns are being taken."""
        return bool(table.of_kind("slot"))

    def fights(self, table: r.Table, one: r.Character) -> bool:
        """Whether a character takes turns: public, and not known to be out."""
        if one.hidden or not r.here(one):
            return False
        if not self.row.out:
            return True
        return all(mark.hidden for mark in table.of_kind(*self.row.out, about=one.id))

    def yet_to_act(self, table: r.Table, mark: str) -> list[r.Character]:
        """The members of a side who have not taken one of its turns in this round."""
        taken = {TurnSlot.of(slot).who for slot in table.of_kind("slot")}
        people = table.characters.values()
        found = []
        for one in people:
            if one.team.mark == mark and one.id not in taken and self.fights(table, one):
                found.append(one)
        return found

    def may_act(self, table: r.Table) -> list[r.Character]:
        """The characters who may act now: of a side, those who have not acted yet."""
        slot = self.order.present(table)
        if slot is None:
            return []
        one = table.characters.get(TurnSlot.of(slot).who)
        if one is not None:
            return [one]
        return self.yet_to_act(table, slot.about)

    def has_acted(self, table: r.Table) -> bool:
        """Whether the present turn has no action left, and the next is not named yet."""
        slot = self.order.present(table)
        return slot is not None and bool(TurnSlot.of(slot).acted)

    def to_come(self, table: r.Table) -> list[r.Trait]:
        """The turns left in this round."""
        return [slot for slot in self._parted(table)[1] if self._counts(table, slot)]

    def may_be_next(self, turn: r.Turn, who: str) -> bool:
        """Whether a character can be named for the next turn."""
        table, one = turn.table, turn.table.characters.get(who)
        if one is None or not self.is_on(table):
            return False
        if self.row.by_side:
            acts = turn.check.actor if turn.check else ""
            later = any(slot.about == one.team.mark for slot in self.to_come(table))
            return later and one.id != acts and one in self.yet_to_act(table, one.team.mark)
        left = self.to_come(table) if not self.row.ranked else []
        return who in [TurnSlot.of(slot).who for slot in left or self.order.slots(table)]

    def is_beaten(self, table: r.Table) -> bool:
        """Whether a whole side is out."""
        slots = table.of_kind("slot") if self.row.out else []
        return {slot.about for slot in slots} != {
            slot.about for slot in slots if self._counts_at_all(table, slot)
        }

    def name(self, turn: r.Turn, slot: r.Trait) -> str:
        """The name of a turn: of its character, or of its side."""
        one = turn.table.characters.get(TurnSlot.of(slot).who)
        if one is not None:
            return one.name
        return turn.words[f"filed.side.{slot.about.removeprefix('@')}"]

    # How it begins and goes on.

    def fighters(self, table: r.Table) -> list[r.Character]:
        """The characters who take turns at the start, the players' first."""
        found = [one for one in table.characters.values() if self.fights(table, one)]
        return sorted(found, key=lambda one: one.team is r.Team.GM)

    def begin(
        self, turn: r.Turn, first: str = "", faces: tuple[int, ...] = ()
    ) -> Iterator[r.Event]:
        """Begin the first round, with this character or side where no number decides the order."""
        thrown = list[tuple[r.Character, Mapping[str, Value]]]()
        for one in self.fighters(turn.table):
            faces, numbers = yield from self._joined(turn, one, faces)
            thrown.append((one, numbers))
        slots = self._parted(turn.table)[1]
        if self.row.order == "sides in turn":
            yield from self._ranked(turn, _alternating(slots, first or r.Team.PLAYERS.mark))
        elif not self.row.ranked:
            yield from self._ranked(
                turn, sorted(slots, key=lambda slot: TurnSlot.of(slot).who != first)
            )
        yield from self.order.go_on(turn)
        for one, numbers in thrown:
            yield from self._follow_throw(turn, one, numbers)
        yield from self._began(turn)

    def go_on(self, turn: r.Turn, whom: str = "") -> Iterator[r.Event]:
        """End the present turn and begin the next, for `whom` where the next is named."""
        now, given = self.order.present(turn.table), self.order.handed_over(turn.table)
        who = TurnSlot.of(now).who if now is not None else ""
        if now is not None:
            yield from self._follows("turn ends", turn, turn.table.characters.get(who), {})
        if not self.row.ranked:
            yield from self._arranged(turn, whom or (given.about if given else ""))
            if given is not None:
                yield r.TraitRemoved(given.id)
        again = self.row.each_round and now is not None and not self.to_come(turn.table)
        yield from self.order.go_on(turn, who)
        if again:
            yield from self._thrown_again(turn)
        slot = self.order.present(turn.table)
        named = None
        if given is not None and self.row.by_side:
            named = turn.table.characters.get(given.about)
        if slot is not None and named in self.yet_to_act(turn.table, slot.about):
            yield r.TraitSet(self._with(turn, slot, who=named.id))
        yield from self._began(turn)

    def end(self, turn: r.Turn) -> Iterator[r.Event]:
        """End the order and its last round."""
        for given in turn.table.of_kind("acts-next"):
            yield r.TraitRemoved(given.id)
        yield from self.order.end(turn)

    def follow_action(self, turn: r.Turn, check: r.Check) -> Iterator[r.Event]:
        """Count an action of the character whose turn it is; the last one ends the turn."""
        slot = self.order.present(turn.table)
        if (
            slot is None
            or check.hidden
            or check.actor not in [one.id for one in self.may_act(turn.table)]
        ):
            return
        done = TurnSlot.of(slot).done + 1
        spent = 0 < self.row.actions <= done
        yield r.TraitSet(self._with(turn, slot, who=check.actor, done=done, acted=spent or None))
        whom = self.next_named(turn.table)
        if spent and (self.row.order != "handed over" or whom is not None):
            yield from self.go_on(turn, whom or "")

    def next_named(self, table: r.Table) -> str | None:
        """The next character, named already or the only one; None if someone has to be asked."""
        given, left = self.order.handed_over(table), self.to_come(table)
        if given is not None:
            return given.about
        if len(left) == 1:
            return TurnSlot.of(left[0]).who
        return None

    def follow_character(self, turn: r.Turn, one: r.Character) -> Iterator[r.Event]:
        """Add a new or revealed character to the order; remove one who has left."""
        if not self.is_on(turn.table):
            return
        own = next(
            (slot for slot in turn.table.of_kind("slot") if TurnSlot.of(slot).by == one.id), None
        )
        if own is not None and not r.here(one):
            yield from self._left(turn, own, one)
        elif own is not None and self.row.by_side and own.about != one.team.mark:
            yield from self._left(turn, own, replace(one, side="none", seat=""))
            own = None
        if own is None and self.fights(turn.table, one):
            _, numbers = yield from self._joined(turn, one, ())
            yield from self._follow_throw(turn, one, numbers)
            if self.row.order == "sides in turn":
                past, later = self._parted(turn.table)
                yield from self._ranked(turn, [*past, *_alternating(later, _other(past))])
        for slot in turn.table.of_kind("slot"):
            about = slot.about if self.row.by_side else one.team.mark
            changed = slot
            if TurnSlot.of(slot).who == one.id:
                changed = self._with(turn, replace(slot, about=about))
            if changed != slot:
                yield r.TraitSet(changed)

    def _left(self, turn: r.Turn, own: r.Trait, one: r.Character) -> Iterator[r.Event]:
        """Begin the next turn if the departed character had the present one."""
        before = [slot.id for slot in turn.table.of_kind("slot", at="now")]
        if self.row.by_side:
            yield from self._given_up(turn, own)
        yield from self.order.follow_character(turn, one)
        after = self.order.present(turn.table)
        if not self.is_on(turn.table):
            yield from self.end(turn)
        elif after is not None and after.id not in before:
            yield from self._began(turn)

    # The slots.

    def _counts(self, table: r.Table, slot: r.Trait) -> bool:
        one = table.characters.get(TurnSlot.of(slot).who)
        if self.row.by_side and one is None:
            return bool(self.yet_to_act(table, slot.about))
        return one is not None and self.fights(table, one)

    def _counts_at_all(self, table: r.Table, slot: r.Trait) -> bool:
        one = table.characters.get(TurnSlot.of(slot).by)
        return one is not None and self.fights(table, one)

    def _taken(self, turn: r.Turn, slot: r.Trait, who: str) -> r.Trait:
        """A slot after this character took its turn, or for "" before anybody has."""
        acted = True if who else None
        if self.row.by_side:
            return self._with(turn, slot, who=who, done=0, acted=acted)
        return self._with(turn, slot, done=0, acted=TurnSlot.of(slot).acted or acted)

    def _with(self, turn: r.Turn, slot: r.Trait, **changes: r.Value | None) -> r.Trait:
        changed = TurnSlot.put(slot, **changes)
        name = self.name(turn, changed)
        text = name
        if self.row.ranked:
            text = turn.words.say("filed.slot", who=name, n=slot.rating)
        return replace(changed, text=text)

    def _thrown_again(self, turn: r.Turn) -> Iterator[r.Event]:
        """Throw for the place of each turn, and begin with the first."""
        slots = {TurnSlot.of(slot).by: slot.id for slot in self.order.every(turn.table)}
        for one in self.fighters(turn.table):
            if one.id in slots:
                rating, _, numbers = yield from self._place(turn, one, ())
                there = turn.table.traits[slots[one.id]]
                yield r.TraitSet(self._with(turn, replace(there, rating=rating)))
                yield from self._follow_throw(turn, one, numbers)
        before, order = self.order.present(turn.table), self.order.slots(turn.table)
        if before is not None and order[0].id != before.id:
            yield r.TraitSet(replace(before, at=""))
            yield r.TraitSet(replace(order[0], at="now"))

    def _joined(
        self, turn: r.Turn, one: r.Character, faces: tuple[int, ...]
    ) -> Generator[r.Event, None, tuple[tuple[int, ...], Mapping[str, Value]]]:
        """The turn of a character; returns the faces left, and the numbers read off its throw."""
        rating, left, numbers = yield from self._place(turn, one, faces)
        slot = turn.trait("slot", "", one.team.mark, rating=rating, until="scene")
        who = "" if self.row.by_side else one.id
        yield r.TraitSet(self._with(turn, slot.trait, who=who, by=one.id))
        return left, numbers

    def _place(
        self, turn: r.Turn, one: r.Character, faces: tuple[int, ...]
    ) -> Generator[r.Event, None, tuple[int, tuple[int, ...], Mapping[str, Value]]]:
        """Throw for the place of a character: its number, the faces left, and what is read."""
        why = turn.words.say("filed.initiative", who=one.name)
        doing = RowExecutor(self.rules, turn, one, answers={}, about="", why=why, faces=faces)
        if self.row.throw:
            yield from doing.all(
                (DoRow(throw=self.row.throw, figures={THROWN: FigureRow(highest=99)}),)
            )
        scope = TurnScope(self.rules, turn, check=None, who=one, answers={}, numbers=doing.numbers)
        if not self.row.ranked:
            rating = min((slot.rating for slot in turn.table.of_kind("slot")), default=1) - 1
        elif self.row.by is not None:
            rating = self.row.by.number(scope)
        else:
            rating = int(doing.numbers.get(THROWN, 0))
        return rating, doing.faces, doing.numbers

    def _follow_throw(
        self, turn: r.Turn, one: r.Character, numbers: Mapping[str, Value]
    ) -> Iterator[r.Event]:
        if self.row.throw:
            yield from self._follows("turn thrown", turn, one, numbers)

    def _given_up(self, turn: r.Turn, own: r.Trait) -> Iterator[r.Event]:
        """Turn a side's slot into that of a character: one they took, or one to come."""
        id = TurnSlot.of(own).by
        slots = [slot for slot in turn.table.of_kind("slot") if slot.about == own.about]
        taken = next((slot for slot in slots if TurnSlot.of(slot).who == id), None)
        free = [slot for slot in (own, *slots) if not TurnSlot.of(slot).who]
        gone = taken or min(free, key=lambda slot: slot.at == "now", default=own)
        if gone is not own:
            yield r.TraitSet(TurnSlot.put(own, by=TurnSlot.of(gone).by))
        yield r.TraitSet(TurnSlot.put(gone, by=id, who=id))

    def _parted(self, table: r.Table) -> tuple[list[r.Trait], list[r.Trait]]:
        """The turns up to the present one, and those after it."""
        slots = self.order.every(table)
        past = next((n for n, slot in enumerate(slots, 1) if slot.at == "now"), 0)
        return slots[:past], slots[past:]

    def _arranged(self, turn: r.Turn, whom: str) -> Iterator[r.Event]:
        """Put the next turn behind the present one, or first if the present one is the last."""
        past, later = self._parted(turn.table)
        ends = not self.to_come(turn.table)
        slots = [*past, *later] if ends else later
        named = turn.table.characters.get(whom)
        if not self.row.by_side:
            slots.sort(key=lambda slot: TurnSlot.of(slot).who != whom)
        elif slots:
            side = slots[0].about if ends else _other(past)
            if named is not None:
                side = named.team.mark
            slots = _alternating(slots, side)
        if not ends:
            slots = [*past, *slots]
        yield from self._ranked(turn, slots)
        if ends and past:
            # The order restarts at its top.
            yield r.TraitSet(replace(turn.table.traits[past[-1].id], at=""))

    def _ranked(self, turn: r.Turn, slots: Sequence[r.Trait]) -> Iterator[r.Event]:
        """The changes that put these slots into this order."""
        for place, slot in enumerate(reversed(slots), 1):
            if slot.rating != place:
                yield r.TraitSet(replace(turn.table.traits[slot.id], rating=place))

    def _began(self, turn: r.Turn) -> Iterator[r.Event]:
        """The consequences of the turn that began."""
        slot = self.order.present(turn.table)
        if slot is not None:
            yield from self._follows(
                "turn begins", turn, turn.table.characters.get(TurnSlot.of(slot).who), {}
            )


def not_now(turns: FileTurns, turn: r.Turn, who: str) -> r.Refusal | None:
    """Why a character cannot act out of turn; None without turns."""
    table, slot, one = turn.table, turns.order.present(turn.table), turn.table.characters.get(who)
    if not turns.is_on(table) or one is None or one.hidden:
        return None
    if not turns.fights(table, one):
        return turn.no("filed.out", who=one.name)
    if slot is None:
        return turn.no("filed.next")
    if one in turns.may_act(table):
        if turns.has_acted(table):
            return turn.no("filed.acted", who=one.name)
        return None
    if slot.about == one.team.mark and not TurnSlot.of(slot).who:
        return turn.no("filed.acted.round", who=one.name)
    return not_your_turn(turn, slot)


def not_your_turn(turn: r.Turn, slot: r.Trait) -> r.Refusal:
    """The refusal that it is the turn of another character or side."""
    one = turn.table.characters.get(TurnSlot.of(slot).who)
    if one is not None:
        return turn.no("turn", who=one.name)
    if slot.about == r.Team.GM.mark:
        return turn.no("filed.turn.gm")
    return turn.no("filed.turn.players")


def _other(past: Sequence[r.Trait]) -> str:
    """The mark of the side whose turns come next."""
    if past and past[-1].about == r.Team.PLAYERS.mark:
        return r.Team.GM.mark
    return r.Team.PLAYERS.mark


def _alternating(slots: Iterable[r.Trait], first: str) -> list[r.Trait]:
    """Slots in which the sides alternate, this one first, while both have any."""
    slots = list(slots)
    ours = [slot for slot in slots if slot.about == first]
    theirs = [slot for slot in slots if slot.about != first]
    both = [slot for pair in zip(ours, theirs, strict=False) for slot in pair]
    return [*both, *ours[len(theirs) :], *theirs[len(ours) :]]
