"""The recap of a session: what points bought, luck, what hung on what, who was without points, and
who sees what.
"""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from storypool import systems
from storypool.cli import main
from storypool.engine.sight import view
from storypool.lab import Setting, evening
from storypool.lab.study import prepare
from storypool.log.export import export_lines
from storypool.play import Performance, perform, read
from storypool.worth.luck import luck
from storypool.worth.session import SessionRecap, points_of, session_recap
from storypool.worth.session_leaflet import leaflet, picture
from storypool.worth.session_view import view_session

PNG = b"\x89PNG\r\n\x1a\n"
SEATS = (
    "table c2d10 trust=players_set",
    "seat gm side=gm",
    "seat ann mira: systems=3 logic=3",
    "seat gm thug: dice=4",
)


def performed(*lines: str) -> Performance:
    """A play of these lines after the seats."""
    return perform(read("\n".join((*SEATS, *lines)) + "\n"))


def recapped(*lines: str, seat: str = "gm") -> SessionRecap:
    """The recap of such a play as one seat saw it."""
    played = performed(*lines)
    return session_recap(view(played.records, played.table.seats[seat]), played.system)


ACTION = (
    "points hero=3 villain=2",
    "ann check.declare as=mira pool='4 d10' dc=2 title='Open the door'",
    "ann dice.buy",
    "ann check.roll dice 7 8 1 1 1",
    "ann check.close",
)


def test_what_a_spend_bought_is_the_difference_of_the_odds() -> None:
    """Who spent what on which action, and the chance before and after it by the odds of the
    game.
    """
    [spent] = recapped(*ACTION).spends
    before, after = (
        systems.get("c2d10").odds(f"{n} d10").p(lambda successes: successes >= 2) for n in (4, 5)
    )
    assert ("ann", "players", "Open the door", {"hero": 1}) == (
        spent.who,
        spent.side,
        spent.action,
        spent.points,
    )
    assert after - before == spent.gained


def test_what_comes_back_when_an_action_is_corrected_was_not_spent() -> None:
    """A Fate point for an invoke comes back when the GM names what opposes the action; the second
    one stays spent.
    """
    lines = (
        "table destinydice",
        "seat gm side=gm",
        "seat ann juna: clever=3",
        "points juna.fate=3",
        "ann aspect.add about=juna text='Sharp ears'",
        "ann check.declare as=juna approach=clever",
        "gm check.oppose difficulty=great",
        "ann aspect.invoke aspect='Sharp ears' how=aid with=juna.fate => juna.fate 2",
        "gm check.oppose difficulty=fair => juna.fate 3",
        "ann aspect.invoke aspect='Sharp ears' how=aid with=juna.fate => juna.fate 2",
    )
    played = perform(read("\n".join(lines) + "\n"))
    assert [{"fate": 1}] == [
        dict(one.points) for one in session_recap(played.records, played.system).spends
    ]


def test_luck_is_the_place_among_all_rolls_of_the_same_dice() -> None:
    """Two successes of five dice: what is worse, and half of what is as good."""
    [roll] = recapped(*ACTION).rolls
    odds = systems.get("c2d10").odds("5 d10")
    worse, same = odds.p(lambda successes: successes < 2), odds.p(lambda successes: successes == 2)
    assert worse + same / 2 == roll.place
    assert 1 - worse == roll.chance
    assert roll.passed
    assert worse + roll.bought == roll.weight


@pytest.mark.slow
@pytest.mark.parametrize("game", ["c2d10", "destinydice", "dune", "genesys", "starwars"])
def test_fair_dice_are_ordinary_on_average(game: str) -> None:
    """Over a whole evening with the dice of the lab the mean place is near a half: it is reckoned
    on the right axis.
    """
    lab = prepare(evening(game, "hard"), Setting(), 4, keep=True)
    places = list[Fraction]()
    for number in range(2):
        lab.play(number)
        places += [one.place for one in session_recap(lab.records, lab.system).rolls]
    assert 60 < len(places)
    # Four standard errors of as many places between 0 and 1.
    assert abs(sum(places) / len(places) - Fraction(1, 2)) < 4 * 0.289 / len(places) ** 0.5


