"""Destiny Dice: whom a table waits for, what each seat reads, and how many taps an action takes."""

from __future__ import annotations

import pytest

from storypool import systems
from storypool.engine.offers import offer
from storypool.engine.waiting import Waiting, waiting
from storypool.play import perform, read
from storypool.systems.destinydice.sheet import rung

SYSTEM = systems.get("destinydice")
TABLE = """
table destinydice
seat gm   side=gm
seat ann  juna: quick=3 careful=0 refresh=3 name=Juna
seat bo   bram: quick=1 careful=2 refresh=3 name=Bram
seat gm   duke: quick=2 name=Duke
"""
FIGHT = TABLE + "gm conflict.begin kind=physical\ngm conflict.next\n"
TRY = TABLE + "ann check.declare as=juna title=Leap\n"


def read_by(scene: str, seat: str) -> list[Waiting]:
    """What this seat reads at the end of a scene."""
    return waiting(SYSTEM, perform(read(scene)).table, seat)


def test_an_unseen_attack_waits_for_nobody_whom_it_is_hidden_from() -> None:
    """While the GM has to reveal a hidden attack that hits a player's character, they read nothing of it."""
    scene = TABLE + "gm check.declare as=duke action=attack against=juna difficulty=mediocre secret=yes\n"
    scene += "gm check.roll dice 4 4 4"
    assert "reveal" == read_by(scene, "gm")[0].id
    assert [] == read_by(scene, "ann")


@pytest.mark.parametrize(
    ("action", "faces", "question"),
    [("create", "4 1 1", "What is the new aspect?"), ("overcome", "1 1 1", "What does it cost?")],
)
def test_the_form_asks_for_what_the_roll_came_to(action: str, faces: str, question: str) -> None:
    """The form covers the sentence that asks for it, so its question says what is to be named."""
    scene = TABLE + f"ann check.declare as=juna title=Leap action={action} pool='3 skill' difficulty=mediocre\n"
    scene += f"gm check.agree\nann check.roll dice {faces}"
    asked = offer(SYSTEM, perform(read(scene)).table, "ann", "outcome.take", {}).asks
    assert question in [ask.label for ask in asked if ask.name == "name"]


def test_done_says_what_it_would_lose() -> None:
    """Closing stands below spending, and says which symbols would be lost."""
    table = perform(read(TRY + "gm check.oppose difficulty=fair\nann check.roll dice 5 3 1 1")).table
    assert "3 Advantages will be lost." == offer(SYSTEM, table, "ann", "check.close", {}).caution


LINES = {
    # A form costs its opening and its submit button, and each choice that is made in it; anything else costs one.
    "a check": (
        TABLE,
        [
            (3, "ann check.declare as=juna approach=careful"),
            (1, "gm check.oppose difficulty=fair"),
            (1, "ann check.roll dice 6 4"),
            (1, "ann check.close"),
        ],
        6,
    ),
    "a check that fails": (
        TABLE,
        [
            (2, "ann check.declare as=juna"),
            (1, "gm check.oppose difficulty=fair"),
            (1, "ann check.roll dice 1 1 1 4"),
            (1, "ann outcome.take how=fail"),
        ],
        5,
    ),
    "an NPC's attack that hits": (
        FIGHT,
        [
            (3, "gm check.declare as=duke action=attack against=juna"),
            (1, "ann check.defend by=quick"),
            (1, "gm check.roll dice 4 4 4 1 1 2"),
            (1, "ann harm.absorb how=2"),
        ],
        6,
    ),
    "an NPC's attack that misses": (
        FIGHT,
        [
            (3, "gm check.declare as=duke action=attack against=juna"),
            (1, "ann check.defend by=quick"),
            (1, "gm check.roll dice 1 1 1 4 1 2"),
            (1, "gm check.close"),
        ],
        6,
    ),
}


@pytest.mark.parametrize(("table", "lines", "taps"), LINES.values(), ids=list(LINES))
def test_taps_from_a_try_to_its_end(table: str, lines: list[tuple[int, str]], taps: int) -> None:
    """From the try to its end all seats together tap six times at most, each on what it is asked for."""
    scene = table
    for n, (_, line) in enumerate(lines):
        seat, move, *_ = line.split()
        if n:
            first = next(wait for wait in read_by(scene, seat) if wait.yours)
            assert move in first.moves
        scene += f"{line}\n"
    assert taps == sum(n for n, _ in lines) <= 6
    assert not perform(read(scene)).table.checks


def test_only_a_single_opponent_is_attacked_unasked() -> None:
    """With two, the form wants an answer before it is sent. An ally of the players is not against them."""
    table = perform(read(FIGHT)).table
    asked = {ask.name: ask for ask in offer(SYSTEM, table, "gm", "check.declare", {"action": "attack"}).asks}
    assert asked["against"].default is None
    alone = perform(read(FIGHT + "ann conflict.concede\n")).table
    asked = {ask.name: ask for ask in offer(SYSTEM, alone, "gm", "check.declare", {"action": "attack"}).asks}
    assert "bram" == asked["against"].default
    beside = TABLE + "gm mook.add name=Nun\ngm conflict.begin kind=physical ally=nun\n"
    table = perform(read(beside + "gm conflict.next\n" * 3)).table
    asked = {ask.name: ask for ask in offer(SYSTEM, table, "gm", "check.declare", {"action": "attack"}).asks}
    assert "nun" == asked["as"].default
    assert "duke" == asked["against"].default == asked["against"].choices[0].value


