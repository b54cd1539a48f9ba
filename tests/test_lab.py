"""The lab: evenings by the rules, every point accounted for, and repeatable by seed."""

from __future__ import annotations

import csv
import doctest
import io
import json
import tomllib
from collections import Counter
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from storypool import systems
from storypool.cli import main
from storypool.engine.decisions import decision_of
from storypool.engine.events import CheckOpened, DiceRolled, PointsSet
from storypool.engine.fold import fold
from storypool.engine.ledger import economy
from storypool.engine.refusal import Refused
from storypool.engine.table import Purse
from storypool.lab import (
    EveningStuck,
    Position,
    Report,
    Setting,
    Spend,
    Study,
    best,
    evening,
    evenings,
    named,
    never,
    play,
)
from storypool.lab.course import opening
from storypool.lab.estimates import estimate, quantile
from storypool.lab.evenings import MoveLine, read
from storypool.lab.flows import Flows, Unbalanced
from storypool.lab.logged import logged
from storypool.lab.playing import Evenings
from storypool.lab.study import prepare
from storypool.log.export import export_lines
from storypool.play import perform
from storypool.play import read as read_play

pytestmark = pytest.mark.slow

GAMES = ("c2d10", "destinydice", "dune", "genesys", "starwars")


@cache
def studied(game: str) -> list[Study]:
    """Four evenings of a game as usual, and the same without spends."""
    settings = (Setting(), Setting(players="never", gm="never"))
    return play(evening(game), 4, 1, settings)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("which", ["short", "hard"])
def test_every_point_is_accounted_for(game: str, which: str) -> None:
    """Initial and gained points are spent, faded or left; no action is refused or left open."""
    brought = evening(game, which)
    lab = prepare(brought, Setting(), 1)
    start = lab.begins.table
    played = lab.play(0)
    assert {} == dict(lab.table.checks)
    assert [] == [one.refused for one in played.tried if one.refused]
    pools = list(Study(brought, Setting(), 1, 1).pools)
    started = [
        sum(n for purse, n in start.points.items() if purse.account == pool) for pool in pools
    ]
    for pool, had, has in zip(pools, started, played.balances[-1], strict=True):
        flows = played.flows
        assert has == had + flows.total(pool, "gained") - flows.total(pool, "spent", "faded"), pool
    assert any(one.paid for one in played.tried)
    assert brought.length == len(played.tried) == len(played.balances) - 1


@pytest.mark.parametrize("game", GAMES)
def test_evening_log_is_a_tables_log(game: str) -> None:
    """Its records give the final table, and the ledger counts the same points."""
    lab = prepare(evening(game), Setting(), 3, keep=True)
    played = lab.play(0)
    assert lab.table == fold(lab.records)
    for account in economy(lab.records, lab.system).accounts:
        # What came before the session's first record is not in it.
        if account.account in Study(lab.evening, Setting(), 0, 0).pools:
            assert account.spent == played.flows.total(account.account, "spent")
            assert account.balance == lab.table.balance(account.account)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_never_policy_spends_nothing(game: str) -> None:
    """`never` on both sides spends nothing; their own policies spend."""
    spends, never_spends = studied(game)
    for pool in spends.pools:
        assert 0 == sum(never_spends.values(f"spent.{pool}"))
    for side in ("players", "gm"):
        assert 0 < sum(spends.values(f"touched.{side}"))
        assert 0 == sum(never_spends.values(f"touched.{side}"))
    assert 0 < sum(spends.values("changed"))
    assert 0 == sum(never_spends.values("changed"))


@pytest.mark.slow
def test_seed_repeats_its_evenings() -> None:
    """One core and two give the same, and another seed gives others."""
    one, two, other = (
        play(evening("c2d10"), 6, seed, cores=cores)[0] for seed, cores in ((5, 1), (5, 2), (6, 1))
    )
    assert [row.measures for row in one.rows] == [row.measures for row in two.rows]
    assert [row.balances for row in one.rows] == [row.balances for row in two.rows]
    assert [row.measures for row in one.rows] != [row.measures for row in other.rows]
    assert list(range(6)) == [row.number for row in two.rows]


