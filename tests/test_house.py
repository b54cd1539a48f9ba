"""The moves of every table: sessions, characters, corrections, undo, settings and seats."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storypool.engine import house, story
from storypool.engine.decisions import decide
from storypool.engine.events import (
    DiceRolled,
    Event,
    MoveMade,
    PeriodBegan,
    PeriodEnded,
    PointsSet,
    Proposed,
    Rewound,
    SeatTaken,
    TraitRemoved,
)
from storypool.engine.fold import evolve, fold
from storypool.engine.offers import offer
from storypool.engine.refusal import Refused
from storypool.engine.sight import records_of, seen, view
from storypool.engine.table import GM_ONLY, Side, Table
from storypool.engine.waiting import waiting
from storypool.systems import get
from storypool.words.folding import alike, plain
from tests.games.tiny import game as tiny
from tests.sample_table import Evening

DEFAULTS = {
    "enforcement": "strict",
    "odds": "everybody",
    "trust": "gm_agrees",
    "hidden_rolls": "silent",
    "later": "nobody",
    "look": "game",
}


def kinds(events: list[Event]) -> list[str]:
    """The kinds of these events."""
    return [type(event).__name__ for event in events]


# Opening a table and sitting down.


def test_table_opens_with_all_options() -> None:
    """A new table has each option's requested or default value."""
    opened = house.open_table(tiny.SYSTEM, "  An\nevening  ", {"enforcement": "warn"})
    assert ("tiny", "An evening") == (opened.system, opened.title)
    assert {**DEFAULTS, "enforcement": "warn"} == opened.options
    assert "Coins" == house.open_table(tiny.SYSTEM, " \x00 ").title
    assert 80 == len(house.open_table(tiny.SYSTEM, "x" * 1000).title)


@pytest.mark.parametrize(
    ("options", "field"),
    [({"gravity": "off"}, "gravity"), ({"enforcement": "cruel"}, "enforcement")],
)
def test_table_refuses_unknown_options(options: dict[str, str], field: str) -> None:
    """An unknown option or value is refused by name, with the valid values."""
    with pytest.raises(Refused) as no:
        house.open_table(tiny.SYSTEM, "x", options)
    assert ("argument", field) == (no.value.refusal.code, no.value.refusal.field)


def test_seats_have_unique_names_and_ids() -> None:
    """A name here is taken in any letter case; ids differ even for similar names."""
    evening = Evening()
    with pytest.raises(Refused, match="already someone called “ANN”"):
        house.take_seat(evening.system, evening.table, "ANN", "player")
    evening.make("ann", "seat.remove")
    again = house.take_seat(evening.system, evening.table, "Ann", "player")
    assert ("ann-2", "Ann") == (again.seat.id, again.seat.name)


@pytest.mark.parametrize("name", ["zoë", "Zoe\u0308", "ＺＯË", "Zoë\u200b", "ZOË\u3164"])
def test_similar_names_are_one_name(name: str) -> None:
    """A name is stored composed and taken in any typed form; other accents are other names."""
    evening = Evening()
    sat = house.take_seat(evening.system, evening.table, "Zoe\u0308", "player")
    assert ("zoe", "Zoë") == (sat.seat.id, sat.seat.name)
    evening.keep([sat], "zoe")
    with pytest.raises(Refused, match="already someone called"):
        house.take_seat(evening.system, evening.table, name, "player")
    assert evening.refused("ann", "seat.rename", name=name).field == "name"
    evening.keep([house.take_seat(evening.system, evening.table, "Zoe", "player")], "zoe")


@given(st.text(max_size=60))
def test_seat_has_a_plain_name_and_a_plain_id(name: str) -> None:
    """Any typed name is one line of at most 40 characters, with an id of letters and digits."""
    if alike(plain(name)[:40]):
        seat = house.take_seat(tiny.SYSTEM, Table(), name, "player").seat
        assert seat.name.isprintable()
        assert 0 < len(seat.name) <= 40
        assert seat.name == seat.name.strip()
        assert set(seat.id) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
        assert seat.id
    else:
        with pytest.raises(Refused, match="needs a name"):
            house.take_seat(tiny.SYSTEM, Table(), name, "player")


@given(st.lists(st.text(max_size=30), max_size=12))
def test_slugs_are_unique(names: list[str]) -> None:
    """Ids from names differ from all earlier ones, even for names of only signs."""
    taken: list[str] = []
    for name in names:
        taken.append(house.slug(name, taken))
    assert len(set(taken)) == len(taken)


# Sessions, scenes, rounds.