def test_luck_has_a_range_in_which_fair_dice_stay() -> None:
    """The usual range is that of the very dice that were rolled; only several people on a side have
    one together.
    """
    found = recapped(*ACTION)
    [mira] = luck(found.rolls)
    odds, mean = systems.get("c2d10").odds("5 d10"), Fraction(0)
    for n in range(11):
        place = (
            odds.p(lambda successes, n=n: successes < n)
            + odds.p(lambda successes, n=n: successes == n) / 2
        )
        mean += odds.p(lambda successes, n=n: successes == n) * (place - Fraction(1, 2)) ** 2
    assert ("mira", "players", 1) == (mira.who, mira.side, mira.rolls)
    assert found.rolls[0].spread == mean
    assert mira.reach == pytest.approx(1.645 * float(mean) ** 0.5)
    two = recapped(
        *ACTION,
        "gm check.declare as=thug dc=1 title=Shoot",
        "gm check.roll dice 1 1 1 1",
        "gm check.close",
    )
    assert ["mira", "thug"] == [one.who for one in luck(two.rolls)]
    again = [replace(found.rolls[0], who="cy"), *found.rolls]
    assert [("cy", 1), ("mira", 1), ("", 2)] == [(one.who, one.rolls) for one in luck(again)]


def test_what_takes_too_long_is_left_out_with_a_sentence() -> None:
    """Without time for its odds a roll has no luck and no weight, and the recap says how many have
    none.
    """
    lines = (
        "table starwars trust=players_set",
        "seat gm side=gm",
        "seat ann pash: agility=6 ranged-light=5",
        "ann check.declare as=pash skill=ranged-light characteristic=agility difficulty=formidable",
        "ann check.roll dice 1 1 1 1 1 1 1 1 1 1 1",
    )
    played = perform(read("\n".join(lines) + "\n"))
    found = session_recap(played.records, played.system, seconds=0)
    assert ((), 1) == (found.rolls, found.left_out)
    [roll] = session_recap(played.records, played.system).rolls
    viewed = view_session(replace(found, rolls=(roll,)), played.system, "The door")
    assert "1 roll is not counted: its odds are not known." in leaflet(viewed, played.system).text()


def test_chances_are_kept_where_the_table_keeps_odds() -> None:
    """Spends are listed without what they bought, and nothing of luck; a sentence says why."""
    played = performed(*ACTION)
    found = session_recap(played.records, played.system, chances=False)
    assert ((), 0) == (found.rolls, found.left_out)
    assert [None] == [one.gained for one in found.spends]
    text = leaflet(view_session(found, played.system, "The door"), played.system).text()
    assert "Only the Keeper sees odds at this table" in text
    assert "ann spent 1 point." in text
    assert "%" not in text


def test_rolling_again_counts_for_the_result_and_not_for_luck() -> None:
    """The place is that of the dice as they first fell; the action ended well."""
    lines = (
        "points hero=3",
        "ann check.declare as=mira pool='2 d10' dc=1 title='Listen'",
        "ann check.roll dice 1 1",
        "ann check.reroll dice 9",
        "ann check.close",
    )
    found = recapped(*lines)
    [roll], [spent] = found.rolls, found.spends
    assert systems.get("c2d10").odds("2 d10").p(lambda successes: successes == 0) / 2 == roll.place
    assert roll.passed
    assert Fraction(3, 10) == spent.gained == roll.bought


def test_a_die_of_the_other_side_is_no_loss_for_who_rolls_it_again() -> None:
    """In a contest the Keeper's die is not the actor's: what the actor's would be worth is not
    taken off.
    """
    lines = (
        "points villain=3",
        "ann contest.declare as=mira against=thug skill=systems talent=logic",
        "ann check.roll dice 7 1 1 1 1 1 7 1 1 1",
        "gm check.reroll die=8 dice 1",
    )
    [spent] = recapped(*lines).spends
    assert spent.gained is None