def test_settings_share_their_luck() -> None:
    """Attempts are equal, and dice fall equally while the same dice are rolled."""
    faces = []
    for policy in ("always", "never"):
        lab = prepare(evening("starwars"), Setting(players=policy, gm=policy), 2, keep=True)
        lab.play(0)
        rolls = [
            record.event
            for record in lab.records
            if isinstance(record.event, DiceRolled) and record.event.check
        ]
        assert rolls
        faces.append([[(die.die, die.face) for die in roll.rolled] for roll in rolls])
    same = 0
    for one, two in zip(*faces, strict=True):
        for die in {name for name, _ in one} & {name for name, _ in two}:
            ours, theirs = ([face for name, face in roll if name == die] for roll in (one, two))
            assert ours[: len(theirs)] == theirs[: len(ours)]
            same += 1
    assert same > 20


@pytest.mark.slow
def test_ineffective_option_has_no_difference() -> None:
    """Without an effect every difference is exactly 0; otherwise it is shown."""
    base = Setting(players="keep=99")
    plain, capped = play(evening("dune"), 8, 3, (base, Setting({"momentum_cap": "4"}, "keep=99")))
    assert plain.differences(capped)["mean.momentum"].mean < 0
    assert 0 < sum(capped.values("lost.momentum"))
    plain, same = play(evening("dune"), 3, 3, (base, Setting({"advance_limits": "yes"}, "keep=99")))
    assert {0.0} == {one.mean for one in plain.differences(same).values()}


# Policies.


def position(
    *lines: str, seat: str = "ann", spends: str = "dice.buy n=1|2", game: str = "c2d10"
) -> Position:
    """The view of a seat that can spend points at the end of a play."""
    table = perform(read_play("\n".join(lines) + "\n")).table
    return Position(systems.get(game), table, seat, (MoveLine.read(spends),), 5)


SCENE = (
    "table c2d10 trust=players_set",
    "seat gm side=gm",
    "seat ann mira: systems=3 logic=3",
    "seat gm thug: dice=4",
    "points hero=3 villain=3",
    "ann check.declare as=mira pool='4 d10' dc=2",
)


def test_gain_matches_the_odds() -> None:
    """The gain of a spend is the difference of the game's odds, and its cost the price."""
    seen = position(*SCENE)
    [one, two] = seen.spends
    now, more = (
        systems.get("c2d10").odds(f"{n} d10", dc="2").p(lambda successes: successes >= 2)
        for n in (4, 5)
    )
    assert more - now == seen.gain(one)
    assert (1, 3) == (seen.cost(one), seen.cost(two))
    gain = seen.gain(two)
    assert gain is not None
    assert gain > more - now


@pytest.mark.parametrize(
    ("policy", "taken"),
    [
        ("always", "2"),
        ("never", None),
        ("keep=1", "1"),
        ("keep=3", None),
        ("gains=0.1", "1"),
        ("gains=0.9", None),
        ("helps", "2"),
        ("helps,keep=1", "1"),
        ("own", "2"),
        ("answer", None),
        ("own,keep=1", "1"),
    ],
)
def test_policy_follows_its_conditions(policy: str, taken: str | None) -> None:
    """Each condition filters spends, and the largest gain is taken."""
    chosen = named(policy)(position(*SCENE))
    assert taken == (chosen.args["n"] if chosen else None)


@pytest.mark.parametrize(
    "policy", ["often", "gains", "gains=x", "keep=", "never=1", "own=2", "", "no.py:policy"]
)
def test_unknown_policy_is_refused(policy: str) -> None:
    """Unknown names, invalid numbers and missing files are refused."""
    with pytest.raises(Refused):
        named(policy)


def test_policy_sees_only_its_seats_view() -> None:
    """Nothing hidden from a seat is in the input of a policy."""
    lines = (
        *SCENE[:-1],
        "gm npc.add name=Zyxwv dice=3 secret=yes",
        "gm trait.set text=Zyxwv secret=yes",
        SCENE[-1],
    )
    assert "Zyxwv" in repr(position(*lines, seat="gm").table)
    seen = position(*lines)
    known = [
        getattr(seen, name)
        for name in ("table", "seat", "check", "spends", "offers", "to_come", "mine")
    ]
    assert "Zyxwv" not in repr(
        (known, {key: value for key, value in vars(seen).items() if key != "system"})
    )


def test_policy_of_ten_lines(tmp_path: Path) -> None:
    """A file's function is asked for every spend, and its answer is bought."""
    file = tmp_path / "mine.py"
    file.write_text(
        "def frugal(position):\n"
        "    if position.check is None or position.to_come > 9:\n"
        "        return None\n"
        "    return min(position.spends, key=position.cost, default=None)\n",
        encoding="utf-8",
    )
    [study] = play(evening("c2d10"), 3, 1, (Setting(players=f"{file}:frugal", gm="never"),))
    early = [
        sum(row.balances[i + 1][0] < row.balances[i][0] for i in range(6)) for row in study.rows
    ]
    assert [0, 0, 0] == early
    assert 0 < sum(study.values("spent.hero"))


