"""What a table of Dune waits for, as each seat reads it: who, in which words, and by which moves."""

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
seat ann  ruhan: battle=7 communicate=4 discipline=6 move=6 understand=5 duty=8 faith=5 justice=7 power=4 truth=6
seat bo   ysolde: battle=4 communicate=8 discipline=6 move=4 understand=6 duty=6 faith=7 justice=4 power=8 truth=5
points momentum=3 threat=5 ruhan.determination=1
ann  asset.add who=ruhan text=Kindjal kind=weapon potency=2
gm   asset.add who=feyd text=Rapier kind=weapon potency=1
"""
FIGHT = "gm conflict.begin kind=personal text=Yard\n"
HIT = "gm contest.oppose skill=understand drive=faith\ngm check.roll dice 19 19\nann check.roll dice 1 1\n"
ATTACK = FIGHT + "ann conflict.attack\n"
DECLARE = "ann check.declare skill=battle drive=duty\n"
AGREED = DECLARE + "gm check.difficulty difficulty=1\n"


def after(text: str) -> Table:
    """The table after the scene and these lines."""
    return play.perform(play.read(SCENE + text, "waits.play")).table


def first(table: Table, seat: str) -> Waiting:
    """What this seat reads first: what is asked of it, or else what the table waits for."""
    found = most_pressing(waiting(SYSTEM, table, seat))
    assert found is not None
    return found


def test_opponent_rolls_first_and_both_tests_wait() -> None:
    """The form is answered by the wait; the roll that opposes holds up the other, and ends by itself."""
    table = after(ATTACK)
    answered = offer(SYSTEM, table, "gm", "contest.oppose", first(table, "gm").args)
    assert all(ask.name in first(table, "gm").args or not ask.needed for ask in answered.asks)
    opposing = after(ATTACK + "gm contest.oppose\n")
    asked_of = first(opposing, "gm")
    (attack, opposed) = opposing.checks
    assert (opposed, (attack,)) == (asked_of.check, asked_of.also)
    assert weighed(SYSTEM, opposing, "gm").odds is None, "a roll against Difficulty 0 can only pass"
    rolled = after(ATTACK + "gm contest.oppose\ngm check.roll dice 5 19\n")
    assert [attack] == list(rolled.checks)


def test_opponent_settles_complications_before_the_roll_ends() -> None:
    """A complication holds up both tests."""
    table = after(ATTACK + "gm contest.oppose\ngm check.roll dice 5 20\n")
    assert 2 == len(table.checks)
    assert 1 == len(after(ATTACK + "gm contest.oppose\ngm check.roll dice 5 20\ngm complication.ignore\n").checks)


def test_closing_says_what_the_pool_has_no_room_for() -> None:
    """There is no caution where everything has room."""
    full = after("points momentum=6\n" + AGREED + "ann check.roll dice 1 6\n")
    assert "The pool has no room for all that is left." in first(full, "ann").text
    caution = offer(SYSTEM, full, "ann", "check.close", {}).caution
    assert "2 Momentum will be lost: the pool is full. Spend it first, or close all the same." == caution
    assert "" == offer(SYSTEM, after(AGREED + "ann check.roll dice 5 6\n"), "ann", "check.close", {}).caution


def test_the_gm_does_not_wait_for_an_npc() -> None:
    """A player who acts waits for the Difficulty; an NPC has nobody else to wait."""
    assert "ann is waiting: set the Difficulty." == first(after(DECLARE), "gm").text
    own = after("gm check.declare as=feyd skill=battle drive=power\n")
    assert "Set the Difficulty for feyd." == first(own, "gm").text
    assert "Waiting for the GM to set the Difficulty." == first(own, "ann").text


def test_a_complication_stays_in_sight() -> None:
    """What goes wrong is true until the scene is over, and everybody has it beside the action until then."""
    lists = [kind for panel in SYSTEM.panels if isinstance(panel, ListPanel) for kind in panel.traits]
    table = after(AGREED + "ann check.roll dice 20 5\ngm complication.suffer text=Seen\n")
    assert ["Seen"] == [trait.text for trait in table.of_kind(*lists)]


def test_one_complication_is_ignored_without_a_question() -> None:
    """Where a roll brought one, nobody asks how many are ignored, and the button says what that adds."""
    one, two = (after(AGREED + f"ann check.roll dice 20 {face}\n") for face in (5, 20))
    alone, several = (offer(SYSTEM, table, "ann", "complication.ignore", {}) for table in (one, two))
    assert ("Ignore it, for 2 Threat", "Ignore complications") == (alone.title, several.title)
    assert ([], ["n"]) == ([ask.name for ask in alone.asks], [ask.name for ask in several.asks])


def test_done_counts_the_hit_first() -> None:
    """Counting the hit is the usual answer, and closing the last; a side that is all defeated has no turn."""
    hit = ATTACK + HIT
    moves = first(after(hit), "ann").moves
    assert ("track.score", "check.close") == (moves[0], moves[-1])
    assert 1 == len(waiting(SYSTEM, after(hit + "ann check.close\ngm defeat.accept\nann check.close\n"), "gm"))


def test_a_hit_says_what_it_does() -> None:
    """A hit brings its target nearer to defeat, or defeats a minor one; a part of a task is counted."""
    assert "Bring feyd nearer to defeat" == offer(SYSTEM, after(ATTACK + HIT), "ann", "track.score", {}).title
    guard = "gm npc.make rank=minor name=Guard trait=Guard skill=battle second=move quality=5\n"
    named = FIGHT.replace("text=Yard", "text=Yard against=guard") + "ann conflict.attack against=guard\n"
    oppose = "gm contest.oppose\ngm check.roll dice 19 19\nann check.roll dice 1 1\n"
    assert "Defeat Guard" == offer(SYSTEM, after(guard + named + oppose), "ann", "track.score", {}).title


def test_a_defeat_is_made_to_last_by_who_can_pay() -> None:
    """Without 2 Momentum nobody is asked whether a defeat lasts, as there is nothing to press for it."""
    down = "ann track.score\ngm defeat.accept\n"
    asked_of = first(after(ATTACK + HIT + down), "ann")
    assert ("beaten", "track.lasting") == (asked_of.id, asked_of.moves[0])
    bare = "points momentum=0\n" + ATTACK + HIT.replace("dice 1 1", "dice 5 19")
    poor = first(after(bare + down), "ann")
    assert "track.lasting" not in poor.moves
    assert "last" not in poor.text


def test_gm_counts_the_hit_of_who_left() -> None:
    """Who left plays no more: the GM counts their hit, and spends nothing of the players' on it."""
    hit = ATTACK + HIT
    table = after(hit + "ann seat.remove seat=ann\n")
    assert ("track.score", "check.close") == (first(table, "gm").moves[0], first(table, "gm").moves[-1])
    count = offer(SYSTEM, table, "gm", "track.score", {})
    assert count.closed is None
    assert "press" not in {ask.name for ask in count.asks}
    assert "press" in {ask.name for ask in offer(SYSTEM, after(hit), "ann", "track.score", {}).asks}


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


