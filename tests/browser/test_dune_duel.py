"""A conflict of Dune on the page: the question of each step, and both rolls in sight."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come, Guest

RUHAN = {"battle": 7, "communicate": 4, "discipline": 6, "move": 6, "understand": 5}
RUHAN |= {"duty": 8, "faith": 5, "justice": 7, "power": 4, "truth": 6}


class Duel:
    """A game master with two guards, a player with a blade, and a conflict between them."""

    def __init__(self, come: Come, *foes: str) -> None:
        self.gm = come(PHONE)
        self.id: str = self.gm.api(
            "POST", "/api/tables", system="dune", title="The yard", name="Mira"
        )["table"]
        self.ann = come(PHONE).joins(self.gm, self.id, "Ann", "Vell", RUHAN)
        self.make("mira", "session.begin")
        for foe in foes:
            self.make(
                "mira", "npc.make", rank="minor", name=foe, skill="battle", trait="House trooper"
            )
        for text in ("Kindjal", "Poison"):
            self.make("ann", "asset.add", who="vell", text=text)
        against = "all" if len(foes) > 1 else "ivo"
        self.make("mira", "conflict.begin", kind="skirmish", text="The yard", against=against)
        for seat, guest in (("mira", self.gm), ("ann", self.ann)):
            guest.at(self.id, seat)

    def make(self, seat: str, move: str, **args: object) -> int:
        """Make a move of a seat without the page."""
        guest: Guest = {"mira": self.gm, "ann": self.ann}[seat]
        seq: int = guest.make(self.id, seat, move, **args)
        return seq

    def checks(self) -> list[dict[str, Any]]:
        """The open actions."""
        found = self.ann.api("GET", f"/api/tables/{self.id}?seat=ann")["table"]["checks"]
        return list(found.values())


@pytest.mark.exhaustive
def test_attack_takes_one_tap(come: Come) -> None:
    """A button or chips name the opponents; each attacks at once, with a form next to it."""
    duel = Duel(come, "Ivo")
    ann = duel.ann
    main = ann.page.locator("#primary[data-move='conflict.attack']")
    expect(main).to_contain_text("Attack Ivo")
    expect(main).to_contain_text("Kindjal")
    expect(ann.page.locator(".dock [data-change='conflict.attack']")).to_be_visible()
    main.click()
    expect(ann.page.locator(".action-title")).to_have_text("Attack with Kindjal")
    assert ["ivo"] == [one["against"] for one in duel.checks()]

    several = Duel(come, "Ivo", "Odo")
    several.ann.page.locator(".dock .chips .button", has_text="Odo").click()
    expect(several.ann.page.locator(".action-title")).to_have_text("Attack with Kindjal")
    assert ["odo"] == [one["against"] for one in several.checks()]


def test_contest_shows_both_rolls(come: Come) -> None:
    """The opponent has no Difficulty; their roll is next to the test whose Difficulty it is."""
    duel = Duel(come, "Ivo")
    gm, ann = duel.gm, duel.ann
    duel.make("ann", "conflict.attack")
    gm.caught_up(duel.make("mira", "contest.oppose"))
    expect(gm.page.locator(".stage .figure dd").nth(1)).to_contain_text("–")
    expect(gm.page.locator(".stage .figure dt").last).to_have_text("Complications on")
    expect(gm.page.locator(".stage .figure dd").last).to_have_text("20")
    ann.caught_up(duel.make("mira", "check.roll", faces="3 19"))
    facing = ann.page.locator(".facing")
    expect(facing).to_contain_text("Ivo")
    expect(facing.locator(".numbered > .count")).to_have_text(["3", "19"])
    ann.caught_up(duel.make("ann", "check.roll", faces="2 12"))
    expect(facing.locator(".numbered > .count")).to_have_text(["3", "19"])


def test_trait_is_used_where_it_stands(come: Come) -> None:
    """A tap on a fact of the scene begins the form for it; others' traits say whose they are."""
    duel = Duel(come, "Ivo")
    ann = duel.ann
    duel.make("mira", "trait.set", text="The floor is wet")
    ann.caught_up(duel.make("ann", "conflict.attack"))
    ann.page.locator(".facts-list .board-item", has_text="The floor is wet").click()
    form = ann.page.locator("dialog[open] form.form")
    form.locator("[data-ask=effect]").get_by_text("Makes it easier").click()
    expect(form.locator("[data-ask=trait]")).to_have_count(0)
    form.locator("button[type=submit]").click()
    expect(duel.gm.page.locator(".dock-state")).to_contain_text("The floor is wet")