def test_what_was_given_back_was_not_spent() -> None:
    """An action that is called off, and a move that is undone, leave nothing in the recap."""
    assert () == recapped(*ACTION[:3], "ann check.cancel").spends
    undone = recapped(*ACTION[:3], "gm table.undo", "ann check.roll dice 7 8 1 1", ACTION[4])
    assert () == undone.spends
    assert 1 == len(undone.rolls)


def test_what_adds_to_the_other_side_is_a_price_too() -> None:
    """Dice that players pay for by adding to the other side's points are listed with what they
    add.
    """
    lines = (
        "table dune trust=players_set",
        "seat gm side=gm",
        "seat ann ruhan: battle=7 duty=8",
        "ann check.declare as=ruhan skill=battle drive=duty difficulty=1",
        "ann dice.buy n=1 threat=1",
    )
    played = perform(read("\n".join(lines) + "\n"))
    [spent] = session_recap(played.records, played.system).spends
    assert ({}, {"threat": 1}) == (spent.points, spent.adds)
    assert spent.gained is not None
    assert spent.gained > 0


def test_only_the_latest_session_is_in_the_recap_from_what_it_began_with() -> None:
    """An earlier session leaves nothing, and the pools start with what the beginning of this one
    has set.
    """
    found = recapped(
        *ACTION, "gm session.end", "gm session.begin", "gm dire.situation why=Rain n=2"
    )
    assert (2, (), ()) == (found.short.session, found.spends, found.rolls)
    assert [2, 4] == [n for _, n in found.pools["villain"]]


def test_what_is_dealt_out_before_the_first_action_is_the_start() -> None:
    """Pools begin with what the first action finds, and what was dealt out before it is no
    swing.
    """
    played = performed(
        "points hero=0 villain=0", "gm points.correct account=hero to=3 why=Dealt", *ACTION[1:]
    )
    found = session_recap(played.records, played.system)
    assert [3, 2] == [n for _, n in found.pools["hero"]]
    assert ["Biggest swing: hero points, from 3 to 2."] == [
        one.text for one in found.short.lines if one.kind == "swing"
    ]


def test_what_rises_is_no_point_that_was_spent() -> None:
    """The strain of a dark pip and what the players learn by a move of the GM are listed, and in no
    sum of points.
    """
    force = (
        "table starwars trust=players_set",
        "seat gm side=gm",
        "seat ann kes: name=Kes force-rating=2 willpower=3",
        "points light=2 dark=2",
        "ann force.use as=kes title='Move the crate'",
        "ann check.roll dice 1 1",
        "ann force.other n=1",
    )
    played = perform(read("\n".join(force) + "\n"))
    found = session_recap(played.records, played.system)
    assert [({"light": 1}, {"strain": 1})] == [(one.points, one.adds) for one in found.spends]
    assert ["ann spent 1 point."] == list(view_session(found, played.system, "").bought)
    [spent] = found.spends
    learned = replace(spent, points={"light": 7}, adds={"conflict": 2})
    assert ["ann spent 7 points."] == list(
        view_session(replace(found, spends=[learned]), played.system, "").bought
    )
    alone = replace(found, spends=[replace(spent, points={})])
    assert [] == list(view_session(alone, played.system, "").bought)
    assert {"light": 1} == points_of(spent, played.system)


def test_of_changes_that_went_as_far_none_is_the_biggest() -> None:
    """Two points that were bought one by one are no swing; a change of two beside them is."""
    again = ("gm check.declare as=thug dc=1 title=Shoot", "gm dice.buy")
    shown = [
        [one.text for one in recapped(*ACTION, *again, *more).short.lines if one.kind == "swing"]
        for more in ((), ("gm dire.situation why=Rain n=2",))
    ]
    assert [] == shown[0]
    assert recapped(*ACTION, *again).short.moved
    assert 1 == len(shown[1])


