"""The order of a fight as the engine keeps it: who acts next, rounds, handing over, leaving and
being revealed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from storypool.engine import rules as r
from storypool.engine.fold import evolve
from storypool.systems import get

SYSTEM = get("c2d10")
ORDER = r.Order(announce=lambda turn, who: turn.trait("turn", f"{who.name} acts.", who.id))


def fight(*slots: r.Trait) -> r.Turn:
    """A fight with these slots, as the GM who goes on with it."""
    seat, ids = r.Seat("gm", "GM", "gm"), [slot.text for slot in slots]
    people = {id: r.Character(id, id.title()) for id in ids}
    table = r.Table(seats={"gm": seat}, characters=people, traits={slot.id: slot for slot in slots})
    return r.Turn(SYSTEM, table, seat, "")


def slot(who: str, rating: int, about: str = "@players", hidden: bool = False) -> r.Trait:
    """The slot of a character."""
    seen_by = ("@gm",) if hidden else None
    return r.Trait(f"s-{who}", "slot", who, about, rating, terms={"who": who}, seen_by=seen_by)


def happens(turn: r.Turn, events: Iterable[r.Event]) -> str:
    """Who acts once these events have happened, "" for nobody."""
    for event in events:
        turn.table = evolve(turn.table, event)
    who = ORDER.acts_now(turn.table)
    return who.id if who else ""


def test_turns_go_down_the_order_and_begin_a_round_at_its_top() -> None:
    """The highest acts first, a player's character before an NPC who is as high; the first turn
    begins round 1.
    """
    turn = fight(slot("ash", 4, "@gm"), slot("bo", 4), slot("cy", 7))
    assert ["cy", "bo", "ash", "cy"] == [happens(turn, ORDER.go_on(turn)) for _ in range(4)]
    assert turn.table.periods["round"] == 2
    assert [trait.text for trait in turn.table.of_kind("turn")] == ["Cy acts."]


def test_of_equal_slots_the_first_that_was_set_goes_first() -> None:
    """Also where a hundred records lie between them, so that the id of the later one has a digit
    more.
    """
    turn = fight(replace(slot("bo", 4), id="t101"), replace(slot("cy", 4), id="t67"))
    assert ["cy", "bo"] == [happens(turn, ORDER.go_on(turn)) for _ in range(2)]


def test_who_has_acted_has_not_in_the_next_round() -> None:
    """An action in one's own turn counts for this round alone."""
    turn = fight(slot("ash", 1), slot("bo", 2))
    happens(turn, ORDER.go_on(turn))
    happens(turn, ORDER.mark_acted(turn, r.Check("c1", "bo", "players")))
    assert ORDER.has_acted(turn.table)
    assert happens(turn, ORDER.follow_action(turn)) == "ash"
    assert r.Slot.of(turn.table.traits["s-bo"]).acted
    happens(turn, ORDER.go_on(turn))
    assert turn.table.traits["s-bo"].terms == {"who": "bo"}


def test_after_a_turn_that_was_handed_over_the_order_goes_on_where_it_was() -> None:
    """The one who was handed the turn acts, and has their own turn still to come."""
    turn = fight(slot("ash", 1), slot("bo", 2), slot("cy", 3))
    happens(turn, ORDER.go_on(turn))
    turn.table = evolve(turn.table, turn.trait("acts-next", "Ash is next.", "ash"))
    assert happens(turn, ORDER.go_on(turn)) == "ash"
    assert not turn.table.of_kind("acts-next")
    assert ["bo", "ash"] == [happens(turn, ORDER.go_on(turn)) for _ in range(2)]


def test_where_one_leaves_the_order_goes_on() -> None:
    """Their slot is gone; where it was their turn, the next one's begins, in the same round."""
    turn = fight(slot("ash", 1), slot("bo", 2), slot("cy", 3))
    happens(turn, ORDER.go_on(turn))
    gone = replace(turn.table.characters["cy"], side="none")
    turn.table = evolve(turn.table, r.CharacterSet(gone))
    assert happens(turn, ORDER.follow_character(turn, gone)) == "bo"
    assert turn.table.periods["round"] == 1
    assert "s-cy" not in turn.table.traits


def test_where_one_leaves_who_handed_the_turn_over_the_order_goes_on_behind_their_place() -> None:
    """Also where they were the first: then with the next, and not with a new round."""
    turn = fight(slot("ash", 1), slot("bo", 2), slot("cy", 3))
    happens(turn, ORDER.go_on(turn))
    turn.table = evolve(turn.table, turn.trait("acts-next", "Ash is next.", "ash"))
    happens(turn, ORDER.go_on(turn))
    gone = replace(turn.table.characters["cy"], side="none")
    turn.table = evolve(turn.table, r.CharacterSet(gone))
    assert happens(turn, ORDER.follow_character(turn, gone)) == "ash"
    assert happens(turn, ORDER.go_on(turn)) == "bo"
    assert turn.table.periods["round"] == 1


def test_nobody_hidden_gets_a_turn_by_an_action_that_all_see() -> None:
    """After an open action the order waits for the GM where a hidden slot is next; its turn is
    hidden too.
    """
    turn = fight(slot("ash", 1, hidden=True), slot("bo", 2))
    happens(turn, ORDER.go_on(turn))
    happens(turn, ORDER.mark_acted(turn, r.Check("c1", "bo", "players")))
    assert happens(turn, ORDER.follow_action(turn)) == "bo"
    assert happens(turn, ORDER.go_on(turn)) == "ash"
    assert [trait.hidden for trait in turn.table.of_kind("turn")] == [True]
    happens(turn, ORDER.follow_character(turn, turn.table.characters["ash"]))
    assert not any(trait.hidden for trait in turn.table.traits.values())


def test_those_in_the_order_wait_for_their_turn() -> None:
    """The reason names whose turn it is; who has no slot, and who acts now, waits for nobody."""
    turn = fight(slot("ash", 1), slot("bo", 2))
    happens(turn, ORDER.go_on(turn))
    assert ["It is the turn of Bo.", "", ""] == [
        ORDER.closed(turn, who) for who in ("ash", "bo", "cy")
    ]
