"""The waits of a table of Dune that no play covers: their tests, notes and taps."""

from __future__ import annotations

from storypool import play, systems
from storypool.engine.game.panels import ListPanel
from storypool.engine.offers import offer
from storypool.engine.table import Table
from storypool.engine.waiting import Waiting, most_pressing, waiting
from storypool.worth.weighing import weighed

SYSTEM = systems.get("dune")
SCENE = """\
table dune
seat gm   side=gm
seat gm   feyd: battle=7 communicate=5 discipline=5 move=6 understand=4 duty=5 faith=5 justice=5 \
power=7 truth=6 rank=2
seat ann  ruhan: battle=7 communicate=4 discipline=6 move=6 understand=5 duty=8 faith=5 justice=7 \
power=4 truth=6
seat bo   ysolde: battle=4 communicate=8 discipline=6 move=4 understand=6 duty=6 faith=7 justice=4 \
power=8 truth=5
points momentum=3 threat=5 ruhan.determination=1
ann  asset.add who=ruhan text=Kindjal kind=weapon potency=2
gm   asset.add who=feyd text=Rapier kind=weapon potency=1
"""
FIGHT = "gm conflict.begin kind=personal text=Yard\n"
HIT = (
    "gm contest.oppose skill=understand drive=faith\ngm check.roll dice 19 19\nann check.roll dice"
    " 1 1\n"
)
ATTACK = FIGHT + "ann conflict.attack\n"
AGREED = "ann check.declare skill=battle drive=duty\ngm check.difficulty difficulty=1\n"


def after(text: str) -> Table:
    """The table after the scene and these lines."""
    return play.perform(play.read(SCENE + text, "waits.play")).table


def first(table: Table, seat: str) -> Waiting:
    """What this seat reads first: what is asked of it, or else what the table waits for."""
    found = most_pressing(waiting(SYSTEM, table, seat))
    assert found is not None
    return found


def test_opponent_rolls_first_and_both_tests_wait() -> None:
    """The wait answers the form; the opposing roll blocks the other and ends automatically."""
    table = after(ATTACK)
    answered = offer(SYSTEM, table, "gm", "contest.oppose", first(table, "gm").args)
    assert all(ask.name in first(table, "gm").args or not ask.needed for ask in answered.asks)
    opposing = after(ATTACK + "gm contest.oppose\n")
    asked_of = first(opposing, "gm")
    attack, opposed = opposing.checks
    assert (opposed, (attack,)) == (asked_of.check, asked_of.also)
    assert weighed(SYSTEM, opposing, "gm").odds is None, "a roll against Difficulty 0 can only pass"
    rolled = after(ATTACK + "gm contest.oppose\ngm check.roll dice 5 19\n")
    assert [attack] == list(rolled.checks)


def test_a_complication_stays_in_sight() -> None:
    """A complication is shown to everybody until the scene is over."""
    lists = [
        kind for panel in SYSTEM.panels if isinstance(panel, ListPanel) for kind in panel.traits
    ]
    table = after(AGREED + "ann check.roll dice 20 5\ngm complication.suffer text=Seen\n")
    assert ["Seen"] == [trait.text for trait in table.of_kind(*lists)]


def test_taps_of_a_test_and_of_an_attack() -> None:
    """The forms come answered: five taps a test and seven an attack, hand-offs included."""
    test = (
        "ann check.declare\ngm check.difficulty difficulty=1\nann check.roll dice 5 6\nann"
        " check.close\n"
    )
    assert {} == after(test).checks
    attack = (
        ATTACK
        + "gm contest.oppose\ngm check.roll dice 19 19\nann check.roll dice 5 19\nann check.close\n"
    )
    table = after(attack)
    assert ({}, 4) == (table.checks, table.traits["track-feyd"].rating)
    # A form is opened and sent, an attack's with its target among several; everything else is one
    # tap.
    taps = {"check.declare": 2, "conflict.attack": 3}
    assert 5 == sum(taps.get(line.split()[1], 1) for line in test.splitlines())
    assert 7 == sum(taps.get(line.split()[1], 1) for line in attack.splitlines()[1:])