def test_session_begins_and_ends_its_scene() -> None:
    """A session begins with a scene, and its end ends the round and scene before it."""
    evening = Evening()
    evening.make("mona", "round.next")
    assert ("session", "scene", "round") == evening.table.running
    ended = [e.kind for e in evening.make("mona", "session.end") if isinstance(e, PeriodEnded)]
    assert ["round", "scene", "session"] == ended
    assert not evening.table.running
    began = [
        (e.kind, e.number)
        for e in evening.make("mona", "session.begin")
        if isinstance(e, PeriodBegan)
    ]
    assert [("session", 2), ("scene", 2)] == began


def test_session_begins_and_ends_once() -> None:
    """A second session is refused with its remedy, and so is the end of none."""
    evening = Evening()
    no = evening.refused("mona", "session.begin")
    assert ("when", "A session is already going on.", "End it first.") == (
        no.code,
        no.text,
        no.remedy,
    )
    evening.make("mona", "session.end")
    assert "No session is going on." == evening.refused("mona", "session.end").text


def test_session_waits_for_an_open_action() -> None:
    """No session, scene or round ends before its open action is closed or cancelled."""
    evening = Evening()
    evening.toss()
    for key in ("session.end", "scene.begin", "round.next"):
        assert "An action is still going on: a toss." == evening.refused("mona", key).text


def test_rounds_are_counted_in_each_fight() -> None:
    """Rounds count from one, and a new scene begins without one."""
    evening = Evening()
    numbers = []
    for key in ("round.next", "round.next", "scene.begin", "round.next"):
        numbers += [
            e.number
            for e in evening.make("mona", key)
            if isinstance(e, PeriodBegan) and e.kind == "round"
        ]
    assert [1, 2, 1] == numbers


@pytest.mark.parametrize(
    ("until", "key", "gone"),
    [
        ("round", "round.next", True),
        ("scene", "round.next", False),
        ("scene", "scene.begin", True),
        ("session", "scene.begin", False),
        ("", "scene.begin", False),
    ],
)
def test_temporary_statements_end(until: str, key: str, gone: bool) -> None:
    """A statement until the end of a round or scene is struck exactly then."""
    from storypool.engine.events import TraitSet
    from storypool.engine.table import Trait

    evening = Evening()
    evening.make("mona", "round.next")
    evening.keep([TraitSet(Trait("t", "fact", "so", until=until))], "mona")
    events = evening.make("mona", key)
    assert gone == any(isinstance(event, TraitRemoved) for event in events)
    assert gone == ("t" not in evening.table.traits)


# Characters.


def test_player_adds_only_their_own_character() -> None:
    """A player's new character is theirs despite the request; the GM assigns freely."""
    evening = Evening()
    evening.make("ann", "character.add", name="Twin", seat="bo")
    assert "ann" == evening.table.characters["twin"].seat
    evening.make("mona", "character.add", name="Gift", seat="bo", sheet="wits=4")
    gift = evening.table.characters["gift"]
    assert ("bo", "players", {"wits": 4}, None) == (gift.seat, gift.side, gift.sheet, gift.seen_by)


@pytest.mark.parametrize(("seat", "args"), [("ann", {}), ("mona", {"seat": "bo"})])
def test_only_gm_characters_can_be_hidden(seat: str, args: dict[str, str]) -> None:
    """Hiding a player's character is refused with its remedy."""
    no = Evening().refused(seat, "character.add", {**args, "name": "X", "secret": True})
    assert ("argument", "secret") == (no.code, no.field)
    assert no.remedy


def test_sheet_keeps_other_numbers() -> None:
    """A partial change keeps other numbers of a sheet, and all stay in bounds."""
    evening = Evening()
    evening.make("ann", "character.set", who="pash", sheet="wits=4")
    evening.make("ann", "character.learn", who="pash", name="knots", n=2)
    evening.make("ann", "character.set", who="pash", sheet={"wits": 6}, name="Pasha")
    one = evening.table.characters["pash"]
    assert ({"wits": 6, "knots": 2}, "Pasha") == (one.sheet, one.name)
    assert (
        "from 1 to 6, not “7”"
        in evening.refused("ann", "character.set", who="pash", sheet="wits=7").text
    )


def test_player_changes_only_their_own_character() -> None:
    """A player neither changes nor removes another seat's character."""
    evening = Evening()
    for key in ("character.set", "character.leave"):
        assert "argument" == evening.refused("bo", key, who="pash").code
    assert "identity" == evening.refused("bo", "character.give", who="pash", seat="bo").code


