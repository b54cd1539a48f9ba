"""What a table of Dune waits for, as each seat reads it: who, in which words, and by which moves."""

from __future__ import annotations

from storypool import play, systems
from storypool.engine.offers import offer
from storypool.engine.table import Table, Trait
from storypool.engine.waiting import Waiting, asked, waiting
from storypool.worth.weighing import weighed

SYSTEM = systems.get("dune")
SCENE = """\
table dune
seat gm   side=gm
seat gm   feyd: battle=7 communicate=5 discipline=5 move=6 understand=4 duty=5 faith=5 justice=5 power=7 truth=6 rank=2
seat ann  ruhan: battle=7 communicate=4 discipline=6 move=6 understand=5 duty=8 faith=5 justice=7 power=4 truth=6
seat bo   ysolde: battle=4 communicate=8 discipline=6 move=4 understand=6 duty=6 faith=7 justice=4 power=8 truth=5
points momentum=3 threat=5 ruhan.determination=1
ann  asset.add who=ruhan text=Kindjal kind=weapon potency=2
gm   asset.add who=feyd text=Rapier kind=weapon potency=1
"""
FIGHT = "gm conflict.begin kind=personal text=Yard\n"
ATTACK = FIGHT + "ann conflict.attack\n"
DECLARE = "ann check.declare skill=battle drive=duty\n"
AGREED = DECLARE + "gm check.difficulty difficulty=1\n"


def after(text: str) -> Table:
    """The table after the scene and these lines."""
    return play.perform(play.read(SCENE + text, "waits.play")).table


def first(table: Table, seat: str) -> Waiting:
    """What this seat reads first: what is asked of it, or else what the table waits for."""
    found = asked(waiting(SYSTEM, table, seat))
    assert found is not None
    return found


def test_difficulty_is_the_gms() -> None:
    """A test without a Difficulty waits for the GM, who is told so, and for nobody else."""
    table = after(DECLARE)
    assert ("ann is waiting: set the Difficulty.", ("check.difficulty",)) == _read(table, "gm")
    assert ("Waiting for the GM to set the Difficulty.", ("check.difficulty",)) == _read(table, "ann")
    assert not first(table, "bo").yours


def test_roll_is_the_players() -> None:
    """With everything agreed the roll is what comes next; at Difficulty 0 none is needed."""
    assert ("Roll against Difficulty 1.", ("check.roll",)) == _read(after(AGREED), "ann")
    assert "Waiting for ann to roll." == first(after(AGREED), "gm").text
    simple = after(DECLARE + "gm check.difficulty difficulty=0\n")
    assert ("Difficulty 0: you succeed. Roll only if you want Momentum.", ("check.simple", "check.roll")) == _read(
        simple, "ann"
    )


def test_offer_of_determination_waits_for_an_answer() -> None:
    """A contradicted drive is the GM's to offer for; then the player takes the point or refuses it."""
    contradicted = "ann check.declare skill=battle drive=duty fit=contradicts\ngm check.difficulty difficulty=1\n"
    assert ("drive.offer",) == first(after(contradicted), "gm").moves
    offered = first(after(contradicted + "gm drive.offer\n"), "ann")
    assert (
        "Your Duty speaks against this. Take a point of Determination and go on, or refuse it and fail." == offered.text
    )
    assert ("drive.accept", "drive.refuse") == offered.moves


def test_opponent_rolls_first_and_both_tests_wait() -> None:
    """Who is opposed is asked; the roll that opposes holds up the other, and ends by itself."""
    table = after(ATTACK)
    assert ("ruhan against feyd: roll for feyd.", ("contest.oppose",)) == _read(table, "gm")
    answered = offer(SYSTEM, table, "gm", "contest.oppose", first(table, "gm").args)
    assert all(ask.name in first(table, "gm").args or not ask.needed for ask in answered.asks)
    assert "ruhan against feyd: waiting for the GM to roll first." == first(table, "ann").text
    opposing = after(ATTACK + "gm contest.oppose\n")
    asked_of = first(opposing, "gm")
    (attack, opposed) = opposing.checks
    assert ("check.roll", "check.drive") == asked_of.moves
    assert (opposed, (attack,)) == (asked_of.check, asked_of.also)
    assert "Waiting for the GM to roll first, for feyd." == first(opposing, "ann").text
    assert weighed(SYSTEM, opposing, "gm").odds is None, "a roll against Difficulty 0 can only pass"
    rolled = after(ATTACK + "gm contest.oppose\ngm check.roll dice 5 19\n")
    assert [attack] == list(rolled.checks)
    assert ("Roll against Difficulty 1.", ("check.roll",)) == _read(rolled, "ann")