def test_side_without_anybody_to_name_is_the_opposition() -> None:
    """Where the opposition has nobody who can act, its name stands in the sentence as any other word."""
    scene = "\n".join(line for line in SCENE.splitlines() if "feyd" not in line)
    passed = play.perform(play.read(f"{scene}\n{FIGHT}ann turn.pass\n", "waits.play")).table
    assert "Your turn. Yet to act: the opposition." == first(passed, "gm").text


def test_gm_answers_first_what_was_proposed() -> None:
    """Whatever else the GM is asked, a player waits for that."""
    lost = ATTACK + "gm contest.oppose\ngm check.roll dice 1 2\nann check.roll dice 19 20\n"
    wait = first(after(lost + "ann complication.suffer text=Noise\n"), "gm")
    assert (True, "proposal") == (wait.yours, wait.id)


def test_attacker_waits_while_a_defeat_can_be_resisted() -> None:
    """What more an attack brings is asked once the defeated side has answered."""
    struck = after(ATTACK + HIT + "ann check.close\n")
    assert [("resist", False)] == [(one.id, one.yours) for one in waiting(SYSTEM, struck, "ann")]


def test_gm_who_wins_a_contest_can_end_it() -> None:
    """It comes after what the Threat buys, once the player has accepted the loss, who could still change it."""
    contest = "ann check.declare skill=battle drive=duty against=feyd\ngm contest.oppose\ngm check.roll dice 1 2\n"
    moves = ("momentum.ask", "momentum.trait", "check.close")
    lost = contest + "ann check.roll dice 19 19\n"
    assert moves[:2] == first(after(lost), "gm").moves
    assert moves == first(after(lost + "ann check.close\n"), "gm").moves