@pytest.mark.exhaustive
def test_purchase_of_this_roll_is_not_gold(come: Come) -> None:
    """Prices of this roll stand at row and step, and a set die is not thrown.

    An opponent keeps the roll or re-rolls. A sheet closes as its character goes, and Table has the
    way home.
    """
    duel = Duel(come, "Ivo")
    gm, ann = duel.gm, duel.ann
    for zone, beside in (("Gate", {}), ("Yard", {"next": "Gate"}), ("Tower", {"next": "Yard"})):
        duel.make("mira", "zone.add", text=zone, **beside)
    duel.make("ann", "zone.place", what="Kindjal", zone="Gate")
    moved = {"asset": "Kindjal", "to": "Yard", "skill": "move", "drive": "duty", "fit": "applies"}
    duel.make("ann", "asset.move", **moved)
    duel.make("ann", "determination.one")
    ann.caught_up(duel.make("ann", "check.roll", faces="1"))
    expect(ann.page.locator(".stage .hand-chip")).to_have_text("by hand")
    expect(ann.page.locator(".dock-menu")).to_have_attribute("data-kind", "wide")
    expect(ann.page.locator(".dock [data-kind=primary]")).to_have_text("Done")
    paid = "2 of it from this roll"
    expect(ann.page.locator(".menu-head", has_text="Move one zone further")).to_contain_text(paid)
    step = ann.page.locator(".dock .button[data-move='momentum.ask']")
    expect(step).to_contain_text("from this roll")
    duel.make("ann", "check.close")
    duel.make("ann", "turn.pass")
    point = {"account": "vell.determination", "to": 1, "why": "for the test"}
    duel.make("mira", "points.correct", **point)
    duel.make("mira", "check.declare", **{"as": "ivo", "title": "Feint", "against": "vell"})
    duel.make("ann", "contest.oppose", skill="battle", drive="duty", fit="applies")
    ann.caught_up(duel.make("ann", "check.roll", faces="19 18"))
    expect(ann.page.locator("#primary[data-move='check.close']")).to_have_text("Keep this roll")
    duel.make("ann", "check.close")
    ann.page.locator(".strip[data-character=vell]").click()
    sheet = ann.page.locator("dialog[open]")
    expect(sheet).to_have_count(1)
    duel.make("mira", "character.leave", who="vell")
    expect(sheet).to_have_count(0)
    gm.view("Table")
    gm.page.get_by_role("link", name="All tables").click()
    gm.read("The yard")
    assert "/t/" not in gm.page.url


def test_own_complication_needs_the_gm(come: Come) -> None:
    """Only the player's list of complications says that the GM agrees.

    In the form behind it a field takes own words at once, next to the list.
    """
    duel = Duel(come, "Ivo")
    duel.make("ann", "check.declare", title="Climb", skill="move", drive="duty", difficulty="1")
    duel.make("mira", "check.agree")
    seq = duel.make("ann", "check.roll", faces="5 20")
    for guest, times in ((duel.ann, 1), (duel.gm, 0)):
        guest.caught_up(seq)
        expect(guest.see(".menu .menu-rows")).to_be_visible()
        expect(guest.page.locator(".menu .menu-head", has_text="needs the GM's OK")).to_have_count(
            times
        )
    own = duel.ann.page.get_by_role("button", name="In your own words … Suffer a complication")
    own.click()
    form = duel.ann.page.locator("dialog[open]")
    form.get_by_placeholder("Or in your own words").fill("The rope frays")
    form.get_by_role("button", name="Suffer a complication").click()
    expect(duel.gm.page.locator(".dock-state")).to_contain_text("The rope frays")


def test_dock_on_a_phone_shows_each_answer_whole(come: Come) -> None:
    """No step covers an answer, and a long title with a price has a row of its own."""
    duel = Duel(come, "Ivo", "Odo")
    ann = duel.ann
    duel.make("mira", "conflict.end")
    duel.make("ann", "sheet.write", who="vell", kind="statement", at="duty", text="I serve")
    duel.make("ann", "check.declare", title="Climb", skill="move", drive="duty", difficulty="1")
    duel.make("mira", "check.agree")
    duel.make("ann", "check.roll", faces="5 20")
    duel.make("mira", "complication.suffer", text="Torn")
    duel.make("ann", "check.close")
    tried = {"skill": "move", "drive": "duty", "fit": "contradicts", "title": "Walk away"}
    duel.make("ann", "check.declare", **tried)
    ann.caught_up(duel.make("mira", "drive.offer"))
    refuse = ann.page.locator(".dock [data-move='drive.refuse']").bounding_box()
    for chip in ann.page.locator(".dock .chips .button").all():
        box = chip.bounding_box()
        assert box is not None
        assert refuse is not None
        assert box["y"] + box["height"] <= refuse["y"]
    duel.make("ann", "drive.refuse")
    duel.make("ann", "check.close")
    duel.make("mira", "conflict.begin", kind="skirmish", text="The yard", against="all")
    duel.make("mira", "points.correct", account="momentum", to=2, why="for the test")
    duel.make("ann", "conflict.attack", against="odo")
    duel.make("mira", "contest.oppose")
    duel.make("mira", "check.roll", faces="19 18")
    duel.make("ann", "check.roll", faces="5 19")
    duel.make("ann", "check.close")
    ann.caught_up(duel.make("ann", "check.close"))
    expect(ann.page.locator("#primary[data-move='initiative.keep']")).to_have_css("height", "44px")