def test_a_moment_names_its_scene_where_there_are_several() -> None:
    """By its title, or by its number; a session with one scene names none."""
    later = (
        "gm scene.begin title='The vault'",
        ACTION[1],
        "ann check.roll dice 1 1 1 1",
        ACTION[4],
    )
    again = ("gm scene.begin", ACTION[1], "ann check.roll dice 7 7 7 7", ACTION[4])
    viewed = view_session(recapped(*ACTION, *later, *again), performed(*ACTION).system, "The door")
    assert {"(Scene 1)", "(The vault)", "(Scene 3)"} == {
        one.text[one.text.index("(") :].split(":")[0] for one in viewed.hinges
    }
    one = view_session(recapped(*ACTION), performed(*ACTION).system, "The door")
    assert "(" not in one.hinges[0].text


def test_who_was_without_points_is_counted_by_actions() -> None:
    """Of three actions two begin without hero points, one after the other."""
    lines = ("points hero=1 villain=1", *ACTION[1:])
    later = [
        line
        for _ in range(2)
        for line in (ACTION[1], "ann check.roll dice 1 1 1 1", "ann check.close")
    ]
    [players, gm] = recapped(*lines, *later).locks
    assert (3, 2, 1, 2) == (players.actions, players.without, players.times, players.longest)
    assert 0 == gm.without


def test_a_pool_that_is_empty_between_actions_was_empty() -> None:
    """The last hero point is spent, and there is another before the next action begins: that is not
    never.
    """
    again = ("gm points.correct account=hero to=1 why='They found one'", ACTION[1])
    assert [
        "The players (hero points): for a while, but not at the start of an action.",
        "The Keeper (villain points): at no time.",
    ] == locks(*SEATS, "points hero=1 villain=1", *ACTION[1:], *again)


def test_points_of_characters_hide_no_empty_pool() -> None:
    """Who has Determination has no Momentum for that; each pool of a side is counted by itself."""
    lines = (
        "table dune trust=players_set",
        "seat gm side=gm",
        "seat ann ruhan: name=Ruhan battle=7 duty=8",
        "points ruhan.determination=2 momentum=0 threat=0",
        "ann check.declare as=ruhan skill=battle drive=duty difficulty=1",
        "ann dice.buy n=1 threat=1",
        "ann check.roll dice 10 10 10",
        "ann check.close",
    )
    assert [
        "The players (Momentum): at the start of 1 of 1 actions, 1 in a row at most.",
        "The GM (Threat): at the start of 1 of 1 actions, 1 in a row at most.",
    ] == locks(*lines)


def locks(*lines: str) -> list[str]:
    """How long each pool was empty in such a play."""
    played = perform(read("\n".join(lines) + "\n"))
    return [
        one.text
        for one in view_session(
            session_recap(played.records, played.system), played.system, ""
        ).locks
    ]


def test_the_most_hangs_on_what_was_least_likely() -> None:
    """Of four rolls the three are listed whose result was furthest from what was likely, the
    furthest first.
    """
    rolls = [
        ("4 d10", 1, "7 1 1 1"),
        ("1 d10", 2, "9"),
        ("6 d10", 1, "1 1 1 1 1 1"),
        ("2 d10", 1, "7 1"),
    ]
    lines = []
    for n, (pool, dc, dice) in enumerate(rolls):
        declared = f"ann check.declare as=mira pool='{pool}' dc={dc} title=T{n}"
        lines += [declared, f"ann check.roll dice {dice}", "ann check.close"]
    viewed = [one.action for one in recapped(*lines).hinges()]
    assert ["T1", "T2"] == viewed[:2]
    assert 3 == len(viewed)


def test_a_success_at_a_cost_is_called_that() -> None:
    """The dice failed, and the recap does not say that they succeeded."""
    lines = (
        "table dune trust=players_set",
        "seat gm side=gm",
        "seat ann ruhan: battle=7 duty=8",
        "ann check.declare as=ruhan skill=battle drive=duty difficulty=2",
        "ann check.roll dice 15 19",
        "gm check.at_cost",
        "gm complication.suffer text='The blade breaks'",
        "ann check.close",
    )
    played = perform(read("\n".join(lines) + "\n"))
    [hinge] = view_session(
        session_recap(played.records, played.system), played.system, "The duel"
    ).hinges
    assert "success at a cost" in hinge.text


