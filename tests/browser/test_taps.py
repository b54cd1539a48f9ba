"""Taps from "I try" to the closed result, on everybody's pages including hand-offs.

Everybody presses only offers of the dock, and answers only required empty questions of a form. The
dice are set to the same result in each run: a plain success, unless a test says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from playwright.sync_api import expect

from storypool import systems
from storypool.engine.dice import Die
from storypool.live.bindings import Bindings
from tests.browser.guests import Come, Guest
from tests.browser.page_scripts import script
from tests.browser.test_dock_only_evening import GAMES, asked, offered, opened, pressed, sits

COUNT = script("count-taps")
MAX_PRESSES = 60


class Table:
    """A GM and two players with ready-made heroes, whose taps are counted."""

    def __init__(self, come: Come, key: str) -> None:
        self.key, self.attacks, self._log = key, False, list[Any]()
        self.gm, self.ann, self.bo = come(), come(), come()
        link = opened(self.gm, key)
        sits(self.ann, link, "Ann", 0)
        sits(self.bo, link, "Bo", 1)
        self.gm.page.wait_for_selector("text=Play the first scene")
        self.gm.api("POST", f"/api/tables/{self.gm.table}/first-scene", seat="mira")
        for guest in self.guests:
            guest.page.evaluate(COUNT)
        self.settle()

    @property
    def guests(self) -> tuple[Guest, ...]:
        """Everybody, the players first."""
        return self.ann, self.bo, self.gm

    @property
    def taps(self) -> int:
        """The taps of everybody so far."""
        return sum(int(guest.page.evaluate("window.taps")) for guest in self.guests)

    @property
    def log(self) -> list[Any]:
        """The game master's log."""
        self._log = self.gm.log(self.gm.table, "mira", self._log)
        return self._log

    def make(self, seat: str, move: str, **args: object) -> None:
        """A move of the earlier story, which takes no tap."""
        guest = {"mira": self.gm, "ann": self.ann, "bo": self.bo}[seat]
        guest.make(self.gm.table, seat, move, **args)

    def state(self) -> Mapping[str, Any]:
        """The table in the game master's view."""
        found: Mapping[str, Any] = self.gm.api("GET", f"/api/tables/{self.gm.table}?seat=mira")
        return found

    def traits(self, kind: str) -> list[Any]:
        """The traits of a kind."""
        return [one for one in self.state()["table"]["traits"].values() if one["kind"] == kind]

    def id(self, side: str, n: int = 0) -> str:
        """The id of the nth character of a side."""
        everybody = self.state()["table"]["characters"].values()
        found: str = [one["id"] for one in everybody if one["side"] == side][n]
        return found

    def gm_acts(self, following: str, started: bool, side: str = "@gm") -> None:
        """Advance to the GM's slot or the players': at least once, unless the order has started."""
        if not started:
            self.make("mira", following)
        while not any(one["at"] == "now" and one["about"] == side for one in self.traits("slot")):
            self.make("mira", following)

    def settle(self) -> None:
        """Wait until everybody has the whole log."""
        last = self.log[-1]["seq"]
        for guest in self.guests:
            guest.caught_up(last)

    def closed(self) -> int:
        """The number of finished actions."""
        return sum(1 for one in self.log if one["event"] and one["event"]["type"] == "check.closed")

    def until(self, closed: int, first: Guest, rows: str = "") -> int:
        """The taps on offers of the dock, starting with `first`.

        They end after this many finished actions, or when Ann can buy these rows.
        """
        before, reported = self.taps, list[str]()
        for _ in range(MAX_PRESSES):
            self.settle()
            if self.closed() >= closed or (
                rows and self.ann.page.locator(".menu-row", has_text=rows).count()
            ):
                break
            guest = next((one for one in self.guests if asked(one)), first)
            reported.append(f"{guest.page.locator('.dock').inner_text()!r} {self.taps - before}")
            self._against(guest)
            assert pressed(guest), f"{self.key}: nothing to press: {reported}"
        else:
            raise AssertionError(reported)
        return self.taps - before

    def _against(self, guest: Guest) -> None:
        """Name the attacker's target, if the form has not done so."""
        whom = guest.page.locator("dialog[open] [data-ask=against]")
        if guest is self.gm and whom.count() and self.key in ("starwars", "genesys"):
            # A form that a name in the dock has opened says whose it is.
            expect(guest.page.locator("dialog[open]")).to_contain_text("Who acts?")
        if self.attacks and whom.count():
            guest.page.wait_for_timeout(600)
            if whom.locator("label.pick:has(:checked)", has_text="None").count():
                whom.locator("label.pick").first.click()


SHOWN = {"d20": 5, "d10": 7, "crisis": 7}
"""The face of a numbered die: a success."""


def plain(die: Die) -> int:
    """The face of a die with one success and nothing else, or with nothing, or one failure."""
    faces = [{"success": 1}, {}, {"failure": 1}]
    return next(
        (n for face in faces for n, symbols in enumerate(die.faces, 1) if dict(symbols) == face), 1
    )