def test_policy_may_choose_only_offers(monkeypatch: pytest.MonkeyPatch) -> None:
    """An invented spend is not a way to pay less."""
    lab = prepare(evening("c2d10"), Setting(players="always"), 1)
    table = perform(read_play("\n".join(SCENE) + "\n")).table
    made_up = Evenings(
        lab.begins, 1, {"player": lambda seen: Spend("dice.buy", {"n": "9"}, seen.spends[0].price)}
    )
    made_up.table = table
    with pytest.raises(EveningStuck):
        made_up._spends_now("ann")


# Points above a cap, and points that are not there.


def test_overflow_is_counted() -> None:
    """A move beyond a cap reports the lost points, also through a proposal."""
    lines = (
        "table dune trust=players_set",
        "seat gm side=gm",
        "seat ann ruhan: battle=7 duty=8",
        "points momentum=5",
        "ann check.declare as=ruhan skill=battle drive=duty difficulty=0",
        "ann check.roll dice 1 5",
    )
    table = perform(read_play("\n".join(lines) + "\n")).table
    made = decision_of(systems.get("dune"), table, "ann", "check.close", {}, roll=None)
    assert 6 == made.turn.table.balance("momentum")
    assert {
        Purse("momentum"): table.checks[next(iter(table.checks))].owed["momentum"] - 1
    } == made.turn.beyond


def test_inconsistent_points_are_found() -> None:
    """An unexplained balance or an unpaid price aborts the evening."""
    lab = prepare(evening("c2d10"), Setting(), 1)
    table = perform(read_play("\n".join(SCENE) + "\n")).table
    made = decision_of(lab.system, table, "ann", "dice.buy", {"n": 1}, roll=None)
    Flows().count(made, table, lab.system)
    skewed = [
        PointsSet(e.account, e.owner, e.balance + 1, e.delta, "") if isinstance(e, PointsSet) else e
        for e in made.events
    ]
    with pytest.raises(Unbalanced):
        Flows().count(replace(made, events=skewed), table, lab.system)
    unpaid = [
        PointsSet("villain", "", 3, 0, ""),
        *(e for e in made.events if not isinstance(e, PointsSet)),
    ]
    with pytest.raises(Unbalanced):
        Flows().count(replace(made, events=unpaid), table, lab.system)


# Many evenings.


@pytest.mark.slow
def test_interrupt_keeps_finished_evenings() -> None:
    """After Ctrl-C the user has the evenings played under every setting."""
    counted = Counter[str]()

    def done(n: int) -> None:
        counted["done"] += n
        raise KeyboardInterrupt

    one, two = play(evening("c2d10"), 40, 1, (Setting(), Setting(gm="never")), done=done)
    assert 10 == counted["done"]
    assert 5 == len(one.rows) == len(two.rows)
    assert "Stopped after 5 of 40." in Report([one, two]).text()


@pytest.mark.slow
def test_interrupt_on_all_cores_keeps_results() -> None:
    """Unfinished processes delay nobody, and delivered results count."""

    def done(n: int) -> None:
        raise KeyboardInterrupt

    [study] = play(evening("c2d10"), 1000, 1, cores=2, done=done)
    assert 5 == len(study.rows)