def test_opponent_settles_complications_before_the_roll_ends() -> None:
    """A complication names its owner, and holds up both tests."""
    table = after(ATTACK + "gm contest.oppose\ngm check.roll dice 5 20\n")
    assert 2 == len(table.checks)
    complication = first(table, "gm")
    assert "1 complication for feyd. Say what goes wrong, or pay 2 Threat to ignore it." == complication.text
    assert ("complication.suffer", "complication.ignore") == complication.moves
    assert "1 complication for feyd: waiting for the GM to settle it." == first(table, "ann").text
    assert 1 == len(after(ATTACK + "gm contest.oppose\ngm check.roll dice 5 20\ngm complication.ignore\n").checks)


def test_complication_of_a_player_is_for_both() -> None:
    """The player may ignore it or propose one, the GM says which."""
    table = after(AGREED + "ann check.roll dice 5 20\n")
    assert ("complication.suffer", "complication.ignore") == first(table, "ann").moves
    assert ("complication.suffer",) == first(table, "gm").moves
    assert "1 complication for ruhan: waiting for the GM or ann to settle it." == first(table, "bo").text


def test_spends_come_before_the_end() -> None:
    """What a roll brought is offered first, and closing last; closing says what the pool has no room for."""
    spend = first(after(AGREED + "ann check.roll dice 5 6\n"), "ann")
    assert ("momentum.ask", "momentum.trait", "check.close") == spend.moves
    full = after("points momentum=6\n" + AGREED + "ann check.roll dice 1 6\n")
    caution = offer(SYSTEM, full, "ann", "check.close", {}).caution
    assert "2 Momentum will be lost: the pool is full. Spend it first, or close all the same." == caution
    assert "" == offer(SYSTEM, after(AGREED + "ann check.roll dice 5 6\n"), "ann", "check.close", {}).caution


def test_failure_is_accepted_or_bought_off() -> None:
    """A failed test is left at that, or succeeds at a cost; Determination rolls again where the statement applies."""
    assert ("check.close", "check.at_cost") == first(after(AGREED + "ann check.roll dice 18 19\n"), "ann").moves
    stated = "ann sheet.write who=ruhan kind=statement at=duty text=Guard\n" + AGREED + "ann check.roll dice 18 19\n"
    assert ("determination.reroll", "check.close", "check.at_cost") == first(after(stated), "ann").moves


def test_hit_is_counted_and_the_beaten_are_asked() -> None:
    """Done counts the hit; whoever is defeated is asked before the attack ends, and then it can be made to last."""
    hit = ATTACK + "gm contest.oppose skill=understand drive=faith\ngm check.roll dice 19 19\nann check.roll dice 1 1\n"
    assert "track.score" == first(after(hit), "ann").moves[0]
    assert "check.close" == first(after(hit), "ann").moves[-1]
    fallen = hit + "ann check.close\n"
    table = after(fallen)
    assert table.checks
    assert ("Defeat for feyd. Resist, or go down?", ("defeat.resist", "defeat.accept")) == _read(table, "gm")
    assert "Defeat for feyd: waiting for the GM to resist, or to go down." == waiting(SYSTEM, table, "bo")[0].text
    down = first(after(fallen + "gm defeat.accept\n"), "ann")
    assert ("track.lasting", "momentum.ask", "check.close") == down.moves
    over, *more = waiting(SYSTEM, after(fallen + "gm defeat.accept\nann check.close\n"), "gm")
    assert not more, "a side of which nobody stands has no turn"
    assert ("The opposition is defeated. End the conflict?", ("conflict.end",)) == (over.text, over.moves)


def test_gm_counts_the_hit_of_who_left() -> None:
    """Who left plays no more: the GM counts their hit, and spends nothing of the players' on it."""
    hit = ATTACK + "gm contest.oppose skill=understand drive=faith\ngm check.roll dice 19 19\nann check.roll dice 1 1\n"
    table = after(hit + "ann seat.remove seat=ann\n")
    assert ("track.score", "check.close") == (first(table, "gm").moves[0], first(table, "gm").moves[-1])
    count = offer(SYSTEM, table, "gm", "track.score", {})
    assert count.closed is None
    assert "press" not in {ask.name for ask in count.asks}
    assert "press" in {ask.name for ask in offer(SYSTEM, after(hit), "ann", "track.score", {}).asks}