def test_conflict_topic_is_above_the_order(come: Come) -> None:
    """A phone shows it as soon as the conflict begins, and only once."""
    duel = Duel(come, "Ivo", "Odo")
    heading = duel.ann.see(".slots h2")
    expect(heading).to_have_text("Skirmish: The yard")
    expect(heading).to_be_in_viewport()
    expect(
        duel.ann.page.get_by_text("Skirmish: The yard", exact=True).filter(visible=True)
    ).to_have_count(1)


def test_session_end_lists_nobody_as_gone(come: Come) -> None:
    """Turns and places of a conflict end with it, and people are not listed as gone."""
    duel = Duel(come, "Ivo")
    gm = duel.gm
    gm.tool("session.end")
    sheet = gm.page.locator("dialog[open]")
    expect(sheet.locator(".last-points")).to_be_visible()
    for name in ("Vell", "Ivo", "The opposition"):
        expect(sheet.locator(".facts-list li").get_by_text(name, exact=True)).to_have_count(0)


def test_npc_uses_threat_for_points(come: Come) -> None:
    """Their odds name the GM's Threat gain, and their card has no points that NPCs lack."""
    duel = Duel(come, "Ivo")
    gm = duel.gm
    duel.make("mira", "conflict.end")
    duel.make("mira", "points.correct", account="threat", to=5, why="for the test")
    vara = {
        "skill": "battle",
        "second": "move",
        "drive": "power",
        "drive2": "duty",
        "statement": "Mine",
    }
    duel.make("mira", "npc.make", rank="notable", name="Vara", trait="Captain", **vara)
    tried = {"as": "vara", "title": "Climb", "skill": "battle", "drive": "power", "difficulty": "1"}
    gm.weighed(duel.make("mira", "check.declare", **tried))
    expect(gm.page.locator(".odds-rest")).to_contain_text("Threat")
    expect(gm.page.locator(".odds-rest")).not_to_contain_text("Momentum")
    duel.make("mira", "check.cancel")
    duel.make("ann", "check.declare", title="Fight", skill="battle", drive="duty", against="vara")
    duel.make("mira", "contest.oppose")
    gm.caught_up(duel.make("mira", "check.roll", faces="19 18"))
    expect(gm.page.locator(".menu .offer-effect").first).to_contain_text("successes 0 → ")
    gm.view("Characters")
    names = gm.page.locator(".track-name").filter(visible=True)
    expect(names.first).to_be_visible()
    assert ["Determination", "Advancement points"] == [
        name.strip() for name in names.all_inner_texts()
    ]


def against_vara(come: Come) -> Duel:
    """A conflict with an opponent who needs several hits."""
    duel = Duel(come, "Ivo")
    duel.make("mira", "conflict.end")
    duel.make("mira", "points.correct", account="threat", to=6, why="for the test")
    vara = {
        "skill": "move",
        "second": "battle",
        "drive": "power",
        "drive2": "duty",
        "statement": "Mine",
    }
    duel.make("mira", "npc.make", rank="notable", name="Vara", trait="Captain", **vara)
    duel.make("mira", "conflict.begin", kind="skirmish", text="The stairs", against="vara")
    return duel


def hit(duel: Duel) -> int:
    """Ann hits Vara, who rolled nothing."""
    duel.make(
        "ann", "conflict.attack", asset="Poison", skill="battle", drive="duty", against="vara"
    )
    duel.make("mira", "contest.oppose", skill="battle", drive="faith")
    duel.make("mira", "check.roll", faces="19 19")
    duel.make("ann", "check.roll", faces="5 19")
    return duel.make("ann", "track.score")


def next_turn(duel: Duel) -> None:
    """The attack is done, and nobody keeps the initiative."""
    for seat, move in (("ann", "check.close"), ("ann", "turn.pass"), ("mira", "turn.pass")):
        duel.make(seat, move)


@pytest.mark.exhaustive
def test_hit_progress_is_in_sight(come: Come) -> None:
    """It is part of the current and last result, on a phone and next to the log."""
    duel = against_vara(come)
    duel.gm.resize(DESK)
    seq = hit(duel)
    for guest in (duel.ann, duel.gm):
        guest.caught_up(seq)
        expect(guest.page.locator(".outcome .result")).to_contain_text("Vara: 2 of 6 to defeat.")
        expect(guest.page.locator(".outcome .result")).to_be_in_viewport(ratio=1)
    duel.make("ann", "check.close")
    for guest in (duel.ann, duel.gm):
        expect(guest.page.locator(".last-result .result")).to_contain_text(
            "Vara: 2 of 6 to defeat."
        )
        expect(guest.page.locator(".last-result .result")).to_be_in_viewport(ratio=1)


def test_repeated_defeat_has_one_card(come: Come) -> None:
    """The old card would offer a resistance that the new defeat no longer allows."""
    duel = against_vara(come)
    card = duel.ann.page.locator(".fallen-card")
    for _ in range(2):
        hit(duel)
        next_turn(duel)
    hit(duel)
    expect(card).to_contain_text("can resist this defeat")
    duel.make("mira", "defeat.resist", text="Limping")
    expect(card).to_have_text(re.compile("Defeat resisted.*Vara has resisted defeat", re.DOTALL))
    next_turn(duel)
    hit(duel)
    expect(card).to_have_count(1)
    expect(card).not_to_contain_text("resist")