def test_fact_of_a_scene_ends_with_it() -> None:
    """A scene's own facts end, even hidden ones; others and those of characters stay."""
    evening = Evening()
    evening.make("mona", "trait.set", text="Rain", scene=True)
    evening.make("mona", "trait.set", text="A trap", secret=True, scene=True)
    evening.make("mona", "trait.set", text="The king is dead")
    evening.make("mona", "trait.set", text="Limps", about="pash")
    evening.make("mona", "scene.begin")
    assert ["The king is dead", "Limps"] == [one.text for one in evening.table.traits.values()]


def test_removed_character_loses_its_statements() -> None:
    """It has no player, choices or lines any more; its numbers stay on record."""
    evening = Evening()
    evening.make("mona", "trait.set", text="Limps", about="pash")
    evening.make("ann", "character.leave", who="pash")
    assert {} == evening.table.traits
    one = evening.table.characters["pash"]
    assert ("none", "", False) == (one.side, one.seat, house.here(one))
    assert "argument" == evening.refused("mona", "trait.set", text="x", about="pash").code


def test_handed_character_is_revealed() -> None:
    """A hidden character that gets a player is public with its balances, in everybody's log."""
    evening = Evening()
    evening.make("mona", "character.add", name="Lurker", secret=True)
    evening.make("mona", "points.correct", account="lurker.nerve", to=2, why="x")
    ann = evening.table.seats["ann"]
    assert "lurker" not in seen(evening.table, ann).characters
    evening.make("mona", "character.give", who="lurker", seat="ann")
    own = fold(view(evening.records, ann))
    assert ("ann", 2) == (own.characters["lurker"].seat, own.balance("nerve", "lurker"))
    assert own.points == seen(evening.table, ann).points


def test_hidden_npc_is_shown_without_its_numbers() -> None:
    """The first step shows it with its balances, the second its numbers."""
    evening = Evening()
    evening.make("mona", "character.add", name="Lurker", sheet="wits=3", secret=True)
    evening.make("mona", "points.correct", account="lurker.nerve", to=2, why="x")
    ann = evening.table.seats["ann"]
    for sheet in ({}, {"wits": 3}):
        evening.make("mona", "character.show", who="lurker")
        own = fold(view(evening.records, ann))
        assert (sheet, 2) == (own.characters["lurker"].sheet, own.balance("nerve", "lurker"))
    assert "only_if" == evening.refused("mona", "character.show", who="lurker").code


@pytest.mark.parametrize(
    ("game", "sheet", "ranks"),
    [
        ("dune", "battle=5 rank=2", ["Notable"]),
        ("starwars", "brawn=3 minions=4 adversary=1", ["A group of 4 minions", "Adversary 1"]),
        ("c2d10", "", []),
    ],
)
def test_rank_is_shown_before_numbers(game: str, sheet: str, ranks: list[str]) -> None:
    """It is offered in words, and all numbers stay the default."""
    evening = Evening(get(game))
    evening.make("mona", "character.add", name="Guard", sheet=sheet, secret=True)
    evening.make("mona", "character.show", who="guard")
    if not ranks:
        assert "only_if" == evening.refused("mona", "character.show", who="guard").code
        return
    shown = offer(evening.system, evening.table, "mona", "character.show", {"who": "guard"})
    asked = next(ask for ask in shown.asks if ask.name == "what")
    labels = [choice.label for choice in asked.choices]
    assert ([*ranks, "The whole sheet"], "all") == (labels[: len(ranks) + 1], asked.default)


@pytest.mark.parametrize("move", ["character.show", "character.give", "check.reveal"])
def test_revealed_npc_comes_with_what_was_hidden_with_it(move: str) -> None:
    """Statements about it are shown with it, except for those that were hidden on their own."""
    evening = Evening()
    evening.make("mona", "character.add", name="Lurker", secret=True)
    evening.make("mona", "trait.set", text="Limps", about="lurker")
    evening.make("mona", "trait.set", text="A spy", about="lurker", secret=True)
    assert ["", "lurker"] == sorted(one.shown_with for one in evening.table.traits.values())
    if move == "check.reveal":
        evening.make("mona", "check.declare", {"as": "lurker", "pool": "1coin"})
        evening.make("mona", move)
    else:
        evening.make("mona", move, who="lurker")
    own = fold(view(evening.records, evening.table.seats["ann"]))
    assert ["Limps"] == [one.text for one in own.traits.values()]
    assert own.traits == seen(evening.table, evening.table.seats["ann"]).traits