class PlainDice:
    """Dice with the results that these tests need, however they are rolled, without proofs."""

    rolled = False

    def __call__(self, die: Die) -> int:
        return SHOWN.get(die.name, plain(die))


@pytest.fixture(autouse=True)
def plain_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the actor succeed, with no other result of any roll."""
    monkeypatch.setattr(Bindings, "drawing", lambda *_: PlainDice())


def check(table: Table, most: int) -> None:
    """A player's check from the try to its closed result."""
    table.settle()
    taps = table.until(table.closed() + 1, table.ann)
    assert taps <= most


def check_that_spends(table: Table, most: int) -> None:
    """A player's check to its closed result, with two Advantages for a Boost on the other hero."""
    table.settle()
    row, closed = "The next check of anyone on your side", table.closed() + 1
    taps = table.until(closed, table.ann, rows=row)
    button = table.ann.page.locator(".menu-row", has_text=row)
    before = table.taps
    expect(button).to_be_in_viewport()
    button.click()
    table.ann.page.locator(".menu-next [data-kind=chip]").last.click()
    expect(table.ann.page.locator(".menu-row")).to_have_count(0)
    assert table.until(closed, table.ann) == 0
    assert taps + table.taps - before <= most


def attack_in_a_duel(table: Table) -> None:
    """A player's attack in a duel: the opponent rolls first, and the hit is counted."""
    table.make("mira", "asset.add", who=table.id("players"), text="Kindjal", kind="weapon")
    table.make("mira", "conflict.begin", kind="personal", text="In the ring", first="players")
    table.settle()
    taps = table.until(table.closed() + 2, table.ann)
    assert taps <= 6


def attack_of_the_gm(table: Table, most: int) -> str:
    """The target of an attack by a GM character on one of two players, to its closed result."""
    table.settle()
    table.attacks = True
    taps = table.until(table.closed() + 1, table.gm)
    opened = [
        one["event"]["check"]
        for one in table.log
        if one["event"] and one["event"]["type"] == "check.opened"
    ]
    whom: str = opened[-1]["against"]
    assert whom in (table.id("players"), table.id("players", 1))
    assert taps <= most
    return whom


def round_of_three(table: Table) -> None:
    """Two heroes and a Keeper character act once each, from the first try to the next round."""
    # The check before may have ended the conflict of the first scene.
    if not offered(table.gm, "conflict.end")["closed"]:
        table.make("mira", "conflict.end")
    # Nobody has points, and nobody gains any: purchases take further taps.
    for account in ("hero", "villain"):
        table.make("mira", "points.correct", account=account, to=0, why="for the round")
    table.make("mira", "conflict.open", title="The hall", type="opposed", dc=10, target=99)
    table.make("ann", "initiative.roll", **{"as": table.id("players"), "faces": "9"})
    table.make("bo", "initiative.roll", **{"as": table.id("players", 1), "faces": "7"})
    everybody = table.state()["table"]["characters"].values()
    foe = next(one["id"] for one in everybody if one["side"] == "gm" and "hands" in one["name"])
    table.make("mira", "initiative.roll", **{"as": foe, "faces": "1"})
    table.settle()
    taps = table.until(table.closed() + 3, table.ann)
    assert taps <= 12


def attack_that_hurts(table: Table) -> None:
    """A contest in the Keeper's slot to its closed result: a hero opposes, loses and is hurt."""
    table.gm_acts("initiative.next", started=True)
    table.settle()
    table.gm.page.locator(".dock").get_by_role("button", name="Start a contest").click()
    taps = 1 + table.until(table.closed() + 1, table.gm)
    events = [one["event"] for one in table.log if one["event"]]
    hurt = [
        one
        for one in events
        if one["type"] == "points.set" and one["account"] in ("strain", "stress")
    ]
    assert table.id("players") == hurt[-1]["owner"]
    assert 0 < hurt[-1]["balance"]
    assert taps <= 7


