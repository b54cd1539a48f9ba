"""The engine's order of a fight: turns, rounds, handovers, departures and reveals."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from storypool.engine import rules as r
from storypool.engine.fold import evolve
from storypool.systems import get

SYSTEM = get("c2d10")
ORDER = r.Order(announce=lambda turn, who: turn.trait("turn", f"{who.name} acts.", who.id))


def fight(*slots: r.Trait) -> r.Turn:
    """A fight with these slots, for the GM who advances it."""
    seat, ids = r.Seat("gm", "GM", "gm"), [slot.text for slot in slots]
    people = {id: r.Character(id, id.title()) for id in ids}
    table = r.Table(seats={"gm": seat}, characters=people, traits={slot.id: slot for slot in slots})
    return r.Turn(SYSTEM, table, seat, "")


def slot(who: str, rating: int, about: str = "@players", hidden: bool = False) -> r.Trait:
    """A character's slot."""
    seen_by = ("@gm",) if hidden else None
    return r.Trait(f"s-{who}", "slot", who, about, rating, terms={"who": who}, seen_by=seen_by)


def happens(turn: r.Turn, events: Iterable[r.Event]) -> str:
    """The character to act after these events, or "" for nobody."""
    for event in events:
        turn.table = evolve(turn.table, event)
    who = ORDER.acts_now(turn.table)
    return who.id if who else ""


def test_turns_follow_the_order_in_rounds() -> None:
    """Highest first, a player's character before an equal NPC; the first turn starts round 1."""
    turn = fight(slot("ash", 4, "@gm"), slot("bo", 4), slot("cy", 7))
    assert ["cy", "bo", "ash", "cy"] == [happens(turn, ORDER.go_on(turn)) for _ in range(4)]
    assert turn.table.periods["round"] == 2
    assert [trait.text for trait in turn.table.of_kind("turn")] == ["Cy acts."]


def test_equal_slots_keep_their_order() -> None:
    """The older is first, even if a hundred records later an id has another digit."""
    turn = fight(replace(slot("bo", 4), id="t101"), replace(slot("cy", 4), id="t67"))
    assert ["cy", "bo"] == [happens(turn, ORDER.go_on(turn)) for _ in range(2)]


def test_action_counts_for_one_round() -> None:
    """Acting in one's own turn counts only for the current round."""
    turn = fight(slot("ash", 1), slot("bo", 2))
    happens(turn, ORDER.go_on(turn))
    happens(turn, ORDER.mark_acted(turn, r.Check("c1", "bo", "players")))
    assert ORDER.has_acted(turn.table)
    assert happens(turn, ORDER.follow_action(turn)) == "ash"
    assert r.Slot.of(turn.table.traits["s-bo"]).acted
    happens(turn, ORDER.go_on(turn))
    assert turn.table.traits["s-bo"].terms == {"who": "bo"}


def test_order_continues_after_a_handover() -> None:
    """The receiver acts, and still has their own turn later."""
    turn = fight(slot("ash", 1), slot("bo", 2), slot("cy", 3))
    happens(turn, ORDER.go_on(turn))
    turn.table = evolve(turn.table, turn.trait("acts-next", "Ash is next.", "ash"))
    assert happens(turn, ORDER.go_on(turn)) == "ash"
    assert not turn.table.of_kind("acts-next")
    assert ["bo", "ash"] == [happens(turn, ORDER.go_on(turn)) for _ in range(2)]


def test_order_continues_after_a_departure() -> None:
    """The slot goes; if it was their turn, the next one begins in the same round."""
    turn = fight(slot("ash", 1), slot("bo", 2), slot("cy", 3))
    happens(turn, ORDER.go_on(turn))
    gone = replace(turn.table.characters["cy"], side="none")
    turn.table = evolve(turn.table, r.CharacterSet(gone))
    assert happens(turn, ORDER.follow_character(turn, gone)) == "bo"
    assert turn.table.periods["round"] == 1
    assert "s-cy" not in turn.table.traits


def test_order_continues_after_departed_character() -> None:
    """After a turn from a departed character the next in order follows, not a new round."""
    turn = fight(slot("ash", 1), slot("bo", 2), slot("cy", 3))
    happens(turn, ORDER.go_on(turn))
    turn.table = evolve(turn.table, turn.trait("acts-next", "Ash is next.", "ash"))
    happens(turn, ORDER.go_on(turn))
    gone = replace(turn.table.characters["cy"], side="none")
    turn.table = evolve(turn.table, r.CharacterSet(gone))
    assert happens(turn, ORDER.follow_character(turn, gone)) == "ash"
    assert happens(turn, ORDER.go_on(turn)) == "bo"
    assert turn.table.periods["round"] == 1


def test_hidden_slot_gets_no_public_turn() -> None:
    """After an open action a hidden next slot waits for the GM, and its turn is hidden."""
    turn = fight(slot("ash", 1, hidden=True), slot("bo", 2))
    happens(turn, ORDER.go_on(turn))
    happens(turn, ORDER.mark_acted(turn, r.Check("c1", "bo", "players")))
    assert happens(turn, ORDER.follow_action(turn)) == "bo"
    assert happens(turn, ORDER.go_on(turn)) == "ash"
    assert [trait.hidden for trait in turn.table.of_kind("turn")] == [True]
    happens(turn, ORDER.follow_character(turn, turn.table.characters["ash"]))
    assert not any(trait.hidden for trait in turn.table.traits.values())


def test_ordered_characters_wait_for_their_turn() -> None:
    """The reason names the current turn; characters without a slot and the actor do not wait."""
    turn = fight(slot("ash", 1), slot("bo", 2))
    happens(turn, ORDER.go_on(turn))
    assert ["It is the turn of Bo.", "", ""] == [
        ORDER.closed(turn, who) for who in ("ash", "bo", "cy")
    ]