def test_players_are_sent_no_numbers_of_npcs() -> None:
    """They are in no record and no table of a player's, until the GM shows one, or all."""
    evening = Evening()
    ann = evening.table.seats["ann"]

    def sent() -> dict[str, object]:
        own = view(evening.records, ann)
        assert "77" not in repr(own)
        assert fold(own).characters == seen(evening.table, ann).characters
        return {**fold(own).characters["guard"].sheet}

    evening.make("mona", "character.add", name="Guard", sheet="wits=3")
    evening.make("mona", "character.learn", who="guard", name="Archery", n=77)
    assert {} == sent()
    assert {"wits": 3, "Archery": 77} == evening.table.characters["guard"].sheet
    evening.make("mona", "character.show", who="guard", what="wits")
    assert {"wits": 3} == sent()
    evening.make("mona", "character.set", who="guard", name="Captain", sheet="wits=4")
    assert {"wits": 4} == sent()
    evening.make("mona", "character.show", who="guard")
    assert {"wits": 4, "Archery": 77} == fold(view(evening.records, ann)).characters["guard"].sheet
    assert "only_if" == evening.refused("mona", "character.show", who="guard").code


def test_npc_handed_to_a_player_is_read_by_all() -> None:
    """Its numbers are theirs from then on, also when the GM takes it back."""
    evening = Evening()
    evening.make("mona", "character.add", name="Guard", sheet="wits=3")
    for seat in ("ann", ""):
        evening.make("mona", "character.give", who="guard", seat=seat)
        own = fold(view(evening.records, evening.table.seats["bo"]))
        assert {"wits": 3} == own.characters["guard"].sheet


def test_numbers_of_npcs_come_and_go_with_undo() -> None:
    """An undo takes back what was shown with the move, for the players too."""
    evening = Evening()
    evening.make("mona", "character.add", name="Guard", sheet="wits=3")
    evening.make("mona", "character.show", who="guard")
    evening.make("mona", "table.undo")
    own = fold(view(evening.records, evening.table.seats["ann"]))
    assert {} == own.characters["guard"].sheet
    assert {"wits": 3} == evening.table.characters["guard"].sheet


def test_equal_names_have_separate_ids() -> None:
    """The GM's characters of one name are numbered, in their ids too."""
    evening = Evening()
    evening.make("mona", "character.add", name="Pash")
    evening.make("mona", "character.add", name="PASH")
    assert {"pash", "oska", "pash-2", "pash-3"} == set(evening.table.characters)
    assert ("Pash 2", "PASH 3") == tuple(
        evening.table.characters[id].name for id in ("pash-2", "pash-3")
    )


@pytest.mark.parametrize(
    ("seat", "move", "args", "text", "remedy"),
    [
        (
            "bo",
            "character.add",
            {"name": "ＰＡＳＨ "},
            "Ann plays Pash already.",
            "let the GM change who plays Pash",
        ),
        ("ann", "character.add", {"name": "pash"}, "You play Pash already.", "another name"),
        (
            "mona",
            "character.add",
            {"name": "Pash", "seat": "bo"},
            "Ann plays Pash",
            "Change who plays Pash",
        ),
        (
            "mona",
            "character.set",
            {"who": "oska", "name": "Ｐash"},
            "Ann plays Pash already.",
            "Change who",
        ),
        (
            "mona",
            "character.give",
            {"who": "pash-2", "seat": "bo"},
            "Ann plays Pash already.",
            "Change who",
        ),
    ],
)
def test_hero_names_are_unique(
    seat: str, move: str, args: dict[str, str], text: str, remedy: str
) -> None:
    """A hero's name is unique in any spelling; the refusal names its player and a remedy."""
    evening = Evening()
    evening.make("ann", "character.set", who="pash", name="Pash")
    evening.make("mona", "character.add", name="Pash")
    evening.make("mona", "character.set", who="oska", name="Oska")
    evening.make("mona", "character.give", who="oska", seat="bo")
    evening.make("mona", "character.set", who="pash-2", name="Pash")
    no = evening.refused(seat, move, args)
    assert ("argument", text in no.text, remedy in no.remedy) == (no.code, True, True), no


def test_unplayed_hero_can_be_taken_over() -> None:
    """A refusal about a freed seat's hero says how to get it; a removed hero frees the name."""
    evening = Evening()
    evening.make("mona", "seat.remove", seat="ann")
    no = evening.refused("bo", "character.add", {"name": "Pash"})
    assert "nobody plays them now" in no.text
    evening.make("mona", "character.leave", who="pash")
    evening.make("bo", "character.add", name="Pash")


def test_numbered_name_reveals_no_hidden_one() -> None:
    """A hidden Guard leaves the plain name to a visible one; a second hidden one is numbered."""
    evening = Evening()
    for secret in (True, False, True):
        evening.make("mona", "character.add", name="Guard", secret=secret)
    assert ["Guard", "Guard", "Guard 2"] == [
        one.name for one in [*evening.table.characters.values()][2:]
    ]


