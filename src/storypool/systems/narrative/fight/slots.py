"""The slots of a fight as they are: in which order, whose turn it is, who has not rolled and who has not acted.

A side owns a slot, and one of that side takes it, once a round. It shows what was rolled for it, and who took it in
this round. The order keeps nobody from acting, apart from players while it is the GM's turn.
Source: starwars.md 1.6, Initiative.
"""

from __future__ import annotations

from collections.abc import Iterator

from storypool.engine import rules as r


def slots(table: r.Table) -> list[r.Trait]:
    """The slots in their order; where both are equal a player's comes first.

    One that was rolled for a hidden character is not among them, since the order would tell of it.
    """
    shown = r.public(table).of_kind("slot")
    return sorted(shown, key=lambda t: (-t.rating, t.terms.get("side") != "players", t.id))


def present(table: r.Table) -> r.Trait | None:
    """The slot whose turn it is."""
    return next((slot for slot in slots(table) if slot.at == "now"), None)


def unrolled(table: r.Table, side: str) -> list[r.Character]:
    """The characters of a side who have no slot yet."""
    rolled = {slot.terms.get("by") for slot in table.of_kind("slot")}
    return [one for one in _of_side(table, side) if one.id not in rolled]


def ready_to_act(table: r.Table, side: str) -> list[r.Character]:
    """The characters of a side who have not acted in this round."""
    acted = {slot.terms.get("who") for slot in slots(table)}
    return [one for one in _of_side(table, side) if one.id not in acted]


def _of_side(table: r.Table, side: str) -> Iterator[r.Character]:
    """Those who may take its turns: in sight, and with a player who is here."""
    for one in table.characters.values():
        seat = table.seats.get(one.seat)
        played = side == "gm" or (seat is not None and seat.here)
        if r.here(one) and one.side == side and not one.hidden and played:
            yield one


def in_order(turn: r.Turn) -> r.Refusal | None:
    """No player acts while it is the GM's turn in the order of a fight."""
    slot = present(turn.table)
    return turn.no("slot.gm") if slot and slot.about == "@gm" and turn.seat.side == "player" else None
