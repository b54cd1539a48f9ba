"""A session's recap: purchases, luck, decisive rolls, lack of points, and audiences."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from storypool import systems
from storypool.cli import main
from storypool.engine.decisions import decide
from storypool.engine.sight import records_of, view
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
    """The recap of such a play for one seat."""
    played = performed(*lines)
    return session_recap(view(played.records, played.table.seats[seat]), played.system)


ACTION = (
    "points hero=3 villain=2",
    "ann check.declare as=mira pool='4 d10' dc=2 title='Open the door'",
    "ann dice.buy",
    "ann check.roll dice 7 8 1 1 1",
    "ann check.close",
)


def test_purchase_gain_is_the_odds_difference() -> None:
    """It has the spender, action, and the chance before and after by the game's odds."""
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


def test_refund_of_a_correction_is_not_spent() -> None:
    """A Fate point returns when the GM names the opposition; the second stays spent."""
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


def test_luck_is_the_rank_among_rolls() -> None:
    """Two successes of five dice rank above worse rolls and half of the equal ones."""
    [roll] = recapped(*ACTION).rolls
    odds = systems.get("c2d10").odds("5 d10")
    worse, same = odds.p(lambda successes: successes < 2), odds.p(lambda successes: successes == 2)
    assert worse + same / 2 == roll.place
    assert 1 - worse == roll.chance
    assert roll.passed
    assert worse + roll.bought == roll.weight


@pytest.mark.slow
@pytest.mark.parametrize("game", ["c2d10", "destinydice", "dune", "genesys", "starwars"])
def test_fair_dice_are_average(game: str) -> None:
    """Over an evening of the lab's dice the mean rank is near a half, on the right axis."""
    lab = prepare(evening(game, "hard"), Setting(), 4, keep=True)
    places = list[Fraction]()
    for number in range(2):
        lab.play(number)
        places += [one.place for one in session_recap(lab.records, lab.system).rolls]
    assert 60 < len(places)
    # Four standard errors of as many places between 0 and 1.
    assert abs(sum(places) / len(places) - Fraction(1, 2)) < 4 * 0.289 / len(places) ** 0.5


def test_luck_has_a_fair_range() -> None:
    """The usual range is that of the rolled dice; only several people of a side share one."""
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


def test_costly_odds_are_omitted_with_a_sentence() -> None:
    """A roll without time for odds has neither luck nor weight, and is counted."""
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


def test_private_odds_hide_chances() -> None:
    """Spends lack their gains, and luck is absent; a sentence says why."""
    played = performed(*ACTION)
    found = session_recap(played.records, played.system, chances=False)
    assert ((), 0) == (found.rolls, found.left_out)
    assert [None] == [one.gained for one in found.spends]
    text = leaflet(view_session(found, played.system, "The door"), played.system).text()
    assert "Only the Keeper sees odds at this table" in text
    assert "ann spent 1 point." in text
    assert "%" not in text


def test_reroll_counts_only_for_the_result() -> None:
    """The rank is that of the first roll, although the action ended well."""
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


def test_opponents_die_costs_nothing_to_reroll() -> None:
    """In a contest the Keeper's die has no worth for the actor to subtract."""
    lines = (
        "points villain=3",
        "ann contest.declare as=mira against=thug skill=systems talent=logic",
        "ann check.roll dice 7 1 1 1 1 1 7 1 1 1",
        "gm check.reroll die=8 dice 1",
    )
    [spent] = recapped(*lines).spends
    assert spent.gained is None


def test_refunds_are_not_spent() -> None:
    """A cancelled action and an undone move leave nothing in the recap."""
    assert () == recapped(*ACTION[:3], "ann check.cancel").spends
    undone = recapped(*ACTION[:3], "gm table.undo", "ann check.roll dice 7 8 1 1", ACTION[4])
    assert () == undone.spends
    assert 1 == len(undone.rolls)


def test_gain_of_the_other_side_is_a_price() -> None:
    """Dice that players buy by raising the other side's points have that price."""
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


def test_recap_has_only_the_latest_session() -> None:
    """An earlier session leaves nothing, and pools start with this one's settings."""
    found = recapped(
        *ACTION, "gm session.end", "gm session.begin", "gm dire.situation why=Rain n=2"
    )
    assert (2, (), ()) == (found.short.session, found.spends, found.rolls)
    assert [2, 4] == [n for _, n in found.pools["villain"]]