def test_those_who_are_yet_to_act_are_asked() -> None:
    """A player whose character has acted waits for the others; who is defeated keeps no initiative."""
    use = "ann asset.use use=information\nann check.roll dice 5 6\nann check.close\n"
    turn = after(FIGHT + use + "ann turn.pass\ngm turn.pass\n")
    assert (True, False) == (first(turn, "bo").yours, first(turn, "ann").yours)
    lost = "bo contest.oppose skill=battle drive=power\nbo check.roll dice 19 19\ngm check.roll dice 1 1\n"
    struck = FIGHT + "ann turn.pass\ngm conflict.attack against=ysolde\n" + lost + "gm track.score press=yes\n"
    down = after(struck + "bo defeat.accept\ngm check.close\ngm turn.pass\n" + use)
    (who,) = (ask for ask in offer(SYSTEM, down, "ann", "initiative.keep", {}).asks if ask.name == "who")
    assert [("ruhan", "")] == [(one.label, one.closed) for one in who.choices if not one.closed]
    assert "2 Momentum, Difficulty 1 more" == who.choices[0].note


def test_targets_are_of_the_other_side() -> None:
    """An ally is attacked only where nobody of the other side can act."""
    (against,) = (
        ask for ask in offer(SYSTEM, after(FIGHT), "ann", "conflict.attack", {}).asks if ask.name == "against"
    )
    assert ["feyd"] == [one.label for one in against.choices]


def test_contradicted_drive_is_settled_before_the_difficulty() -> None:
    """Once the Difficulty is set the dice may fall, and an offer would come too late."""
    declared = DECLARE.replace("duty", "duty fit=contradicts")
    wait = first(after(declared), "gm")
    assert ("speaks", ("drive.offer", "check.difficulty")) == (wait.id, wait.moves)
    assert "Waiting for the GM to set the Difficulty." == first(after(declared), "ann").text


def test_hit_can_count_one_more_where_that_can_be_paid() -> None:
    """What it counts is shown in points, and closed where there is too little to pay with."""
    (press,) = (
        ask for ask in offer(SYSTEM, after(ATTACK + HIT), "ann", "track.score", {}).asks if ask.name == "press"
    )
    assert [("4 points", "", ""), ("5 points", "for 2 Momentum", "")] == [
        (c.label, c.note, c.closed) for c in press.choices
    ]
    poor = after(
        "points momentum=0\n" + ATTACK + "gm contest.oppose\ngm check.roll dice 5 19\nann check.roll dice 5 19\n"
    )
    (press,) = (ask for ask in offer(SYSTEM, poor, "ann", "track.score", {}).asks if ask.name == "press")
    assert "That costs 2 Momentum; there is none." == press.choices[1].closed


def test_players_add_the_threat_that_the_gm_pays() -> None:
    """A complication is ignored by its own side: the GM pays Threat, and a player brings the GM Threat."""
    rolled = after(AGREED + "ann check.roll dice 5 20\n")
    assert "or add 2 Threat to ignore it." in first(rolled, "ann").text
    assert ("complication.suffer",) == first(rolled, "gm").moves
    assert "or let ann add 2 Threat to ignore it." in first(rolled, "gm").text
    left = after(AGREED + "ann check.roll dice 5 20\ngm seat.remove seat=ann\n")
    assert "1 complication for ruhan. Say what goes wrong." == first(left, "gm").text
    npc = "gm check.declare as=feyd skill=battle drive=power difficulty=1\ngm check.roll dice 5 20\n"
    assert "or pay 2 Threat to ignore it." in first(after(npc), "gm").text


