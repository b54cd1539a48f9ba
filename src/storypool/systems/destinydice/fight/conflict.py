"""The order of turns in a conflict, its turns, and its end.

Source: destinydice.md 3.5: by Quick in a physical conflict, by Careful in a mental one. With
ratings by skills it is by Notice and by Empathy, as in Fate Core.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from storypool.engine import rules as r
from storypool.systems.destinydice.sheet import OUT, able, is_out, number

KINDS = {"physical": ("quick", "notice"), "mental": ("careful", "empathy")}
"""The approach and the skill that decide the order, by the kind of conflict."""
OVER = "conflict-over"
"""The kind of the trait with the end of a conflict."""


@dataclass(frozen=True)
class ConflictSlot(r.Slot):
    """A place in the order, and the approach or the skill that decided it (`by`)."""

    by: str = ""


def _fights(table: r.Table, one: r.Character | None) -> bool:
    return one is not None and r.here(one) and not one.hidden and not is_out(table, one.id)


def _announced(turn: r.Turn, who: r.Character) -> r.TraitSet:
    return turn.trait("turn", turn.words.say("conflict.turn", who=who.name), until="scene")


ORDER = r.Order(
    counts=lambda table, slot: _fights(table, table.characters.get(ConflictSlot.of(slot).who)),
    announce=_announced,
)
"""The order of turns, of those who are still in the conflict."""


def is_ally(table: r.Table, who: str) -> bool:
    """Whether an NPC is on the players' side in this conflict."""
    return bool(table.of_kind("ally", about=who))


def on_players_side(table: r.Table, who: str) -> bool:
    """Whether a character is the players' own, or on their side in this conflict."""
    one = table.characters.get(who)
    return is_ally(table, who) or one is None or one.team is r.Team.PLAYERS


def has_beaten_side(table: r.Table) -> bool:
    """Whether one side has nobody left in the conflict."""

    def sides(slots: Iterable[r.Trait]) -> set[str]:
        return {slot.about for slot in slots if not is_ally(table, ConflictSlot.of(slot).who)}

    return sides(ORDER.slots(table)) != sides(table.of_kind("slot"))


def in_turn(turn: r.Turn) -> r.Refusal | None:
    """In an order, it is the turn of a character of this seat, or of one without a place."""
    now, free = ORDER.acts_now(turn.table), any(not choice.closed for choice in actor_choices(turn))
    if now is not None and not free:
        return turn.no("turn", who=now.name)
    return None


def actor_choices(turn: r.Turn) -> Iterator[r.Choice]:
    """This seat's characters; in a conflict, closed if it is not their turn."""
    return (r.replace(choice, closed=ORDER.closed(turn, choice.value)) for choice in able(turn))


ALLIES = ("ally", "ally2", "ally3")


def _ally(n: int) -> r.Ask:
    """The question for an NPC on the players' side, asked after each answer once more."""
    before = ALLIES[:n]

    def may_side(turn: r.Turn, one: r.Character) -> bool:
        return (
            one.team is r.Team.GM
            and _fights(turn.table, one)
            and one.id not in map(turn.text, before)
        )

    label = "Who of yours is on the players' side?"
    if n:
        label = "Who else of yours?"
    choices = r.characters(only=may_side)
    return r.ChoiceAsk(
        ALLIES[n], label, choices, needed=False, shown=lambda t: all(map(t.text, before))
    )


_between_turns = r.all_of(
    r.between_actions,
    r.requires(lambda turn: turn.table.of_kind("slot"), "conflict.none", firm=True),
)
_by_gm = partial(r.gm_move, rule="Conflicts")


@_by_gm(
    "conflict.begin",
    when=r.all_of(
        r.between_actions, r.requires(lambda t: not t.table.of_kind("slot"), "conflict.on")
    ),
    asks=[
        r.ChoiceAsk("kind", "What kind of conflict?", r.answers("conflict", *KINDS)),
        *map(_ally, range(len(ALLIES))),
    ],
    place=r.at("scene", 10),
)
def begin(turn: r.Turn) -> Iterator[r.Event]:
    """Start a conflict

    Everybody in the scene takes turns: in a physical conflict those with the highest Quick first,
    in a mental one those with the highest Careful. It is over when nobody is left of the players'
    characters, or of those against them; whom you name as on the players' side need not be out.
    """
    key = KINDS[turn.text("kind")][turn.option("ratings") == "skills"]
    fighters = [one for one in turn.table.characters.values() if _fights(turn.table, one)]
    fighters.sort(key=lambda one: (-number(one, key), one.team is r.Team.GM))
    for n, one in enumerate(fighters):
        yield _slot(turn, one, len(fighters) - n, key)
    for ally in filter(None, map(turn.text, ALLIES)):
        yield turn.trait("ally", turn.words["ally"], ally, until="scene")
    yield from ORDER.go_on(turn)