def test_nothing_hangs_on_what_was_certain() -> None:
    """A roll that could only succeed is no moment that mattered."""
    rolled = (
        "ann check.declare as=mira pool='1 d10' dc=1 title=T",
        "ann check.roll dice 9",
        "ann check.close",
    )
    recap = recapped(*rolled)
    [roll] = recap.rolls
    assert [roll] == recap.hinges()
    assert (
        [] == replace(recap, rolls=[replace(roll, chance=Fraction(1), bought=Fraction(0))]).hinges()
    )


def test_nothing_hidden_is_in_a_seats_recap() -> None:
    """A secret action of a hidden character is in the recap of the game master alone, in no line
    and in no number.
    """
    secret = (
        "points hero=3 villain=2",
        "gm npc.add name=Zyxwv dice=3 secret=yes",
        "gm check.declare as=zyxwv dc=1 title=Zyxwv secret=yes",
        "gm check.roll dice 9 9 9",
        "gm check.close",
    )
    ours, theirs = recapped(*secret), recapped(*secret, seat="ann")
    assert "Zyxwv" in repr(ours)
    assert "Zyxwv" not in repr(theirs)
    assert (1, 0) == (len(ours.rolls), len(theirs.rolls))
    assert theirs.locks[0].actions == 0


def test_a_recap_is_in_words() -> None:
    """Every part has its lines, in text, in Markdown and on a page; a table without a session says
    so.
    """
    played, found = performed(*ACTION), recapped(*ACTION)
    viewed = view_session(found, played.system, "The <door>")
    leaf = leaflet(viewed, played.system)
    for phrase in (
        "ann spent 1 point, worth 0.1 results.",
        (
            "mira, Open the door: success. The chance of success was 59\N{NO-BREAK SPACE}%, and 1"
            " point was spent on it."
        ),
        "The Keeper (villain points): at no time.",
    ):
        assert phrase in leaf.text()
    assert "| ann | Buy dice | Open the door | 1 hero point | +11 % |" in leaf.markdown()
    assert "<script" not in leaf.html()
    assert "The &lt;door&gt;" in leaf.html()
    assert "mira (1)" in picture(viewed, played.system)
    empty = view_session(session_recap([], played.system), played.system, "Nothing")
    assert "There has been no session yet." in leaflet(empty, played.system).text()
    assert "There has been no session yet." in picture(empty, played.system)


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """An exported table, as the game master has it."""
    file = tmp_path / "table.jsonl"
    file.write_bytes(b"".join(export_lines(performed(*ACTION).records)))
    return file