# Corrections.


def test_correction_needs_a_reason() -> None:
    """Only the GM corrects points, within bounds, and the ledger has the reason."""
    evening = Evening()
    events = evening.make("mona", "points.correct", account="luck", to=5, why="forgot one")
    changed = events[1]
    assert isinstance(changed, PointsSet)
    assert (5, 2, "fixed by hand, forgot one") == (changed.balance, changed.delta, changed.why)
    assert "why" == evening.refused("mona", "points.correct", account="luck", to=1).field
    assert "why" == evening.refused("mona", "points.correct", account="luck", to=1, why="  ").field
    assert "price" == evening.refused("mona", "points.correct", account="luck", to=6, why="x").code
    assert (
        "identity" == evening.refused("ann", "points.correct", account="luck", to=5, why="x").code
    )


# Undo and redo.


def test_undo_takes_back_a_whole_move() -> None:
    """It takes back all effects of the move and names it; nothing is deleted."""
    evening = Evening()
    before = evening.table
    evening.toss()
    length = len(evening.records)
    events = evening.make("mona", "table.undo")
    undone = events[-1]
    assert isinstance(undone, Rewound)
    assert ("Declare an action", False) == (undone.what, undone.dice)
    assert length + 2 == len(evening.records)
    assert (before.checks, before.points, before.traits) == (
        evening.table.checks,
        evening.table.points,
        evening.table.traits,
    )


def test_empty_table_can_start_a_session() -> None:
    """Without players "Everyone here?" is moot, and the GM can start anyway."""
    table = fold(records_of([house.open_table(tiny.SYSTEM, "Early", {})], "", 0, 0))
    steps: tuple[tuple[str, Side, str], ...] = (
        (
            "Mona",
            "gm",
            "No player has joined yet. Invite your players; the session can start meanwhile.",
        ),
        (
            "Vera",
            "spectator",
            "No player has joined yet. Invite your players; the session can start meanwhile.",
        ),
        ("Ann", "player", "Everyone here? Start the session."),
    )
    for name, side, expected in steps:
        table = evolve(table, house.take_seat(tiny.SYSTEM, table, name, side))
        [wait] = waiting(tiny.SYSTEM, table, "mona")
        assert (expected, ("session.begin",)) == (wait.text, wait.moves)


def test_refusal_cannot_be_undone_by_players() -> None:
    """After a no there is nothing for players to undo until the next move; its author is named."""
    evening = Evening()
    evening.make("ann", "table.undo")
    [asked] = evening.table.proposals
    evening.make("mona", "proposal.decline", id=asked)
    assert (
        "Mona has just said no, and only they can take that back."
        == evening.refused("ann", "table.undo").text
    )
    evening.make("bo", "table.say", text="Well.")
    assert evening.make("ann", "table.undo")
    assert evening.make("mona", "table.undo")


def test_undo_and_redo_restore_each_step() -> None:
    """Each undo and redo gives exactly the earlier table."""
    evening = Evening()
    shots = [evening.table.points]
    for to in (1, 2, 4):
        evening.make("mona", "points.correct", account="luck", to=to, why="x")
        shots.append(evening.table.points)
    for shot in reversed(shots[:-1]):
        evening.make("mona", "table.undo")
        assert shot == evening.table.points
    for shot in shots[1:]:
        evening.make("mona", "table.redo")
        assert shot == evening.table.points
    assert "when" == evening.refused("mona", "table.redo").code


@given(st.lists(st.sampled_from(["move", "undo", "redo"]), max_size=14))
def test_undo_and_redo_follow_one_history(steps: list[str]) -> None:
    """Any sequence agrees with a list and an index; a new move ends redoing."""
    evening = Evening()
    # Behind the first moves of the evening, which are taken back like any others.
    line, at = [evening.table.points], 0
    for n, step in enumerate(steps):
        if step == "move":
            evening.make("mona", "points.correct", account="doom", to=n % 3, why="x")
            line, at = [*line[: at + 1], evening.table.points], at + 1
        elif step == "undo" and at > 0:
            evening.make("mona", "table.undo")
            at -= 1
        elif step == "redo" and at + 1 < len(line):
            evening.make("mona", "table.redo")
            at += 1
        elif step == "redo":
            assert "when" == evening.refused("mona", "table.redo").code
        assert line[at] == evening.table.points