def test_initial_points_are_the_start() -> None:
    """Pools begin with the first action's balance, and earlier gifts are not a swing."""
    played = performed(
        "points hero=0 villain=0", "gm points.correct account=hero to=3 why=Dealt", *ACTION[1:]
    )
    found = session_recap(played.records, played.system)
    assert [3, 2] == [n for _, n in found.pools["hero"]]
    assert ["Biggest swing: hero points, from 3 to 2."] == [
        one.text for one in found.short.lines if one.kind == "swing"
    ]


def test_rising_accounts_are_not_spent() -> None:
    """Strain of dark pips and lessons of a GM move are listed outside the sums."""
    force = (
        "table starwars trust=players_set",
        "seat gm side=gm",
        "seat ann kes: name=Kes force-rating=2 willpower=3",
        "points light=2 dark=2",
        "ann force.use as=kes title='Move the crate'",
        "ann check.roll dice 1 1",
        "ann force.other n=1",
        "ann force.other n=1",
    )
    played = perform(read("\n".join(force) + "\n"))
    found = session_recap(played.records, played.system)
    # The second pip costs no further point: its strain belongs to the same spend.
    assert [({"light": 1}, {"strain": 2})] == [(one.points, one.adds) for one in found.spends]
    assert ["ann spent 1 point."] == list(view_session(found, played.system, "").bought)
    [spent] = found.spends
    learned = replace(spent, points={"light": 7}, adds={"conflict": 2})
    assert ["ann spent 7 points."] == list(
        view_session(replace(found, spends=[learned]), played.system, "").bought
    )
    alone = replace(found, spends=[replace(spent, points={})])
    assert [] == list(view_session(alone, played.system, "").bought)
    assert {"light": 1} == points_of(spent, played.system)


def test_earned_points_are_a_swing() -> None:
    """Points that a character earns without ever paying with them move like those of a pool."""
    lines = (
        "table destinydice",
        "seat gm side=gm",
        "seat ann juna: name=Juna clever=3",
        "gm session.begin",
        "points juna.fate=3 budget=2",
        "ann check.declare as=juna approach=clever",
        "ann check.cancel",
        "ann aspect.add about=juna text='Owes the duke'",
        *("gm compel.offer who=juna text=Trouble", "ann compel.accept") * 3,
    )
    played = perform(read("\n".join(lines) + "\n"))
    swings = [
        one.text
        for one in session_recap(played.records, played.system).short.lines
        if one.kind == "swing"
    ]
    assert ["Biggest swing: Fate points of Juna, from 3 to 6."] == swings


def test_equal_swings_have_no_biggest() -> None:
    """Two single points are not a swing, but a change of two is."""
    again = ("gm check.declare as=thug dc=1 title=Shoot", "gm dice.buy")
    shown = [
        [one.text for one in recapped(*ACTION, *again, *more).short.lines if one.kind == "swing"]
        for more in ((), ("gm dire.situation why=Rain n=2",))
    ]
    assert [] == shown[0]
    assert recapped(*ACTION, *again).short.moved
    assert 1 == len(shown[1])


def test_moment_names_its_scene() -> None:
    """With several scenes it has the title or number; with one, nothing."""
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


def test_lack_of_points_is_counted_by_actions() -> None:
    """Two of three actions in a row begin without hero points."""
    lines = ("points hero=1 villain=1", *ACTION[1:])
    later = [
        line
        for _ in range(2)
        for line in (ACTION[1], "ann check.roll dice 1 1 1 1", "ann check.close")
    ]
    [players, gm] = recapped(*lines, *later).locks
    assert (3, 2, 1, 2) == (players.actions, players.without, players.times, players.longest)
    assert 0 == gm.without


def test_pool_can_be_empty_between_actions() -> None:
    """A last point spent and regained before the next action is not "never empty"."""
    again = ("gm points.correct account=hero to=1 why='They found one'", ACTION[1])
    assert [
        "The players (hero points): for a while, but not at the start of an action.",
        "The Keeper (villain points): at no time.",
    ] == locks(*SEATS, "points hero=1 villain=1", *ACTION[1:], *again)