def attack_with_critical(table: Table, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player's attack with a Triumph: the damage, and the critical injury with its usual throw.

    The GM answers with points only when they say so.
    """
    table.settle()
    row, closed = "A critical injury", table.closed() + 1
    before = wounds(table, table.id("gm"))
    with monkeypatch.context() as patch:
        patch.setitem(SHOWN, "proficiency", 12)
        taps = table.until(closed, table.ann, rows=row)
    assert before < wounds(table, table.id("gm"))
    spent = table.taps
    injury = table.ann.page.locator(".menu-row", has_text=row)
    # The usual throw is there before the tap that makes it; the effects are a tap away.
    expect(injury).to_contain_text("Throw for it: d100")
    others = table.ann.page.get_by_role("button", name="A critical injury: What does it do?")
    others.dispatch_event("click")
    expect(table.ann.page.locator(".menu-next [data-kind=chip]")).to_have_count(8)
    others.dispatch_event("click")
    expect(table.ann.page.locator(".menu-next")).to_have_count(0)
    injury.click()
    expect(table.ann.page.locator(".menu-row")).to_have_count(0)
    table.settle()
    taps += table.taps - spent + table.until(closed, table.ann)
    assert taps <= most


def checks_and_attacks(
    table: Table, prefix: str, accounts: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player's plain check, one with Threat, one with spent Advantages, and armed attacks.

    Two attacks are a player's, one with a critical injury, and two are the GM's.

    Either side has a point and is asked about it, until nobody has any.
    """
    points(table, accounts, 2)
    check(table, 5)
    # A GM who answers only when they say so is not asked.
    table.make("mira", f"{prefix}.silent")
    check(table, 4)
    table.make("mira", f"{prefix}.silent")
    # The GM says that the Threat is left alone.
    with monkeypatch.context() as patch:
        patch.setitem(SHOWN, "difficulty", 4)
        check(table, 6)
    with monkeypatch.context() as patch:
        patch.setitem(SHOWN, "proficiency", 7)
        check_that_spends(table, 7)
    for seat, who in (
        ("mira", table.id("gm")),
        ("ann", table.id("players")),
        ("bo", table.id("players", 1)),
    ):
        table.make(seat, "initiative.roll", **{"as": who, "with": "cool"})
    table.gm_acts("initiative.next", started=False, side="@players")
    check(table, 6)
    assert 0 < wounds(table, table.id("gm"))
    table.gm_acts("initiative.next", started=True)
    attack_of_the_gm(table, 6)
    # Where nobody may answer, the GM rolls, and it is a hit.
    points(table, accounts, 0)
    table.gm_acts("initiative.next", started=True)
    whom = attack_of_the_gm(table, 5)
    assert 0 < wounds(table, whom)
    points(table, accounts, 2)
    table.make("mira", f"{prefix}.silent")
    table.make(
        "mira",
        "track.recover",
        who=table.id("gm"),
        track="wounds",
        by=wounds(table, table.id("gm")),
    )
    table.gm_acts("initiative.next", started=False, side="@players")
    attack_with_critical(table, 6, monkeypatch)


def points(table: Table, accounts: tuple[str, str], n: int) -> None:
    """Set the points of both sides to this number."""
    for account in accounts:
        table.make("mira", "points.correct", account=account, to=n, why="for the test")


def wounds(table: Table, who: str) -> int:
    """The number of wounds of a character."""
    found: int = table.state()["table"]["points"].get(f"{who}.wounds", 0)
    return found


def in_star_wars(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Four taps for a check, six for an attack that hurts and begins with a combat skill."""
    table.make("mira", "destiny.begin")
    checks_and_attacks(table, "destiny", ("light", "dark"), monkeypatch)
    opened = [
        one["event"]["check"]
        for one in table.log
        if one["event"] and one["event"]["type"] == "check.opened"
    ]
    kinds = {entry.key: entry.notes.get("kind") for entry in systems.get("starwars").sheet}
    assert "combat" == kinds[opened[-1]["terms"]["skill"]]


def in_genesys(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same taps with Story Points."""
    checks_and_attacks(table, "story", ("players", "gm"), monkeypatch)


def in_dune(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test of a player, and the attack of a player in a duel.

    A hero with Determination may still declare a fact after the result, and so ends the test,
    unless they are asked only when they say so.
    """
    check(table, 5)
    hero = table.id("players")
    table.make("ann", "determination.silent")
    check(table, 4)
    table.make("ann", "determination.silent")
    table.make("mira", "points.correct", account=f"{hero}.determination", to=0, why="for the test")
    check(table, 4)
    table.make("mira", "points.correct", account=f"{hero}.determination", to=1, why="for the test")
    table.make("ann", "determination.silent")
    attack_in_a_duel(table)


def in_c2d10(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test of a player, a round of three, and an attack of the Keeper's that hurts a hero."""
    check(table, 4)
    round_of_three(table)
    monkeypatch.setitem(SHOWN, "rival", 0)
    attack_that_hurts(table)


def in_destiny_dice(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player's check and two GM attacks: a stress box, and one with a named consequence."""
    check(table, 4)
    table.make("mira", "conflict.begin", kind="physical")
    table.gm_acts("conflict.next", started=True)
    whom = attack_of_the_gm(table, 6)
    assert [whom] == [one["about"] for one in table.traits("stress")]
    for who in (table.id("players"), table.id("players", 1)):
        for box in (2, 3):
            if (who, box) not in [(one["about"], one["rating"]) for one in table.traits("stress")]:
                table.make("mira", "stress.toggle", who=who, box=box)
    table.gm_acts("conflict.next", started=True)
    whom = attack_of_the_gm(table, 7)
    assert [(whom, "mild")] == [(one["about"], one["at"]) for one in table.traits("consequence")]


COUNTED = {
    "dune": in_dune,
    "genesys": in_genesys,
    "starwars": in_star_wars,
    "c2d10": in_c2d10,
    "destinydice": in_destiny_dice,
}
"""The counted actions of each game."""


def test_every_game_is_counted() -> None:
    """Each game has its counts."""
    assert set(GAMES) == set(COUNTED)


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", COUNTED)
def test_checks_and_attacks_need_few_taps(
    come: Come, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """Nobody taps more often than before from "I try" to the closed result."""
    COUNTED[key](Table(come, key), monkeypatch)