def test_undo_across_dice_says_so() -> None:
    """An undo across public dice says so; one across a hidden roll reveals nothing."""
    evening = Evening()
    evening.toss()
    evening.make("ann", "check.roll")
    undone = evening.make("mona", "table.undo")[-1]
    assert isinstance(undone, Rewound)
    assert undone.dice
    evening = Evening()
    evening.make("mona", "character.add", name="Lurker", secret=True)
    evening.toss("mona", "lurker")
    rolled = evening.make("mona", "check.roll")
    assert any(isinstance(event, DiceRolled) and event.seen_by == GM_ONLY for event in rolled)
    undone = evening.make("mona", "table.undo")[-1]
    assert isinstance(undone, Rewound)
    assert (False, "") == (undone.dice, undone.what)


def test_players_undo_is_a_proposal() -> None:
    """The GM's consent takes back the move that the player meant."""
    evening = Evening()
    evening.make("mona", "points.correct", account="luck", to=1, why="x")
    asked = evening.make("ann", "table.undo")
    assert isinstance(asked[1], Proposed)
    assert "Undo the last move: “Fix the points” (Mona)" == asked[1].proposal.text
    assert 1 == evening.table.balance("luck")
    evening.make("mona", "proposal.accept")
    assert 3 == evening.table.balance("luck")
    assert {} == evening.table.proposals


def test_pending_undo_blocks_another() -> None:
    """Another offer would name the request; it opens with the move after the answer."""
    evening = Evening()
    evening.make("mona", "points.correct", account="luck", to=1, why="x")
    evening.make("ann", "table.undo")
    closed = evening.offer("ann", "table.undo").closed
    assert closed is not None
    assert "You have asked for an undo already." == closed.text
    assert evening.offer("bo", "table.undo").closed is None
    evening.make("mona", "proposal.decline")
    assert evening.offer("mona", "table.undo").closed is None
    evening.make("bo", "table.say", text="Well.")
    assert evening.offer("ann", "table.undo").closed is None


def test_requested_undo_is_the_gms_too() -> None:
    """The GM's undo names the player's move, and takes it back with the request."""
    evening = Evening()
    evening.make("bo", "table.say", text="Hello")
    evening.make("mona", "points.correct", account="luck", to=1, why="x")
    evening.make("ann", "table.undo")
    sentence = "Undo the last move: “Fix the points” (Mona)"
    assert (
        sentence
        == evening.offer("mona", "table.undo").title
        == evening.offer("bo", "table.undo").title
    )
    undone = evening.make("mona", "table.undo")[-1]
    assert isinstance(undone, Rewound)
    assert ("Fix the points", 3, {}) == (
        undone.what,
        evening.table.balance("luck"),
        evening.table.proposals,
    )
    # When the answer was no, the GM's own undo is of that again.
    evening.make("ann", "table.undo")
    evening.make("mona", "proposal.decline")
    assert (
        "Undo the last move: “Say no to the proposal” (Mona)"
        == evening.offer("mona", "table.undo").title
    )


def test_redo_restores_no_answered_request() -> None:
    """Only the undone move returns, not its answered request, and can be undone by the GM."""
    evening = Evening()
    evening.make("mona", "points.correct", account="luck", to=1, why="x")
    evening.make("ann", "table.undo")
    evening.make("mona", "proposal.accept")
    evening.make("mona", "table.redo")
    assert (1, {}) == (evening.table.balance("luck"), evening.table.proposals)
    assert (
        "Undo the last move: “Fix the points” (Mona)" == evening.offer("mona", "table.undo").title
    )
    evening.make("ann", "table.undo")
    evening.make("mona", "table.undo")
    evening.make("mona", "table.redo")
    assert (1, {}) == (evening.table.balance("luck"), evening.table.proposals)
    # What another player asks, and was not answered by what was undone, is asked still.
    evening.make("ann", "table.undo")
    evening.make("bo", "table.say", text="Wait")
    evening.make("mona", "table.undo")
    evening.make("mona", "table.redo")
    assert ["ann"] == [one.seat for one in evening.table.proposals.values()]


def test_secret_undo_keeps_later_requests() -> None:
    """The GM's secret undo takes back secret work, not a later player's request."""
    evening = Evening()
    evening.make("mona", "points.correct", account="luck", to=1, why="x")
    evening.make("mona", "trait.set", text="A trap", secret=True)
    evening.make("ann", "table.undo")
    for key, traps in (("table.undo", 0), ("table.redo", 1)):
        evening.make("mona", key)
        assert (traps, ["ann"]) == (
            sum(one.text == "A trap" for one in evening.table.traits.values()),
            [one.seat for one in evening.table.proposals.values()],
        )
        own = fold(view(evening.records, evening.table.seats["ann"]))
        assert own.proposals == seen(evening.table, evening.table.seats["ann"]).proposals