def _slot(turn: r.Turn, one: r.Character, place: int, key: str) -> r.TraitSet:
    """A slot in the order, with the number that decides it; the highest place goes first."""
    text = turn.words.say(
        "conflict.slot", who=one.name, what=turn.system.entry(key), n=f"{number(one, key):+}"
    )
    terms = ConflictSlot(one.id, by=key).terms
    return turn.trait("slot", text, one.team.mark, rating=place, until="scene", terms=terms)


@_by_gm("conflict.next", when=_between_turns, place=r.at("slots"))
def next_turn(turn: r.Turn) -> Iterator[r.Event]:
    """Next turn

    It goes on automatically when the character whose turn it is has finished an action.
    """
    yield from ORDER.go_on(turn)


def _fighting_caution(turn: r.Turn) -> str:
    """The characters who still take turns, unless a side is beaten."""
    slots = [] if has_beaten_side(turn.table) else ORDER.slots(turn.table)
    left = [turn.table.characters[ConflictSlot.of(slot).who] for slot in slots]
    return r.naming(turn, "conflict.ends", left)


@_by_gm("conflict.end", when=_between_turns, ends=_fighting_caution, place=r.at("slots"))
def end(turn: r.Turn) -> Iterator[r.Event]:
    """End the conflict

    The log shows how long it was, and who is out of it.
    """
    n = turn.table.periods["round"] if "round" in turn.table.running else 1
    marks = r.public(turn.table).of_kind(*OUT)
    fought = {ConflictSlot.of(slot).who for slot in turn.table.of_kind("slot")}
    gone = {mark.about: turn.table.characters[mark.about] for mark in marks if mark.about in fought}
    text = turn.words.say("conflict.over", n=n)
    out = r.naming(turn, "conflict.out", gone.values(), text=text) or text
    yield turn.trait(OVER, out, until="scene")
    for ally in turn.table.of_kind("ally"):
        yield r.TraitRemoved(ally.id)
    yield from ORDER.end(turn)


@r.whenever(r.CheckClosed)
def go_on_after_action(turn: r.Turn, event: r.CheckClosed) -> Iterator[r.Event]:
    """Begin the next turn when the current character finishes an action."""
    check, now = turn.before.checks.get(event.id), ORDER.acts_now(turn.table)
    if check is None or check.hidden or event.how != "done":
        return
    if now is not None and now.id != check.actor:
        return
    if ORDER.slots(turn.table) and not has_beaten_side(turn.table):
        yield from ORDER.go_on(turn)


def go_on_without(turn: r.Turn) -> Iterator[r.Event]:
    """Begin the next turn if the current character has dropped out, unless a side is beaten."""
    if (
        _present_ids(turn.table)
        and ORDER.acts_now(turn.table) is None
        and not has_beaten_side(turn.table)
    ):
        yield from ORDER.go_on(turn)


@r.whenever(r.TraitSet)
def end_turn_of_dropped(turn: r.Turn, event: r.TraitSet) -> Iterator[r.Event]:
    """End the turn of a character who drops out of the conflict."""
    if event.trait.kind in OUT and event.trait.about in _present_ids(turn.table):
        yield from _nobodys_turn(turn)


@r.whenever(r.CharacterSet)
def end_turn_of_departed(turn: r.Turn, event: r.CharacterSet) -> Iterator[r.Event]:
    """End the turn of a character who leaves the story; the GM goes on."""
    if not r.here(event.character) and event.character.id in _present_ids(turn.table):
        yield from _nobodys_turn(turn)


def _nobodys_turn(turn: r.Turn) -> Iterator[r.Event]:
    for trait in turn.table.of_kind("turn"):
        yield r.TraitRemoved(trait.id)


def _present_ids(table: r.Table) -> list[str]:
    return [ConflictSlot.of(slot).who for slot in table.of_kind("slot", at="now")]


@r.whenever(r.CharacterSet)
def join_last(turn: r.Turn, event: r.CharacterSet) -> Iterator[r.Event]:
    """Give a character who is added or revealed in a conflict the last place."""
    one, order = event.character, turn.table.of_kind("slot")
    if not order or not _fights(turn.table, one):
        return
    if all(ConflictSlot.of(slot).who != one.id for slot in order):
        place = min(slot.rating for slot in order) - 1
        yield _slot(turn, one, place, ConflictSlot.of(order[0]).by)


@r.whenever(r.TraitSet)
def clear_last_end(turn: r.Turn, event: r.TraitSet) -> Iterator[r.Event]:
    """Remove the end of the last conflict once a visible slot is taken."""
    if event.trait.kind == "slot" and not event.trait.hidden:
        for end in turn.table.of_kind(OVER):
            yield r.TraitRemoved(end.id)