def test_characters_points_hide_no_empty_pool() -> None:
    """Determination does not count as Momentum: each pool is counted alone."""
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
    """The duration of each empty pool in such a play."""
    played = perform(read("\n".join(lines) + "\n"))
    return [
        one.text
        for one in view_session(
            session_recap(played.records, played.system), played.system, ""
        ).locks
    ]


def test_unlikely_results_matter_most() -> None:
    """Of four rolls the three furthest from the likely result are listed, in order."""
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


def test_success_at_a_cost_is_named() -> None:
    """The dice failed, and the recap does not call it a success."""
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


def test_key_moment_names_free_invokes() -> None:
    """Substitute payments follow the points that were spent on a roll."""
    lines = (
        "table destinydice",
        "seat gm side=gm",
        "seat ann juna: name=Juna clever=1",
        "points juna.fate=1",
        "ann aspect.add about=juna text='Sharp ears'",
        "gm aspect.add text='Open window' free=1",
        "ann check.declare as=juna approach=clever",
        "gm check.oppose difficulty=fair",
        "ann aspect.invoke aspect='Open window' how=aid with=free",
        "ann aspect.invoke aspect='Sharp ears' how=aid with=juna.fate",
        "ann check.roll dice 4 1 1 1 1",
        "ann check.close",
    )
    played = perform(read("\n".join(lines) + "\n"))
    [hinge] = view_session(
        session_recap(played.records, played.system), played.system, "The house"
    ).hinges
    assert hinge.text.endswith(", and 1 point and 1 free invoke were spent on it.")


def test_certain_roll_does_not_matter() -> None:
    """A roll that can only succeed is not a decisive moment."""
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


def test_recap_hides_secrets() -> None:
    """A hidden character's secret action is in no line or number except the GM's."""
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


def test_recap_is_in_words() -> None:
    """Parts have lines as text, Markdown and page; a table without sessions says so."""
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
    """An exported table in the GM's view."""
    file = tmp_path / "table.jsonl"
    file.write_bytes(b"".join(export_lines(performed(*ACTION).records)))
    return file