def test_winner_of_a_lost_contest_is_asked() -> None:
    """What a lost contest brings is for whoever held out, while the one who lost closes it."""
    lost = "gm check.declare as=feyd skill=communicate drive=power against=ruhan\nann contest.oppose\n"
    table = after(lost + "ann check.roll dice 1 2\ngm check.roll dice 19 19\n")
    assert ("ruhan held out: you have 3 Momentum to spend or save.", ("momentum.ask", "momentum.trait")) == _read(
        table, "ann"
    )


def test_turns_pass_from_side_to_side() -> None:
    """The order says who acted, whose turn it is and who is yet to act; the other side's moves are closed."""
    table = after(FIGHT)
    assert "Your side's turn. Yet to act: ruhan, ysolde." == first(table, "bo").text
    assert ("conflict.attack", "asset.use", "turn.pass") == first(table, "ann").moves
    assert not first(table, "gm").yours
    for key in ("asset.use", "check.declare", "turn.pass"):
        closed = offer(SYSTEM, table, "gm", key, {}).closed
        assert closed is not None
        assert "window" == closed.code, key
    used = FIGHT + "ann asset.use use=information\nann check.roll dice 5 6\n"
    assert ["ruhan: now", "feyd", "ysolde"] == _order(after(used))
    acted = after(used + "ann check.close\n")
    assert ["ruhan: acted", "The opposition: now", "feyd", "ysolde"] == _order(acted)
    assert "Next: feyd. What do they do?" == first(acted, "gm").text
    assert ("You may keep the initiative. Who acts next?", ("initiative.keep",)) == _read(acted, "ann")
    passed = after(used + "ann check.close\ngm turn.pass\n")
    assert "Your side's turn. Yet to act: ysolde." == first(passed, "bo").text
    kept = after(used + "ann check.close\nann initiative.keep who=ysolde\n")
    assert "Next: ysolde. What do they do?" == first(kept, "bo").text
    assert "Next: ysolde. Waiting for bo." == first(kept, "ann").text


def test_cancelled_action_leaves_the_turn() -> None:
    """An action that is cancelled leaves the turn with its side."""
    table = after(ATTACK + "ann check.cancel\n")
    assert ["The players: now", "feyd", "ruhan", "ysolde"] == _order(table)


def test_taps_of_a_test_and_of_an_attack() -> None:
    """The forms come answered, so that a test takes five taps and an attack seven, hand-offs included."""
    test = "ann check.declare\ngm check.difficulty difficulty=1\nann check.roll dice 5 6\nann check.close\n"
    assert {} == after(test).checks
    attack = ATTACK + "gm contest.oppose\ngm check.roll dice 19 19\nann check.roll dice 5 19\nann check.close\n"
    table = after(attack)
    assert ({}, 4) == (table.checks, table.traits["track-feyd"].rating)
    # A form is opened and sent, an attack's with its target among several; everything else is one tap.
    taps = {"check.declare": 2, "conflict.attack": 3}
    assert 5 == sum(taps.get(line.split()[1], 1) for line in test.splitlines())
    assert 7 == sum(taps.get(line.split()[1], 1) for line in attack.splitlines()[1:])


def _read(table: Table, seat: str) -> tuple[str, tuple[str, ...]]:
    wait = first(table, seat)
    return wait.text, wait.moves


def _order(table: Table) -> list[str]:
    def state(trait: Trait) -> str:
        return ": now" if trait.at == "now" else ": acted" if trait.terms.get("acted") else ""

    slots = sorted(table.of_kind("slot"), key=lambda trait: (-trait.rating, trait.text))
    return [f"{slot.text}{state(slot)}" for slot in slots]


def test_side_without_anybody_to_name_is_the_opposition() -> None:
    """Where the opposition has nobody who can act, its name stands in the sentence as any other word."""
    scene = "\n".join(line for line in SCENE.splitlines() if "feyd" not in line)
    passed = play.perform(play.read(f"{scene}\n{FIGHT}ann turn.pass\n", "waits.play")).table
    assert "Your turn. Yet to act: the opposition." == first(passed, "gm").text