def test_conceding_names_nobody_before_they_are_chosen() -> None:
    """Where a seat has several characters in a conflict, the form shows what conceding brings the chosen one."""
    table = perform(read(FIGHT + "gm mook.add name=Thug\n")).table
    assert "" == offer(SYSTEM, table, "gm", "conflict.concede", {}).caution
    assert "Out of the scene: Thug" in offer(SYSTEM, table, "gm", "conflict.concede", {"as": "thug"}).caution
    assert "Out of the scene: Juna" in offer(SYSTEM, table, "ann", "conflict.concede", {}).caution


def test_what_opposes_an_obstacle_is_named_as_such() -> None:
    """Beside the levels of a difficulty stands an opponent; who is acted against defends."""
    table = perform(read(TRY)).table
    assert "Choose an opponent" == offer(SYSTEM, table, "gm", "check.defend", {}).title
    table = perform(read(TABLE + "ann check.declare as=juna action=attack against=duke\n")).table
    assert "Defend" == offer(SYSTEM, table, "gm", "check.defend", {}).title
    assert "Quick attack" == next(iter(table.checks.values())).title


def test_a_mook_is_skilled_or_bad() -> None:
    """What a mook has a knack for is called as on its sheet, not by a rung of the ladder."""
    scene = TABLE + "gm mook.add name=Thug skilled=Brawling bad=Thinking\nann check.declare as=juna against=thug\n"
    found = offer(SYSTEM, perform(read(scene)).table, "gm", "check.defend", {})
    notes = {one.label: one.note for ask in found.asks if ask.name == "by" for one in ask.choices}
    assert ("Skilled (+2)", "Bad (−2)", "Mediocre (+0)") == (notes["Brawling"], notes["Thinking"], notes["Quick"])


@pytest.mark.parametrize(("dice", "title"), [("6 6 2 1", "Take the boost"), ("1 1 1 1", "Say what comes of it")])
def test_what_needs_no_word_is_taken(dice: str, title: str) -> None:
    """A boost is taken as it is; a cost, or a choice, has to be stated."""
    scene = TABLE + "ann check.declare as=juna approach=quick\ngm check.oppose difficulty=fair\n"
    table = perform(read(scene + f"ann check.roll dice {dice}")).table
    assert title == offer(SYSTEM, table, "ann", "outcome.take", {}).title


def test_a_rating_below_zero_has_a_minus() -> None:
    """What is written beside a rating is the sign for less, not a hyphen."""
    assert ("Terrible (−2)", "Great (+4)") == (rung(-2).title(SYSTEM.words), rung(4).title(SYSTEM.words))


def test_who_helps_is_asked_where_several_could() -> None:
    """One who could help does with a tap; of two, the player says who."""
    scene = TABLE + "ann check.declare as=juna approach=quick\n"
    one = perform(read(scene)).table
    assert () == offer(SYSTEM, one, "bo", "check.help", {}).asks
    two = perform(
        read(TABLE.replace("seat gm   duke", "seat bo   pell: quick=1\nseat gm   duke") + scene[len(TABLE) :])
    ).table
    assert ["helper"] == [ask.name for ask in offer(SYSTEM, two, "bo", "check.help", {}).asks]


def test_who_is_attacked_is_offered_their_stunts() -> None:
    """Beside the choice of a defence stands the way to a stunt, where the one who is attacked has any."""
    scene = TABLE + "gm check.declare as=duke action=attack against=bram\n"
    assert ("check.defend",) == read_by(scene, "bo")[0].moves
    stunt = 'bo stunt.add who=bram text="After you: an Aid die to defend"\n'
    assert ("check.defend", "stunt.use") == read_by(TABLE + stunt + scene[len(TABLE) :], "bo")[0].moves


@pytest.mark.parametrize("gives", ["aid", "session"])
def test_nobody_rolls_before_the_gm_has_agreed(gives: str) -> None:
    """A stunt that might be used all the same does not ask its player to roll while the GM has not agreed."""
    scene = TABLE + f"ann stunt.add who=juna text=Shortcut gives={gives}\n"
    table = perform(read(scene + "ann check.declare as=juna approach=quick difficulty=fair")).table
    assert [("suggested", False)] == [(wait.id, wait.yours) for wait in waiting(SYSTEM, table, "ann")]
    table = perform(read(scene + "ann check.declare as=juna approach=quick difficulty=fair\ngm check.agree")).table
    assert ["check.roll", "stunt.use"] == list(waiting(SYSTEM, table, "ann")[0].moves)
