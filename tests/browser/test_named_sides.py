"""Named sides of a contest in the terms, odds and result of its action."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come, Party
from tests.browser.test_c2d10_pool_overflow import Night


def test_contest_names_its_sides(come: Come, shots: Path) -> None:
    """Both name their skill, odds wait for the other side's dice, and the winner is named."""
    night = Night(come, PHONE)
    gm, ann, bo = night.guests
    gm.make(night.id, "mira", "session.begin")
    ann.make(
        night.id,
        "ann",
        "contest.declare",
        **{
            "as": "juna",
            "against": "odo",
            "skill": "systems",
            "talent": "logic",
            "title": "Arm in arm",
        },
    )
    for guest in night.guests:
        expect(guest.page.locator(".action-terms")).to_have_text("Systems · Logic · against Odo")
        expect(guest.page.locator(".odds")).to_have_count(0)
    # The opposition has a preset answer: one tap takes it, as the button says, and the next button
    # opens the form.
    answer = bo.page.locator("#primary[data-move='contest.answer']")
    expect(answer.locator(".offer-note")).to_have_text("Brawl")
    bo.tap("Change …")
    expect(bo.top.locator("[data-ask=by_skill]")).to_be_visible()
    expect(bo.top.locator("button[type=submit]")).to_have_text("Oppose it")
    bo.tap("Cancel")
    answer.click()
    for guest in night.guests:
        expect(guest.page.locator(".action-terms")).to_have_text(
            "Juna: Systems, Logic · Odo: Brawl, Strength"
        )
        expect(guest.page.locator(".odds-words").first).to_contain_text("A win for Juna")
    ann.still()
    ann.picture(shots / "sides-360.png")


def test_passed_threshold_is_a_warning(come: Come, shots: Path) -> None:
    """Every screen has a card, the sheet a warning colour, and the GM decides the outcome."""
    party = Party(come, size=DESK).sit("mira", "ann")
    gm = party.gm
    everybody = gm.api("GET", f"/api/tables/{party.id}?seat=mira")["table"]["characters"]
    pash = everybody["pash"]["sheet"]
    party.make("mira", "character.set", who="pash", sheet={**pash, "wound-threshold": 2})
    party.make("mira", "track.suffer", who="pash", track="wounds", by=3)
    for guest in (gm, party.ann):
        card = guest.page.locator(".fallen-card[data-tone=bad]")
        expect(card).to_contain_text("Pash: past the wound threshold (3 of 2).")
    expect(gm.page.locator(".dock-state")).to_contain_text("What becomes of them?")
    gm.view("Characters")
    expect(gm.page.locator(".trait[data-tone=bad]")).to_contain_text("past the wound threshold")
    gm.still()
    gm.picture(shots / "beyond-1280.png")
    # A foe's fall is good for the heroes, and each reader puts the cards away.
    cards = party.ann.page.locator(".fallen-card")
    party.make("mira", "track.suffer", who="captain-rusk", track="wounds", by=30)
    expect(party.ann.page.locator(".fallen-card[data-tone=good]")).to_contain_text("Captain Rusk")
    party.ann.tap("Put all away")
    expect(cards).to_have_count(0)
    expect(gm.page.locator(".fallen-card")).to_have_count(2)
    # A treatment is for its patient, not against them.
    treats = {"as": "captain-rusk", "against": "pash", "skill": "medicine"}
    party.make("mira", "check.declare", difficulty="easy", **treats)
    expect(party.ann.page.locator(".action-terms")).to_contain_text("for Pash")