def test_requested_undo_lists_later_moves() -> None:
    """The player means their last visible move: later ones, hidden ones too, go with it."""
    evening = Evening()
    evening.make("ann", "table.say", text="Hello")
    evening.make("ann", "table.undo")
    assert "" == evening.offer("mona", "proposal.accept").caution
    evening.make("mona", "trait.set", text="A trap", secret=True)
    secret = "That also takes back what was done in secret since."
    assert secret == evening.offer("mona", "proposal.accept").caution
    evening.make("mona", "proposal.decline")
    evening.make("ann", "table.say", text="Hello again")
    evening.make("mona", "trait.set", text="Another trap", secret=True)
    evening.make("ann", "table.undo")
    assert secret == evening.offer("mona", "proposal.accept").caution
    evening.make("bo", "table.say", text="Wait")
    assert (
        "That also takes back what came after it."
        == evening.offer("mona", "proposal.accept").caution
    )


def test_undo_names_its_move() -> None:
    """Its title has the reader's last visible move and its seat; a given record has no title."""
    evening = Evening()
    evening.make("ann", "table.say", text="Hello")
    evening.make("mona", "trait.set", text="A trap", secret=True)
    assert "Undo the last move: a hidden one" == evening.offer("mona", "table.undo").title
    sentence = "Undo the last move: “Write in the log” (Ann)"
    assert sentence == evening.offer("ann", "table.undo").title
    evening.make("mona", "table.undo")
    assert sentence == evening.offer("mona", "table.undo").title
    earlier = evening.make("ann", "table.undo", to=1)[1]
    assert isinstance(earlier, Proposed)
    assert "Undo the last move" == earlier.proposal.text


def test_seats_survive_an_undo() -> None:
    """Seats are not part of the story and stay as they are."""
    evening = Evening()
    evening.make("mona", "points.correct", account="luck", to=1, why="x")
    evening.keep([house.take_seat(evening.system, evening.table, "Cy", "player")], "cy")
    evening.make("mona", "table.undo")
    assert "cy" in evening.table.seats


def test_empty_undo_and_redo_are_refused() -> None:
    """At a new table there is nothing to undo or redo."""
    table = Table(
        system="tiny", seats={"mona": house.take_seat(tiny.SYSTEM, Table(), "Mona", "gm").seat}
    )
    for key in ("table.undo", "table.redo"):
        with pytest.raises(Refused) as no:
            decide(tiny.SYSTEM, table, "mona", key, {}, roll=None)
        assert "when" == no.value.refusal.code


@pytest.mark.parametrize("to", [0, 10**9, -1])
def test_undo_to_unknown_record_is_refused(to: int) -> None:
    """A given record must exist."""
    assert "argument" == Evening().refused("mona", "table.undo", to=to).code


def test_waiting_sentence_has_one_full_stop() -> None:
    """A player's own full stop is not repeated."""
    evening = Evening(get("genesys"))
    evening.make("ann", "story.fact", text="There is a kit in the wall.")
    read = {seat: waiting(evening.system, evening.table, seat)[0].text for seat in ("mona", "bo")}
    assert "Ann asks: A fact: There is a kit in the wall" == read["mona"]
    assert "Waiting for the GM to answer Ann: “A fact: There is a kit in the wall”." == read["bo"]


# Rounds and facts.


def test_first_round_is_not_called_next() -> None:
    """Where no rounds are counted, none can follow."""
    evening = Evening()
    assert "Start to count rounds" == evening.offer("mona", "round.next").title
    evening.make("mona", "round.next")
    assert "Start the next round" == evening.offer("mona", "round.next").title


def test_game_data_is_no_fact() -> None:
    """The pending Destiny pool was not written by a GM, and cannot be struck out."""
    evening = Evening(get("starwars"))
    evening.make("mona", "session.end")
    evening.make("mona", "session.begin")
    assert "Each player with a character rolls for Destiny" in [
        trait.text for trait in evening.table.traits.values()
    ]
    evening.make("mona", "trait.set", text="It rains")
    [ask] = [ask for ask in evening.offer("mona", "trait.remove").asks if ask.name == "id"]
    assert ["It rains"] == [choice.label for choice in ask.choices]


# Settings and seats.


def test_setting_has_a_valid_value() -> None:
    """The GM changes it to one of its values, and the others stay."""
    evening = Evening()
    evening.make("mona", "table.settings", option="enforcement", value="warn")
    assert {**DEFAULTS, "enforcement": "warn"} == evening.table.options
    assert (
        "argument"
        == evening.refused("mona", "table.settings", option="enforcement", value="gm").code
    )
    assert (
        "identity"
        == evening.refused("ann", "table.settings", option="enforcement", value="log").code
    )


