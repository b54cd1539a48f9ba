"""The slots of a fight: their order, the turn, and who has not rolled or acted.

A slot belongs to a side; one of its characters takes it, once a round. A slot shows its roll, and
who took it in this round. The order keeps nobody from acting, except players in the GM's turn.
Source: starwars.md 1.6, Initiative.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from storypool.engine import rules as r
from storypool.systems.narrative.symbol_dice import AXES


@dataclass(frozen=True)
class Rolled(r.State):
    """A slot's roll: `by` whom, with which skill, for which side; `who` took it this round."""

    success: int | None = None
    advantage: int | None = None
    side: str = ""
    by: str = ""
    skill: str = ""
    who: str = ""


def text_of(turn: r.Turn, team: r.Team, rolled: Rolled) -> str:
    """A slot in words: its side with the roll, or with who took it."""
    named = AXES.named(r.Bag(success=rolled.success or 0, advantage=rolled.advantage or 0))
    result = r.priced(turn, named) or turn.words["initiative.nothing"]
    taken = turn.table.characters.get(rolled.who)
    values = {
        "side": turn.words[f"initiative.{team}"],
        "result": result,
        "who": taken.name if taken else "",
    }
    return turn.words.say("initiative.taken" if taken else "initiative.slot", **values)


def _taken(turn: r.Turn, slot: r.Trait, who: str) -> r.Trait:
    """The slot as taken by a character, or by nobody."""
    if Rolled.of(slot).who == who:
        return slot
    slot = Rolled.put(slot, who=who)
    return r.replace(slot, text=text_of(turn, side_of(slot), Rolled.of(slot)))


def side_of(slot: r.Trait) -> r.Team:
    """The side that owns a slot."""
    return r.Team(slot.about.removeprefix("@"))


ORDER = r.Order(counts=lambda table, slot: not slot.hidden, taken=_taken)
"""The order of turns, without hidden characters' slots: these would reveal them."""


def unrolled(table: r.Table, team: r.Team) -> list[r.Character]:
    """The characters of a side who have no slot yet."""
    rolled = {Rolled.of(slot).by for slot in table.of_kind("slot")}
    return [one for one in of_side(table, team) if one.id not in rolled]


def npcs_left_out(table: r.Table) -> list[r.Character]:
    """The NPCs left out: without a slot, while the GM rolled for NPCs listed after them."""
    rolled = {Rolled.of(slot).by for slot in ORDER.slots(table)}
    last, members = 0, list(of_side(table, r.Team.GM))
    for n, one in enumerate(members):
        if one.id in rolled:
            last = n
    return [one for one in members[:last] if one in unrolled(table, r.Team.GM)]


def ready_to_act(table: r.Table, team: r.Team) -> list[r.Character]:
    """The characters of a side who have not acted in this round; those left out come last."""
    acted = ORDER.members(table)
    left = [one for one in of_side(table, team) if one.id not in acted]
    return sorted(left, key=lambda one: _is_left_out(table, one))


def usually_act(table: r.Table, team: r.Team) -> list[r.Character]:
    """Those of `ready_to_act` who are not left out."""
    return [one for one in ready_to_act(table, team) if not _is_left_out(table, one)]


def has_fallen(table: r.Table, one: r.Character) -> bool:
    """Whether a character is past a threshold."""
    return bool(table.of_kind("beyond", about=one.id))


def none_stands(table: r.Table) -> bool:
    """Whether every NPC with a visible slot has fallen or left."""
    rolled = {Rolled.of(slot).by for slot in ORDER.slots(table) if side_of(slot) is r.Team.GM}
    fighters = [one for id in rolled if (one := table.characters.get(id)) is not None]
    return bool(fighters) and not any(
        r.here(one) and not has_fallen(table, one) for one in fighters
    )


def _is_left_out(table: r.Table, one: r.Character) -> bool:
    """Whether a character, though they may act, is not asked to. Source: notes.toml, fallen."""
    return has_fallen(table, one) or one in unrolled(table, r.Team.GM)


def of_side(table: r.Table, team: r.Team) -> Iterator[r.Character]:
    """The characters of a side who may take its turns: in sight, with a player at the table."""
    for one in table.characters.values():
        seat = table.seats.get(one.seat)
        played = team is r.Team.GM or (seat is not None and seat.here)
        if r.here(one) and one.team is team and not one.hidden and played:
            yield one


def in_order(turn: r.Turn) -> r.Refusal | None:
    """No player acts in the GM's turn."""
    slot = ORDER.present(turn.table)
    if slot and side_of(slot) is r.Team.GM and not turn.is_gm:
        return turn.no("slot.gm")
    return None