@pytest.mark.exhaustive
def test_slots_show_results_and_owners(come: Come) -> None:
    """Slots show rolls and takers, and no player acts in the GM's.

    A minion group is one character whose card counts those standing. In a fight, its people are
    next to the action, the scene's start is folded, and GM secrets are separate.
    """
    party = Party(come, size=DESK)
    gm, ann = party.gm, party.ann
    party.make("mira", "scene.begin")
    party.make("mira", "table.say", text="Rain drums on the roof.")
    for secret in (True, False, True):
        party.make("mira", "trait.set", text=f"It rains, {secret}", secret=secret)
    party.sit("mira", "ann")
    expect(gm.page.locator(".facts h3")).to_have_text(["What is true", "Hidden from the players"])
    expect(gm.page.locator(".facts li")).to_have_text(
        ["It rains, False", "It rains, True", "It rains, True"]
    )
    # Under the characters are the same, and what is no more than a note; here is a line that there
    # is more.
    party.make("mira", "contest.open", title="Over the wall", difficulty="easy")
    expect(gm.page.locator(".stage")).to_contain_text("1 more is under “Characters”.")
    gm.view("Characters")
    truths = gm.page.locator(".people > .traits li")
    expect(truths).to_have_count(4)
    gm.view("Log")
    party.make("mira", "table.undo")
    # The GM reads on the card what the players read.
    expect(gm.page.locator(".opening p").filter(visible=True)).to_have_text(
        "Rain drums on the roof."
    )
    expect(gm.page.locator(".calm-words")).to_be_hidden()
    # The dock alone says that nothing waits, and what stands there stands nowhere else.
    expect(gm.page.locator(".dock-state")).to_have_text("What do you do?")
    expect(gm.page.locator(".drawer-place")).not_to_contain_text("All clear")
    expect(gm.page.locator(".drawer-place .offer", has_text="Start a new scene")).to_have_count(0)
    ann.resize(PHONE)
    expect(ann.page.locator(".opening p")).to_be_visible()
    party.make("mira", "adversary.add", name="Dock guards", pool="3 ability", group=4, wounds=5)
    party.make("mira", "track.suffer", who="dock-guards", track="wounds", by=6)
    # Both are equal: the first of them is first in the order, too.
    for seat, who in (("ann", "pash"), ("bo", "oska")):
        party.make(seat, "initiative.roll", **{"as": who, "with": "cool", "faces": "4 6"})
    party.make(
        "mira", "initiative.roll", **{"as": "captain-rusk", "with": "cool", "faces": "1 1 1"}
    )
    # The next NPC rolls as this one did; the step has its row to itself, and says no name twice.
    expect(gm.page.locator("#primary[data-long] .offer-note")).to_have_text("Cool: ready")
    party.make("mira", "initiative.next")
    slots = ann.page.locator(".slot").filter(visible=True)
    for place in (0, 1):
        expect(slots.nth(place)).to_contain_text("Players (2 Successes, 1 Advantage)")
    expect(slots.nth(2)).to_contain_text("GM (no success)")
    expect(slots.nth(0)).to_have_attribute("aria-current", "step")
    expect(ann.page.locator(".opening p")).to_be_hidden()
    ann.resize(DESK)
    # The people of a fight are next to its action, and so not among the tools.
    expect(gm.page.locator(".fighter")).to_have_count(4)
    expect(gm.page.locator(".drawer-place h3", has_text="People of the scene")).to_have_count(0)
    # While an action is open the tools stay where they are, and what it needs comes first.
    party.make("ann", "check.declare", title="Shoot", skill="skulduggery")
    expect(gm.page.locator(".right > .drawer-place h3").first).to_have_text("The pool")
    party.make("ann", "check.cancel")
    expect(ann.page.locator("#primary")).to_have_text("Make a check")
    # In a fight the GM's dock ends that, and not the evening; its buttons are nowhere else.
    expect(gm.page.locator(".dock-row .button")).to_have_text(
        ["Make a check", "Next turn", "End the fight"]
    )
    # Each has its words in one line.
    for title in ("Make a check", "Next turn", "End the fight"):
        button = gm.page.locator(".dock-row .button", has_text=title)
        assert button.evaluate(
            "one => one.clientHeight < 2 * parseFloat(getComputedStyle(one).lineHeight) + 12"
        ), title
    expect(gm.page.locator(".slots .button")).to_have_count(0)
    party.make("ann", "initiative.next", who="pash")
    expect(slots.nth(0)).to_contain_text("Pash (Players: 2 Successes, 1 Advantage)")
    party.make("bo", "initiative.next", who="oska")
    expect(ann.page.locator(".dock-state")).to_have_text("The GM's turn: waiting for the GM.")
    expect(ann.page.locator("#primary")).to_have_count(0)
    expect(gm.page.locator(".dock-state")).to_contain_text("Your turn: who acts?")
    gm.view("Characters")
    guards = gm.page.locator(".person-card", has_text="Dock guards")
    expect(guards).to_have_count(1)
    expect(guards).to_contain_text("3 of 4 still stand")
    # Everybody reads it next to the fight, and its name once.
    expect(ann.page.locator(".standing-list li")).to_have_text("Dock guards: 3 of 4 still stand.")
    # The card of the fight goes with the scene, and between sessions no tool is in sight.
    party.make("mira", "initiative.end")
    expect(ann.page.locator(".fallen-card", has_text="The fight is over")).to_be_visible()
    party.make("mira", "scene.begin")
    expect(ann.page.locator(".fallen-card", has_text="The fight is over")).to_have_count(0)
    tools = gm.page.locator(".drawer-place .offer").filter(visible=True)
    expect(tools).not_to_have_count(0)
    party.make("mira", "session.end")
    expect(tools).to_have_count(0)