def test_terminal_shows_progress(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only a terminal has a progress bar, and the report is the same."""
    assert 0 == main(["lab", "play", "c2d10", "--evenings", "2", "--cores", "1", "--csv", "-"])
    plain = capsys.readouterr()
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert 0 == main(["lab", "play", "c2d10", "--evenings", "2", "--cores", "1", "--csv", "-"])
    shown = capsys.readouterr()
    assert plain.out == shown.out
    assert "" == plain.err
    assert "Evenings" in shown.err


def test_intervals_match_tables() -> None:
    """Quantiles of Student's t match printed tables; a single evening has no interval."""
    for freedom, printed in ((4, 2.776), (9, 2.262), (29, 2.045), (999, 1.962)):
        assert printed == pytest.approx(quantile(freedom), abs=2e-3)
    alone = estimate([2.0])
    assert alone is not None
    assert alone.margin is None
    assert not alone.differs
    found = estimate([1.0, 1.1, 1.2])
    assert found is not None
    assert found.differs
    assert estimate([]) is None


@pytest.mark.slow
def test_report_forms_agree() -> None:
    """Text, CSV, data and the self-contained page have the study's numbers."""
    study = studied("dune")[0]
    report = Report([study])
    mean = study.estimates()["gained.momentum"].mean
    rows = list(csv.DictReader(io.StringIO(report.csv())))
    [row] = [row for row in rows if row["name"] == "gained.momentum"]
    assert mean == pytest.approx(float(row["mean"]))
    assert mean == report.data()["settings"][0]["measures"]["gained.momentum"]["mean"]
    assert f"{mean:.2f}" in next(
        line for line in report.text().splitlines() if line.startswith("Momentum gained")
    )
    page = _Page(report.html())
    assert {"html", "head", "body", "table", "svg"} <= set(page.tags)
    assert set() == {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert [] == [
        name for name in page.attributes if name.startswith("on") or name in ("src", "href")
    ]
    assert 2 == page.tags["svg"]


@pytest.mark.slow
def test_settings_are_compared() -> None:
    """The report has the difference of two settings, and says which are distinguishable."""
    text = Report(studied("starwars")).text()
    line = next(
        line for line in text.splitlines() if line.startswith("Actions whose result points change")
    )
    assert line.endswith("yes")
    assert "never" in text


class _Page(HTMLParser):
    """The tags and attribute names of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags, self.attributes = Counter[str](), set[str]()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes |= {name for name, _ in attrs}


# The evenings of games, and the terminal.


@pytest.mark.parametrize("game", systems.names())
def test_evenings_name_valid_moves_and_seats(game: str) -> None:
    """Each line is a move of the game, by a seat at its table."""
    if game not in GAMES:
        with pytest.raises(Refused):
            evenings(game)
        return
    system = systems.get(game)
    assert ["short", "hard"] == list(evenings(game))
    for one in evenings(game).values():
        lines = (
            *(deed.line for deed in one.deeds),
            *one.players.spends,
            *one.gm.spends,
            *one.goes_on,
        )
        assert set() == {line.move for line in lines} - set(system.by_key)
        priced = {line.move for line in (*one.players.spends, *one.gm.spends)}
        assert all(system.by_key[key].price for key in priced)
        seats = {seat.name for seat in prepare(one, Setting(), 0).begins.table.seats.values()}
        assert {deed.who for deed in one.deeds} <= {*seats, "players"}


def test_invalid_evening_is_refused() -> None:
    """A misspelt or missing part is named."""
    with pytest.raises(ValueError, match="scene"):
        read("c2d10", "[one]\ntitle = 'One'\ntable = ''\nscene = 1\nactions = 1\n[one.deeds]\n")
    with pytest.raises(ValueError, match="scenes is a number"):
        read("c2d10", "[one]\ntitle = 'One'\ntable = ''\nscenes = '1'\nactions = 1\n[one.deeds]\n")
    with pytest.raises(Refused):
        evening("c2d10", "none")


def test_evening_is_data_without_programs() -> None:
    """A stranger's evening may not choose a program as a policy: only its player may."""
    with pytest.raises(ValueError, match=r"own\.py:spend"):
        read(
            "c2d10",
            "[one]\ntitle = 'One'\ntable = ''\nscenes = 1\nactions = 1\n"
            "players = { policy = 'own.py:spend' }\n[one.deeds]\n",
        )


def test_evening_with_unknown_move_is_refused() -> None:
    """The move is named, with the nearest ones."""
    wrong = replace(evening("c2d10"), goes_on=(MoveLine("chekc.roll"),))
    with pytest.raises(Refused, match=r"chekc\.roll") as refused:
        opening(systems.get("c2d10"), wrong, {})
    assert "check.roll" in refused.value.refusal.remedy


@pytest.mark.slow
def test_terminal_plays_and_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON goes to the output, a page and CSV to files, which are not overwritten."""
    page, table, picture = tmp_path / "a.html", tmp_path / "a.csv", tmp_path / "a.svg"
    words = [
        "lab",
        "play",
        "c2d10",
        "--evenings",
        "3",
        "--cores",
        "1",
        "--set",
        "decay=session",
        "--json",
    ]
    files = ["--html", str(page), "--csv", str(table), "--svg", str(picture)]
    assert 0 == main([*words, *files])
    known = json.loads(capsys.readouterr().out)
    assert {"decay": "session"} == known["settings"][0]["options"]
    assert 3 == known["evenings"]
    assert all(file.read_text(encoding="utf-8") for file in (page, table, picture))
    assert 2 == main([*words, *files])


@pytest.mark.parametrize(
    "words",
    [
        ["nothing"],
        ["c2d10", "--evening", "none"],
        ["c2d10", "--set", "decay"],
        ["c2d10", "--set", "decay=never"],
        ["c2d10", "--set", "nothing=1"],
        ["c2d10", "--players", "sometimes"],
        ["c2d10", "--against-gm", "gains=lots"],
    ],
)
def test_terminal_refuses_unplayable_input(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """It prints one sentence, with the exit code of bad input."""
    assert 2 == main(["lab", "play", *words, "--evenings", "1", "--cores", "1"])
    assert capsys.readouterr().err.startswith("storypool: ")


def test_built_in_policies_are_public() -> None:
    """Designers build on `best` with their own condition, and on `never`."""
    seen = position(*SCENE)
    assert never(seen) is None
    cheap = best(seen, lambda here, spend: here.cost(spend) < 3)
    assert cheap is not None
    assert "1" == cheap.args["n"]


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_log_gives_an_evening(game: str) -> None:
    """Its seats repeat the log's attempts as often, without refusals by the rules."""
    lab = prepare(evening(game), Setting(), 3, keep=True)
    lab.play(0)
    [found] = read(game, logged(lab.records, lab.system)).values()
    opened = [record for record in lab.records if isinstance(record.event, CheckOpened)]
    assert len(opened) == sum(deed.often for deed in found.deeds)
    assert lab.evening.scenes == found.scenes
    assert found.players.spends
    again = prepare(found, Setting(), 1)
    assert [""] * found.length == [one.refused for one in again.play(0).tried]
    names = {one.name for one in lab.table.characters.values()}
    assert names == {one.name for one in again.table.characters.values()}


@pytest.mark.parametrize("game", [game for game in GAMES if systems.demo(game)])
def test_whole_scene_gives_an_evening(game: str) -> None:
    """A demo's table with aspects, secrets and agreements has playable actions."""
    text = systems.demo(game)
    assert text
    played = perform(read_play(text))
    [found] = read(game, logged(played.records, played.system)).values()
    assert 1 <= len(found.deeds)
    assert "reports to somebody" not in found.table
    assert prepare(found, Setting(), 1).play(0).tried


def test_idle_table_gives_no_evening() -> None:
    """It is refused, and so is a table without a GM."""
    for lines in (SCENE[:-1], ("table c2d10", "seat ann mira: systems=3")):
        played = perform(read_play("\n".join(lines) + "\n"))
        with pytest.raises(Refused):
            logged(played.records, played.system)


def test_logged_evening_is_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`lab play` plays the output of `lab evening`, and refuses other files."""
    lab = prepare(evening("c2d10"), Setting(), 3, keep=True)
    lab.play(0)
    log, ours = tmp_path / "table.jsonl", tmp_path / "ours.toml"
    log.write_bytes(b"".join(export_lines(lab.records)))
    assert 0 == main(["lab", "evening", str(log), "--out", str(ours)])
    capsys.readouterr()
    assert 0 == main(["lab", "evening", str(log), "--json"])
    assert json.loads(capsys.readouterr().out) == tomllib.loads(ours.read_text(encoding="utf-8"))
    assert 0 == main(
        ["lab", "play", "c2d10", "--evening", str(ours), "--evenings", "1", "--cores", "1"]
    )
    ours.write_text("title = 1", encoding="utf-8")
    for file in (ours, tmp_path / "none.toml"):
        assert 2 == main(
            ["lab", "play", "c2d10", "--evening", str(file), "--evenings", "1", "--cores", "1"]
        )


def test_point_worth_matches_results() -> None:
    """If one side spends, its points times their worth are the changed results."""
    which = evening("c2d10")
    [study] = play(which, 6, 2, (Setting(gm="never"),))
    assert not study.values("worth.gm")
    spending = [row.measures for row in study.rows if "worth.players" in row.measures]
    assert spending
    for row in spending:
        assert row["worth.players"] * row["spent.hero"] == pytest.approx(
            row["changed"] * which.length
        )


@pytest.mark.slow
def test_lab_chapter_is_true() -> None:
    """Every example of docs/lab.md gives its result."""
    page = Path(__file__).parent.parent / "docs" / "lab.md"
    tried = doctest.testfile(str(page), module_relative=False)
    assert tried.attempted > 10
    assert 0 == tried.failed