def test_the_terminal_prints_a_recap(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As text, as JSON, and in files, and as one seat saw it."""
    assert 0 == main(["recap", str(exported)])
    assert "Open the door" in capsys.readouterr().out
    names = [str(tmp_path / f"recap.{kind}") for kind in ("md", "svg", "html")]
    words = ["--markdown", names[0], "--svg", names[1], "--html", names[2]]
    assert 0 == main(["recap", str(exported), "--seat", "Ann", "--json", *words])
    viewed = json.loads(capsys.readouterr().out)
    assert ["ann"] == [one["who"] for one in viewed["spends"]]
    assert [one["seq"] for one in viewed["hinges"]] == [viewed["rolls"][0]["seq"]]
    assert all(Path(name).read_text(encoding="utf-8") for name in names)
    assert 0 == main(["recap", str(exported), "--png", str(tmp_path / "recap.png")])
    assert PNG == (tmp_path / "recap.png").read_bytes()[: len(PNG)]
    assert 2 == main(["recap", str(exported), "--seat", "Nobody"])
    (tmp_path / "broken").write_text("nothing", encoding="utf-8")
    assert 2 == main(["recap", str(tmp_path / "broken")])


def test_the_terminal_writes_a_picture_to_the_output(
    exported: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The bytes of the PNG, and nothing else."""
    assert 0 == main(["recap", str(exported), "--png", "-"])
    assert PNG == capsysbinary.readouterr().out[: len(PNG)]


def test_a_recap_says_who_fell_and_who_is_hurt() -> None:
    """Who passed a threshold is named with the moment; of the players' characters, what they still
    have.
    """
    seats = (
        "table genesys",
        "seat gm side=gm",
        "seat gm knife: name=Knife wound-threshold=3",
        "seat ann mara: name=Mara",
    )
    wounds = (
        "gm track.suffer who=knife track=wounds by=4",
        "gm track.suffer who=mara track=wounds by=2",
    )
    healed = "gm session.end", "gm track.recover who=mara track=wounds by=2"
    # Who heals after the session was hurt at its end all the same.
    for after in ((), healed[:1], healed):
        played = perform(read("\n".join((*seats, "gm session.begin", *wounds, *after)) + "\n"))
        lines = {
            one.kind: one.text for one in session_recap(played.records, played.system).short.lines
        }
        assert "To remember: Beyond the threshold (Knife)." == lines["moments"]
        assert "Hurt at the end: Mara (2 wounds)." == lines["hurt"]


def test_a_recap_names_a_critical_injury_among_what_hurts() -> None:
    """Beside the wounds: until it is healed, and nothing that ends with the scene."""
    lines = (
        "table genesys",
        "seat gm side=gm",
        "seat gm knife: name=Knife brawn=3 damage=4 critical=1",
        "seat ann mara: name=Mara soak=0",
        "gm session.begin",
        "points players=0 gm=0",
        "gm check.declare as=knife skill=melee against=mara difficulty=simple",
        "gm check.roll dice 8 8 2",
        "gm attack.hit",
        "gm spend.buy row=critical",
        "gm spend.buy row=drop-weapon",
    )
    hurt = "Hurt at the end: Mara (5 wounds, A critical injury)."
    for more, expected in (((), hurt), (("gm session.end",), hurt)):
        played = perform(read("\n".join((*lines, "gm check.close", *more)) + "\n"))
        shown = {
            one.kind: one.text for one in session_recap(played.records, played.system).short.lines
        }
        assert expected == shown["hurt"]


NARRATIVE = (
    "table genesys",
    "seat gm side=gm",
    "seat ann mara: name=Mara brawn=2",
    "seat bo finn: name=Finn brawn=2",
    "gm session.begin",
    "gm contest.open title='The race' difficulty=simple",
)


@pytest.mark.parametrize(
    ("lines", "ended"),
    [
        (
            (
                "table c2d10",
                *SEATS[1:],
                "gm session.begin",
                "gm conflict.open title='The siege' type=opposed",
                "gm conflict.end winner=players",
            ),
            (
                "“The siege” is over: the Keeper ends it; the heroes won; the heroes 0 of 3; the"
                " opposition 0 of 3."
            ),
        ),
        (
            (
                "table dune",
                "seat gm side=gm",
                "seat ann kara: name=Kara",
                "gm session.begin",
                "gm conflict.begin kind=personal text=Dawn first=players",
                "gm conflict.end winner=gm",
            ),
            "“Duel: Dawn” is over; nobody went down. The opposition won.",
        ),
        (
            (*NARRATIVE, "gm contest.settle contest='The race'"),
            "Nobody succeeds: “The race” is a draw.",
        ),
    ],
)
def test_a_recap_says_how_conflicts_and_contests_ended(lines: tuple[str, ...], ended: str) -> None:
    """Who won, or that nobody did, in the sentence that everybody read then."""
    played = perform(read("\n".join(lines) + "\n"))
    shown = {one.kind: one for one in session_recap(played.records, played.system).short.lines}
    assert ended == shown["ended"].text
    assert shown["ended"].seq
    assert "moments" not in shown


@pytest.mark.parametrize(
    ("gained", "sentence"),
    [
        (Fraction(0), "ann spent 1 point."),
        (Fraction(1, 100), "ann spent 1 point, worth less than 0.1 results."),
    ],
)
def test_what_was_worth_next_to_nothing_is_not_worth_nothing(
    gained: Fraction, sentence: str
) -> None:
    """A point whose worth rounds to 0.0 results was worth little; of one that changed no odds only
    the point counts.
    """
    found = recapped(*ACTION)
    alike = replace(found, spends=[replace(one, gained=gained) for one in found.spends])
    assert [sentence] == list(view_session(alike, performed(*ACTION).system, "").bought)