def test_renamed_table_keeps_its_settings() -> None:
    """A new title changes no setting, and an empty one is refused."""
    evening = Evening(odds="gm")
    evening.make("mona", "table.rename", title="Another evening")
    assert ("Another evening", "gm") == (evening.table.title, evening.table.options["odds"])
    assert "title" == evening.refused("mona", "table.rename", title="   ").field


def test_seat_is_renamed_by_its_owner_or_the_gm() -> None:
    """The name must be free, and other seats may not rename it."""
    evening = Evening()
    evening.make("vera", "seat.rename", name="Vee")
    evening.make("mona", "seat.rename", seat="ann", name="Annie")
    assert ["Mona", "Annie", "Bo", "Vee"] == [seat.name for seat in evening.table.seats.values()]
    assert "name" == evening.refused("bo", "seat.rename", name="ANNIE").field
    assert "argument" == evening.refused("bo", "seat.rename", seat="ann", name="X").code
    assert "name" == evening.refused("bo", "seat.rename", name="\t").field


@pytest.mark.parametrize(
    "key", ["seat.rename", "character.add", "character.set", "character.learn", "table.rename"]
)
def test_long_name_is_refused(key: str) -> None:
    """A name is kept whole, or refused with its remedy."""
    evening = Evening()
    field, most = ("title", 80) if key == "table.rename" else ("name", 40)
    whose = {"who": "pash"} if key in ("character.set", "character.learn") else {}
    no = evening.refused("mona", key, {**whose, field: "x" * (most + 1)})
    assert ("argument", field, "Shorten it.") == (no.code, no.field, no.remedy)
    evening.make("mona", key, {**whose, field: "x" * most})
    assert "x" * most in str(evening.table)


def test_last_game_master_stays() -> None:
    """The last GM cannot leave a table, but one of two can."""
    evening = Evening()
    no = evening.refused("mona", "seat.remove")
    assert "A table keeps at least one GM." == no.text
    evening.keep([house.take_seat(evening.system, evening.table, "Milo", "gm")], "milo")
    evening.make("mona", "seat.remove")
    assert (
        "A table keeps at least one GM."
        == evening.refused("milo", "seat.remove", override=True).text
    )


def test_player_frees_only_their_own_seat() -> None:
    """A player leaves and cannot remove others; the GM frees any seat."""
    evening = Evening()
    assert "argument" == evening.refused("ann", "seat.remove", seat="bo").code
    evening.make("mona", "seat.remove", seat="bo")
    assert not evening.table.seats["bo"].here


def test_spectator_has_two_moves() -> None:
    """A spectator can only change their name or leave."""
    from storypool.engine.offers import offers

    evening = Evening()
    assert ["seat.rename", "seat.remove"] == [
        one.key for one in offers(evening.system, evening.table, "vera")
    ]
    assert "identity" == evening.refused("vera", "table.say", text="psst", override=True).code


def test_first_event_describes_the_move() -> None:
    """It has the move, the seat and the arguments as understood."""
    evening = Evening()
    for seat, key, args, understood in (
        ("ann", "table.say", {"text": " hi \n there"}, {"text": "hi there", "secret": False}),
        (
            "mona",
            "points.correct",
            {"account": "luck", "to": "4", "why": "x"},
            {"account": "luck", "to": 4, "why": "x"},
        ),
    ):
        made = evening.make(seat, key, args)[0]
        assert isinstance(made, MoveMade)
        assert (key, seat, understood) == (made.move, made.seat, made.args)


def test_gm_plays_for_a_departed_player() -> None:
    """The GM acts with a departed player's character until they return; the log says so."""
    evening = Evening()
    refused = evening.refused("mona", "check.declare", {"as": "pash", "pool": "2 coin"})
    assert "only_if" == refused.code
    evening.make("ann", "seat.remove", seat="ann")
    evening.toss("mona", "pash")
    wait = waiting(evening.system, evening.table, "mona")[0]
    assert wait.yours
    evening.make("mona", "check.roll")
    evening.make("mona", "check.close")
    evening.keep([SeatTaken(replace(evening.table.seats["ann"], here=True))], "ann")
    assert "Ann is back at the table." == list(story.sentences(evening.records, evening.system))[-1]
    assert (
        "only_if" == evening.refused("mona", "check.declare", {"as": "pash", "pool": "2 coin"}).code
    )


def test_ended_session_is_not_the_first() -> None:
    """The GM reads that it is over, and can start the next."""
    evening = Evening()

    def reads() -> list[str]:
        return [one.text for one in waiting(tiny.SYSTEM, evening.table, "mona")]

    evening.make("mona", "session.end")
    assert ["The session is over. Start the next one whenever you meet again."] == reads()