def test_fighter_without_an_asset_adds_one_or_moves() -> None:
    """Each player is asked by what their own character has, also where it is another who has nothing."""
    table = after("gm zone.add text=Yard\n" + FIGHT)
    assert ("conflict.attack", "asset.use", "asset.move", "turn.pass") == first(table, "ann").moves
    assert ("asset.add", "asset.move", "turn.pass") == first(table, "bo").moves
    acted = "ann asset.use use=information\nann check.roll dice 5 19\nann check.close\n"
    named = after("gm zone.add text=Yard\n" + FIGHT + acted + "ann initiative.keep who=ysolde\n")
    assert first(table, "bo").moves == first(named, "bo").moves


def test_complication_of_a_hidden_test_is_not_ignored_for_threat() -> None:
    """A hidden test moves no pool: its sentence offers only what can be done."""
    hidden = "gm check.declare as=feyd skill=battle drive=power difficulty=1 secret=yes\ngm check.roll dice 5 20\n"
    found = first(after(hidden), "gm")
    assert ("1 complication for feyd. Say what goes wrong.", ("complication.suffer",)) == (found.text, found.moves)


def test_price_of_the_initiative_names_what_it_adds_to_threat() -> None:
    """With too little Momentum the rest is added to Threat, and each answer says so before it is tapped."""
    acted = FIGHT + "ann asset.use use=information\nann check.roll dice 5 19\nann check.close\n"

    def notes(before: str) -> list[str]:
        (who,) = (ask for ask in offer(SYSTEM, after(acted + before), "ann", "initiative.keep", {}).asks[:1])
        return [choice.note for choice in who.choices]

    assert ["2 Momentum, Difficulty 1 more", "2 Momentum"] == notes("")
    poor = "gm points.correct account=momentum to=1 why=spent\n"
    assert ["1 Momentum, 1 added to Threat, Difficulty 1 more", "1 Momentum, 1 added to Threat"] == notes(poor)
    poorer = "gm points.correct account=momentum to=0 why=spent\n"
    assert ["2 added to Threat, Difficulty 1 more", "2 added to Threat"] == notes(poorer)


def test_price_that_the_roll_pays_a_part_of_is_named_whole() -> None:
    """The price of a spend is what the pool pays; what the roll brought of it is named with all it costs."""
    rolled = after("points momentum=1\n" + AGREED + "ann check.roll dice 5 6\n")
    trait = offer(SYSTEM, rolled, "ann", "momentum.trait", {})
    assert (1, "2 Momentum in all, 1 of it from this roll.") == (trait.price.total, trait.caution)
    saved = after("points momentum=2\n" + AGREED + "ann check.roll dice 5 19\n")
    assert "" == offer(SYSTEM, saved, "ann", "momentum.trait", {}).caution


def test_initiative_is_kept_in_one_tap_where_one_can_act() -> None:
    """A defeated character is no choice: the one who is left is the answer; of several none is."""
    guard = "gm npc.make rank=minor name=Guard skill=battle\ngm asset.add who=Guard text=Pike kind=weapon\n"
    attack = FIGHT + "ann conflict.attack against=Guard asset=Kindjal\n"
    felled = guard + attack + HIT.replace("contest.oppose skill=understand drive=faith", "contest.oppose")
    felled += "ann check.close\n" * 2 + "ann turn.pass\n"
    acted = "gm conflict.attack as=feyd against=ruhan asset=Rapier\nann contest.oppose\n"
    acted += "ann check.roll dice 19 18\ngm check.roll dice 1 1\ngm check.close\n"
    (left,) = offer(SYSTEM, after(felled + acted), "gm", "initiative.keep", {}).asks[:1]
    assert "feyd" == left.default
    both = guard + FIGHT + "ann turn.pass\n" + acted
    (several,) = offer(SYSTEM, after(both), "gm", "initiative.keep", {}).asks[:1]
    assert several.default is None


