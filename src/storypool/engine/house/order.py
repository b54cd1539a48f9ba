"""The order of a fight: the present and next actor, in slots sorted by a game's own rule."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from storypool.engine.events import Event, PeriodEnded, TraitRemoved, TraitSet
from storypool.engine.game.state import State
from storypool.engine.game.turn import Turn
from storypool.engine.house.choices import here
from storypool.engine.house.periods import next_round
from storypool.engine.sight import hidden_like
from storypool.engine.table import Character, Check, Table, Trait

__all__ = ["Order", "Slot"]

FIRST = "first"
"""The `after` of a slot that acts out of turn, if the round goes on with its first slot."""


@dataclass(frozen=True)
class Slot(State):
    """The stored state of a slot: the character who acts in it, or who took this turn of a side.

    `acted` is set once they have acted in this round. `after` is set in a slot that acts out of
    turn: the id of the slot after which the order resumes.

    >>> Slot.of(Trait("t1", "slot", "Mira: 11", terms={"who": "mira", "acted": True}))
    Slot(who='mira', acted=True, after=None)
    """

    who: str = ""
    acted: bool | None = None
    after: str | None = None


def _is_here(table: Table, slot: Trait) -> bool:
    who = table.characters.get(Slot.of(slot).who)
    return who is not None and here(who)


@dataclass(frozen=True)
class Order:
    """The order of a fight: traits of kind `slot`, highest rating first, the present one at "now".

    A game chooses four functions. `counts`: whether a slot takes turns, by default where its
    character is here. `goes_first`: whether a slot comes before others of the same rating, by
    default the players'. `announce` returns the trait of kind `turn` that names whose turn begins.
    `taken` returns a slot after this character took it, or, for "", as it is in a new round. A
    trait of kind `acts-next` hands the next turn to the character it is about.

    >>> guard = Trait("t1", "slot", "", "@gm", rating=4, terms={"who": "guard"})
    >>> mira = Trait("t2", "slot", "", "@players", rating=4, at="now", terms={"who": "mira"})
    >>> people = {id: Character(id, id.title()) for id in ("mira", "guard")}
    >>> table = Table(characters=people, traits={"t1": guard, "t2": mira})
    >>> order = Order()
    >>> [slot.id for slot in order.slots(table)]
    ['t2', 't1']
    >>> order.acts_now(table).name, order.acts_next(table).name
    ('Mira', 'Guard')
    """

    counts: Callable[[Table, Trait], bool] = _is_here
    goes_first: Callable[[Table, Trait], bool] | None = None
    announce: Callable[[Turn, Character], TraitSet] | None = None
    taken: Callable[[Turn, Trait, str], Trait] = lambda turn, slot, who: slot

    # The present state.

    def slots(self, table: Table) -> list[Trait]:
        """The slots that take turns, in their order."""
        return [slot for slot in self.every(table) if self.counts(table, slot)]

    def every(self, table: Table) -> list[Trait]:
        """All slots in their order, also those that take no turns."""
        return table.in_turn(self.goes_first)

    def present(self, table: Table) -> Trait | None:
        """The slot whose turn it is, or None."""
        return next(
            (slot for slot in table.of_kind("slot", at="now") if self.counts(table, slot)), None
        )

    def handed_over(self, table: Table) -> Trait | None:
        """The trait that hands the next turn to a character out of the order, or None."""
        return next(iter(table.of_kind("acts-next")), None)

    def acts_now(self, table: Table) -> Character | None:
        """The present actor: the character handed the turn, else that of the present slot."""
        slot = self.present(table)
        if slot is None:
            return None
        given = self.handed_over(table)
        return table.characters.get(given.about if given else Slot.of(slot).who)

    def acts_next(self, table: Table) -> Character | None:
        """The character whose turn comes next in the order."""
        upcoming, _ = self._upcoming(table)
        return table.characters.get(Slot.of(upcoming).who) if upcoming else None

    def has_acted(self, table: Table) -> bool:
        """Whether the present actor has acted this turn, and nobody was handed the next one."""
        slot = self.present(table)
        return slot is not None and bool(Slot.of(slot).acted) and self.handed_over(table) is None

    def members(self, table: Table) -> list[str]:
        """The ids of the characters who have a slot."""
        return [Slot.of(slot).who for slot in table.of_kind("slot") if self.counts(table, slot)]

    def closed(self, turn: Turn, who: str) -> str:
        """The reason why a character cannot act now: it is another's turn; else ""."""
        now = self.acts_now(turn.table)
        if now is None or who == now.id or who not in self.members(turn.table):
            return ""
        return turn.words.say("no.turn", who=now.name)

    # Turns.

    def end(self, turn: Turn) -> Iterator[Event]:
        """End the order, and its last round."""
        for trait in turn.table.of_kind("slot", "turn"):
            yield TraitRemoved(trait.id)
        if "round" in turn.table.running:
            yield PeriodEnded("round", turn.table.periods["round"])

    def go_on(self, turn: Turn, who: str = "") -> Iterator[Event]:
        """End the present turn, taken by `who`, and begin the next: a handed-over one first.

        After the last slot a new round begins, and nobody has acted in it.
        """
        given = self.handed_over(turn.table)
        yield from self._hand_over(turn, given) if given else self._go_on(turn, who)

    def mark_acted(self, turn: Turn, check: Check) -> Iterator[Event]:
        """Mark the present slot as acted if the action was its character's.

        A hidden action marks no public slot.
        """
        slot = self.present(turn.table)
        if slot is not None and Slot.of(slot).who == check.actor and check.may_use(slot):
            yield TraitSet(Slot.put(slot, acted=True))

    def follow_action(self, turn: Turn) -> Iterator[Event]:
        """Begin the next turn, if the character whose turn it is has acted.

        From a hidden slot, and to one, a GM goes on by hand.
        """
        slot, given = self.present(turn.table), self.handed_over(turn.table)
        if slot is None or not Slot.of(slot).acted or slot.hidden:
            return
        upcoming = (
            self._slot_of(turn.table, given.about) if given else self._upcoming(turn.table)[0]
        )
        if upcoming is not None and not upcoming.hidden:
            yield from self.go_on(turn)

    def take_over(self, turn: Turn, check: Check) -> Iterator[Event]:
        """Begin the turn that was handed to the actor of a new action, if it was."""
        given = self.handed_over(turn.table)
        if given is not None and given.about == check.actor and check.may_use(given):
            yield from self._hand_over(turn, given)

    def follow_character(self, turn: Turn, one: Character) -> Iterator[Event]:
        """Remove the slot of a character who has left; show the slot of one who was revealed.

        The order goes on from a public slot to another public one, so it reveals no hidden one.
        """
        if not here(one):
            yield from self._leave(turn, one)
        elif not one.hidden:
            # Slots of older tables do not say with whom they are shown.
            for trait in turn.table.of_kind("slot", "turn"):
                if trait.hidden and one.id in (trait.about, Slot.of(trait).who):
                    yield TraitSet(trait.revealed())

    def _slot_of(self, table: Table, who: str) -> Trait | None:
        return next((slot for slot in table.of_kind("slot") if Slot.of(slot).who == who), None)

    def _upcoming(self, table: Table, among: Sequence[Trait] = ()) -> tuple[Trait | None, bool]:
        """The next slot among these, or among all, and whether a new round begins with it."""
        order, after = among or self.every(table), _resumes_after(_at_now(table))
        place = next((i for i, slot in enumerate(order) if slot.id == after), -1)
        later = [slot for slot in order[place + 1 :] if self.counts(table, slot)]
        found = later or [slot for slot in order if self.counts(table, slot)]
        return next(iter(found), None), after != FIRST and (place < 0 or not later)

    def _go_on(self, turn: Turn, who: str = "", among: Sequence[Trait] = ()) -> Iterator[Event]:
        upcoming, begins_round = self._upcoming(turn.table, among)
        yield from self._end_turn(turn, who)
        if begins_round:
            yield from next_round.body(turn)
            for slot in self.every(turn.table):
                fresh = self.taken(turn, Slot.put(slot, acted=None, after=None), "")
                if fresh != slot:
                    yield TraitSet(fresh)
        if upcoming is not None:
            yield from self._begin_turn(turn, upcoming.id)

    def _begin_turn(self, turn: Turn, id: str, after: str | None = None) -> Iterator[Event]:
        slot = Slot.put(replace(turn.table.traits[id], at="now"), acted=None, after=after)
        yield TraitSet(slot)
        who = turn.table.characters.get(Slot.of(slot).who)
        if self.announce and who:
            yield hidden_like(self.announce(turn, who), slot)

    def _end_turn(self, turn: Turn, who: str = "") -> Iterator[Event]:
        """End the present turn. A slot that acted out of turn has its own turn still to come."""
        for trait in turn.table.of_kind("turn"):
            yield TraitRemoved(trait.id)
        slot = _at_now(turn.table)
        if slot is not None:
            acted = None if Slot.of(slot).after is not None else Slot.of(slot).acted
            yield TraitSet(
                self.taken(turn, Slot.put(replace(slot, at=""), acted=acted, after=None), who)
            )

    def _hand_over(self, turn: Turn, given: Trait) -> Iterator[Event]:
        """Give the turn to a character out of order; their slot stores where the order resumes."""
        after = _resumes_after(_at_now(turn.table))
        yield TraitRemoved(given.id)
        yield from self._end_turn(turn)
        slot = self._slot_of(turn.table, given.about)
        if slot is not None:
            yield from self._begin_turn(turn, slot.id, after)

    def _leave(self, turn: Turn, one: Character) -> Iterator[Event]:
        gone = self._slot_of(turn.table, one.id)
        if gone is None:
            return
        order = [slot for slot in self.every(turn.table) if gone.hidden or not slot.hidden]
        if gone.at == "now" and len(order) > 1:
            yield from self._go_on(turn, among=order)
        place = order.index(gone)
        for slot in turn.table.of_kind("slot"):
            if Slot.of(slot).after == gone.id:
                yield TraitSet(Slot.put(slot, after=order[place - 1].id if place else FIRST))
        yield TraitRemoved(gone.id)


def _at_now(table: Table) -> Trait | None:
    """The slot whose turn it is, even if it takes no turns any more."""
    return next(iter(table.of_kind("slot", at="now")), None)


def _resumes_after(slot: Trait | None) -> str:
    """The slot after which the order resumes: the present one, or the one it took the turn from."""
    if slot is None:
        return ""
    after = Slot.of(slot).after
    return slot.id if after is None else after