def test_pool_precedes_the_order_on_a_phone(come: Come) -> None:
    """During a check a phone shows the current turn and actors, and counts the others."""
    party = Party(come)
    for seat, who in (("ann", "pash"), ("bo", "oska")):
        party.make(seat, "initiative.roll", **{"as": who, "with": "cool", "faces": "4 6"})
    party.make(
        "mira", "initiative.roll", **{"as": "captain-rusk", "with": "cool", "faces": "1 1 1"}
    )
    ann = party.sit("ann").ann
    slots = ann.page.locator(".middle .slot").filter(visible=True)
    rest = ann.page.locator(".middle .slot-rest")
    expect(slots).to_have_count(3)
    # Three rolls stand in a row, and the order is in sight above them.
    rolls = ann.page.locator(".loose > li")
    expect(rolls).to_have_count(3)
    expect(rolls.last).to_be_in_viewport(ratio=1)
    head, first = (one.bounding_box() for one in (ann.page.locator(".table-head"), slots.first))
    assert head is not None
    assert first is not None
    assert first["y"] >= head["y"] + head["height"]
    # They make way for the fight.
    party.make("mira", "initiative.next")
    expect(rolls).to_have_count(0)
    expect(rest).to_be_hidden()
    party.declare()
    expect(slots).to_have_count(1)
    expect(rest).to_have_text("2 more turns")
    ann.resize(DESK)
    expect(slots).to_have_count(3)
    expect(rest).to_be_hidden()
    # In the last turn of the round none is to come.
    party.make("ann", "check.cancel")
    for seat, who in (("ann", "pash"), ("bo", "oska")):
        party.make(seat, "initiative.next", who=who)
    ann.resize(PHONE)
    party.make(
        "mira", "check.declare", **{"as": "captain-rusk", "pool": "2 ability / 1 difficulty"}
    )
    expect(ann.page.locator(".stage")).to_have_attribute("data-phase", "build")
    expect(rest).to_have_count(0)


def test_equal_turns_keep_their_rolled_order(come: Come) -> None:
    """The older of equal turns is first in rules and page, whatever its number's digits."""
    party = Party(come)
    party.make("ann", "initiative.roll", **{"as": "pash", "with": "cool", "faces": "4 6"})
    while party.gm.log(party.id, "mira")[-1]["seq"] < 100:
        party.make("mira", "table.say", text="The rain goes on")
    party.make("bo", "initiative.roll", **{"as": "oska", "with": "cool", "faces": "4 6"})
    party.make("mira", "initiative.next")
    party.make("ann", "initiative.next", who="pash")
    slots = party.sit("ann").ann.page.locator(".middle .slot")
    expect(slots.nth(0)).to_contain_text("Pash")
    expect(slots.nth(1)).to_have_attribute("aria-current", "step")