def test_price_of_the_initiative_names_what_it_adds_to_threat() -> None:
    """Each answer names, before it is tapped, the rest that is added to Threat."""
    acted = FIGHT + "ann asset.use use=information\nann check.roll dice 5 19\nann check.close\n"

    def notes(before: str) -> list[str]:
        (who,) = (
            ask
            for ask in offer(SYSTEM, after(acted + before), "ann", "initiative.keep", {}).asks[:1]
        )
        return [choice.note for choice in who.choices]

    assert ["2 Momentum, Difficulty 1 more", "2 Momentum"] == notes("")
    poor = "gm points.correct account=momentum to=1 why=spent\n"
    assert [
        "1 Momentum, 1 added to Threat, Difficulty 1 more",
        "1 Momentum, 1 added to Threat",
    ] == notes(poor)
    poorer = "gm points.correct account=momentum to=0 why=spent\n"
    assert ["2 added to Threat, Difficulty 1 more", "2 added to Threat"] == notes(poorer)


def test_initiative_is_kept_in_one_tap_where_one_can_act() -> None:
    """A defeated character is no choice: the one who is left is the answer; of several none is."""
    guard = (
        "gm npc.make rank=minor name=Guard skill=battle\ngm asset.add who=Guard text=Pike"
        " kind=weapon\n"
    )
    attack = FIGHT + "ann conflict.attack against=Guard asset=Kindjal\n"
    felled = (
        guard
        + attack
        + HIT.replace("contest.oppose skill=understand drive=faith", "contest.oppose")
    )
    felled += "ann check.close\n" * 2 + "ann turn.pass\n"
    acted = "gm conflict.attack as=feyd against=ruhan asset=Rapier\nann contest.oppose\n"
    acted += "ann check.roll dice 19 18\ngm check.roll dice 1 1\ngm check.close\n"
    (left,) = offer(SYSTEM, after(felled + acted), "gm", "initiative.keep", {}).asks[:1]
    assert "feyd" == left.default
    both = guard + FIGHT + "ann turn.pass\n" + acted
    (several,) = offer(SYSTEM, after(both), "gm", "initiative.keep", {}).asks[:1]
    assert several.default is None


def test_conflict_begins_with_a_button_in_sight() -> None:
    """The beginning of a conflict is one of the seven tools that a GM sees between actions."""
    drawers = {panel.name: panel for panel in SYSTEM.panels if panel.kind == "drawer"}
    table = after('gm house.add text="House Orlan"\n')
    listed = [key for name in ("threat", "scene") for key in _moves_of(drawers[name].name)]
    opened = [key for key in listed if offer(SYSTEM, table, "gm", key, {}).closed is None]
    assert "conflict.begin" in opened[:6]


def _moves_of(drawer: str) -> list[str]:
    """The moves of a drawer, in their order."""
    spots = [
        (spot.order, move.key)
        for move in SYSTEM.moves
        for spot in move.places
        if spot.panel == drawer
    ]
    return [key for _, key in sorted(spots, key=lambda spot: spot[0])]


def test_a_defeat_that_is_accepted_no_longer_says_that_it_can_be_resisted() -> None:
    """Until then its card says for what, in the points of its side."""
    struck = (
        FIGHT
        + "ann turn.pass\ngm conflict.attack against=ruhan\nann contest.oppose skill=communicate"
        " drive=faith\n"
    )
    struck += (
        "ann check.roll dice 19 19\ngm check.roll dice 1 1\npoints threat=9\ngm track.score"
        " press=yes\n"
    )
    fallen = after(struck)
    how, price = "hit by Rapier (4 of 4)", "2 Momentum, or as much added to Threat,"
    assert (
        f"{how}. ruhan can resist this defeat for {price} until the scene is over"
        == fallen.traits["defeated-ruhan"].terms["how"]
    )
    accepted = after(struck + "ann defeat.accept\n")
    assert how == accepted.traits["defeated-ruhan"].terms["how"]