def test_terminal_prints_a_recap(
    exported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is text, JSON or files, also for one seat's view."""
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


def test_terminal_writes_a_picture(
    exported: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The output is only the bytes of the PNG."""
    assert 0 == main(["recap", str(exported), "--png", "-"])
    assert PNG == capsysbinary.readouterr().out[: len(PNG)]


def test_recap_names_the_fallen_and_hurt() -> None:
    """Passed thresholds have their moment, and player characters their remaining harm."""
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
    # A character who heals after the session was still hurt at its end.
    for after in ((), healed[:1], healed):
        played = perform(read("\n".join((*seats, "gm session.begin", *wounds, *after)) + "\n"))
        lines = {
            one.kind: one.text for one in session_recap(played.records, played.system).short.lines
        }
        assert "To remember: Beyond the threshold (Knife)." == lines["moments"]
        assert "Hurt at the end: Mara (2 wounds)." == lines["hurt"]


def test_recap_names_critical_injuries() -> None:
    """They are with the wounds until healed, without temporary effects of a scene."""
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


def test_recap_begins_with_the_story() -> None:
    """People, scenes, quotes and public facts come before numbers, what is open comes last."""
    lines = (
        *NARRATIVE[:3],
        "gm session.begin",
        "gm scene.begin title='The vault'",
        "gm trait.set text='The lamp is out' scene=yes",
        "gm trait.set text='The guard lies' secret=yes",
        "gm table.say text='Rain drums on the roof of the vault.'",
        "ann table.say text='We were never here.'",
        "ann table.say text='Not for the players, only for you.' secret=yes",
        "gm question.add text='Who sent the guard?'",
        "gm question.add text='Who lied?' secret=yes",
        "gm question.add text='Who paid?'",
        "gm scene.begin title='The flight'",
    )
    played = perform(read("\n".join(lines) + "\n"))
    table = played.table
    answered = {"id": table.of_kind("question")[-1].id, "text": "The duke."}
    made = decide(played.system, table, "gm", "question.answer", answered, roll=None)
    records = [*played.records, *records_of(made, "gm", table.seq, 0)]
    for seat in ("gm", "ann"):
        seen = view(records, table.seats[seat])
        shown = session_recap(seen, played.system).short.lines
        assert [
            "Who played: ann as Mara.",
            "Scenes: The vault; The flight.",
            "In their own words: “We were never here.” (ann).",
            "What came to be true: The lamp is out; Who paid? The duke.",
            "3 scenes in 0 min.",
            "Still open: Who sent the guard?",
        ] == [one.text for one in shown]


def test_recap_quotes_no_places_or_things() -> None:
    """Names of zones and assets are nobody's words; a roll that opposes another is called that."""
    lines = (
        "table dune",
        "seat gm side=gm",
        "seat gm ivo: name=Ivo battle=4 duty=4",
        "seat ann vell: name=Vell battle=6 duty=8",
        "gm session.begin",
        "gm zone.add text='The court of cisterns'",
        "ann asset.add who=vell text='A sword of the old house'",
        "ann check.declare as=vell skill=battle drive=duty against=ivo",
        "ann table.say text='We were never here.'",
        "gm contest.oppose",
        "gm check.roll dice 3 19",
        "ann check.roll dice 2 3",
        "ann check.close",
    )
    played = perform(read("\n".join(lines) + "\n"))
    shown = {one.kind: one.text for one in session_recap(played.records, played.system).short.lines}
    assert "In their own words: “We were never here.” (ann)." == shown["quotes"]
    assert shown["rolls"].startswith("2 rolls, 1 successful, 1 that opposed another roll.")


def test_recap_leaves_out_facts_hidden_from_players() -> None:
    """A GM's recap has no note that only GMs see, although they see its record."""
    lines = (
        *NARRATIVE[:3],
        "gm session.begin",
        "gm trait.set text='The lamp is out' scene=yes",
        "gm trait.set text='To try: run' scene=yes secret=yes",
    )
    played = perform(read("\n".join(lines) + "\n"))
    seen = view(played.records, played.table.seats["gm"])
    shown = session_recap(seen, played.system).short.lines
    assert "What came to be true: The lamp is out." in [one.text for one in shown]


def test_recap_names_the_effects_of_symbols() -> None:
    """What a Hope accomplished is part of the story of a session of Destiny Dice (seed 002)."""
    lines = (
        "table destinydice",
        "seat gm side=gm",
        "seat ann juna: name=Juna clever=4",
        "gm session.begin",
        "ann check.declare as=juna approach=clever difficulty=fair",
        "gm check.oppose difficulty=fair",
        "ann check.roll dice 1 6 6 1",
        "ann spend.buy row=useful text='The rope falls'",
    )
    played = perform(read("\n".join(lines) + "\n"))
    shown = session_recap(played.records, played.system).short.lines
    assert "What came to be true: The rope falls (ann)." in [one.text for one in shown]


def test_recap_forgets_complications_bought_off() -> None:
    """A complication that the party ignores (seed 001) never came true, so it is not counted."""
    lines = (
        "table c2d10",
        "seat gm side=gm",
        "seat ann mira: name=Mira systems=3 logic=3",
        "gm session.begin",
        "points mira.crisis=3 hero=3",
        "ann check.declare as=mira skill=systems dc=1",
        "gm check.dc dc=1",
        "ann check.roll dice 7 7 7 0 0 0",
        "ann trouble.ignore what=complication n=2",
        "ann trouble.take what=complication text='The lights fail'",
        "ann check.close",
    )
    played = perform(read("\n".join(lines) + "\n"))
    shown = session_recap(played.records, played.system).short.lines
    counted = [one.text for one in shown if one.kind == "moments"]
    assert ["To remember: A complication."] == counted


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
def test_recap_names_the_end_of_conflicts(lines: tuple[str, ...], ended: str) -> None:
    """Winners, or none, are in the sentence that everybody read."""
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
def test_small_worth_is_not_zero(gained: Fraction, sentence: str) -> None:
    """A worth that rounds to 0.0 results is little; without changed odds only points count."""
    found = recapped(*ACTION)
    alike = replace(found, spends=[replace(one, gained=gained) for one in found.spends])
    assert [sentence] == list(view_session(alike, performed(*ACTION).system, "").bought)