def test_conflict_begins_with_a_button_in_sight() -> None:
    """Of the tools of a GM between actions seven are in sight: the beginning of a conflict is one of them."""
    drawers = {panel.name: panel for panel in SYSTEM.panels if panel.kind == "drawer"}
    table = after('gm house.add text="House Orlan"\n')
    listed = [key for name in ("threat", "scene") for key in _moves_of(drawers[name].name)]
    opened = [key for key in listed if offer(SYSTEM, table, "gm", key, {}).closed is None]
    assert "conflict.begin" in opened[:6]


def _moves_of(drawer: str) -> list[str]:
    """The moves of a drawer, in their order."""
    spots = [(spot.order, move.key) for move in SYSTEM.moves for spot in move.places if spot.panel == drawer]
    return [key for _, key in sorted(spots, key=lambda spot: spot[0])]


def test_the_next_in_line_acts_unless_another_is_chosen() -> None:
    """The sentence names an NPC of the conflict, and so does the form: not one who is only here."""
    table = after(FIGHT.replace("text=", "against=envoy first=gm text="))
    assert "Next: Envoy. What do you do?" == first(table, "gm").text
    (who,) = (ask for ask in offer(SYSTEM, table, "gm", "conflict.attack", {}).asks if ask.name == "as")
    assert "Envoy" == next(one.label for one in who.choices if one.value == who.default)


def test_gm_who_sets_the_difficulty_has_let_a_drive_be() -> None:
    """They are asked for an offer or the Difficulty, and once it is set for nothing more, until another drive."""
    speaks = "ann check.declare skill=battle drive=duty fit=contradicts\n"
    assert ("drive.offer", "check.difficulty") == first(after(speaks), "gm").moves
    agreed = speaks + "gm check.difficulty difficulty=1\n"
    assert not first(after(agreed), "gm").yours
    other = agreed + "ann check.drive skill=battle drive=justice fit=contradicts\n"
    assert ("drive.offer",) == first(after(other), "gm").moves


def test_an_offer_says_what_it_adds_to_threat() -> None:
    """It is what the pool cannot pay, and what was chosen instead; nothing where the pool pays, or for an NPC."""
    poor = after("points momentum=1\n" + AGREED)
    assert "" == offer(SYSTEM, poor, "ann", "dice.buy", {}).caution
    assert "Adds 2 to Threat." == offer(SYSTEM, poor, "ann", "dice.buy", {"n": 2}).caution
    assert "Adds 1 to Threat." == offer(SYSTEM, poor, "ann", "dice.buy", {"threat": 1}).caution
    none = after("points momentum=0\n" + AGREED)
    assert "Adds 1 to Threat." == offer(SYSTEM, none, "ann", "dice.buy", {}).caution
    npc = "points momentum=0\ngm check.declare as=feyd skill=battle drive=power difficulty=1\n"
    assert "" == offer(SYSTEM, after(npc), "gm", "dice.buy", {}).caution


def test_a_defeat_that_is_accepted_no_longer_says_that_it_can_be_resisted() -> None:
    """Until then its card says for what, in the points of its side."""
    struck = (
        FIGHT
        + "ann turn.pass\ngm conflict.attack against=ruhan\nann contest.oppose skill=communicate drive=faith\n"
    )
    struck += "ann check.roll dice 19 19\ngm check.roll dice 1 1\npoints threat=9\ngm track.score press=yes\n"
    fallen = after(struck)
    how, price = "by Rapier (4 of 4)", "2 Momentum, or as much added to Threat,"
    assert (
        f"{how}. ruhan can resist it for {price} until the scene is over"
        == fallen.traits["defeated-ruhan"].terms["how"]
    )
    accepted = after(struck + "ann defeat.accept\n")
    assert how == accepted.traits["defeated-ruhan"].terms["how"]


def test_a_use_of_an_asset_asks_for_words_once() -> None:
    """What is to come of it; or of a use that takes away or helps, what is tried."""
    table = after(FIGHT)
    for use in ("remove", "trait", "asset", "obstacle", "information", "aid"):
        asks = offer(SYSTEM, table, "ann", "asset.use", {"use": use}).asks
        assert ["title" if use in ("remove", "aid") else "text"] == [
            ask.name for ask in asks if ask.kind == "text"
        ]
