"""C2D10 on the page: the Keeper's name, counting characters, conflicts and prices."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, Come, Pair


@pytest.mark.exhaustive
def test_keeper_and_hero_see_costs(come: Come, pair: Pair) -> None:
    """The session shows who counts, both sides have a score, and a setback shows its gain."""
    (gm, ann, table), other = pair, come()
    # A guest who comes by a link reads the game's word for its master.
    link = gm.api("POST", f"/api/tables/{table}/links", seat="mira", side="gm")
    other.open(link["path"])
    other.read("as the Keeper")
    link = gm.api("POST", f"/api/tables/{table}/links", seat="mira", side="player")
    other.open(link["path"])
    other.read("Another of your devices, or the Keeper, has to confirm it.")

    gm.at(table, "mira")
    expect(gm.offer("session.begin")).to_contain_text(
        "2 villain points for the Keeper, 2 for each player: Ann."
    )
    gm.make(table, "mira", "session.begin")
    gm.make(table, "mira", "conflict.open", title="On the roof", type="opposed", dc=2)
    ann.at(table, "ann")
    for guest in (gm, ann):
        expect(guest.page.locator(".course-words").filter(visible=True)).to_have_text(
            ["Progress of the heroes: 0 of 3", "Progress of the opposition: 0 of 3"]
        )

    ann.make(
        table, "ann", "check.declare", **{"as": "juna", "skill": "athletics", "talent": "strength"}
    )
    ann.make(table, "ann", "check.roll", faces="0 1 1 1")
    state = "Take the setback, or ignore it: the Keeper gains 2 villain points."
    expect(ann.page.locator(".dock-state")).to_have_text(state)
    ann.page.locator(".dock [data-move='trouble.ignore']").click()
    expect(gm.page.locator(".trays")).to_contain_text("4")
    # Moves that are closed are counted in words.
    ann.read("not possible now")
    # Circumstances and setbacks stand with the score, on one card.
    gm.make(table, "mira", "points.correct", account="villain", to=9, why="For the rain")
    gm.make(table, "mira", "circumstance.create", text="Rain", way="harder")
    ann.make(
        table, "ann", "check.declare", **{"as": "juna", "skill": "athletics", "talent": "strength"}
    )
    ann.make(table, "ann", "check.roll", faces="0 1 1 1")
    ann.make(table, "ann", "trouble.take", text="A slip")
    for guest in (gm, ann):
        expect(guest.page.locator(".course-besides li").filter(visible=True)).to_have_text(
            ["Rain: DC +1 for everybody", "A slip Juna"]
        )
        expect(guest.page.locator(".standing")).to_have_count(0)


def test_dock_marks_the_default_dc(pair: Pair) -> None:
    """The default DC is marked; one setback takes a tap or words, and offers no change."""
    gm, ann, table = pair
    gm.make(table, "mira", "session.begin")
    gm.at(table, "mira")
    ann.at(table, "ann")
    ann.make(
        table, "ann", "check.declare", **{"as": "juna", "skill": "athletics", "talent": "strength"}
    )
    chips = gm.page.locator(".chips[data-move='check.dc']")
    expect(chips.locator("[data-preset]")).to_have_text(["2"])
    chips.get_by_role("button", name="2", exact=True).click()
    expect(ann.page.locator("#primary[data-move='check.roll']")).to_be_visible()
    ann.make(table, "ann", "check.roll", faces="0 1 1 1")
    expect(ann.page.locator("#primary")).to_have_text("Take it")
    expect(ann.page.get_by_role("button", name="Change …")).to_have_count(0)
    ann.tap("Say how …")
    ann.page.locator("dialog[open] [data-ask=text] :is(input, textarea)").fill("The ladder breaks")
    ann.page.locator("dialog[open] button[type=submit]").click()
    expect(ann.page.locator("dialog[open]")).to_have_count(0)
    assert "The ladder breaks" in str(gm.log(table, "mira"))


def test_undone_gain_is_no_longer_announced(pair: Pair) -> None:
    """The notice of a gain of points goes when the gain is undone."""
    gm, ann, table = pair
    gm.make(table, "mira", "session.begin")
    ann.at(table, "ann")
    gm.make(table, "mira", "dire.situation", n=2, why="The lights go out")
    announced = ann.page.locator(".announced li")
    expect(announced).to_contain_text("The lights go out")
    ann.caught_up(gm.make(table, "mira", "table.undo"))
    assert announced.count() == 0


def test_current_points_stay_next_to_gains(pair: Pair) -> None:
    """On a phone a pool shows its points next to the gain of a roll, however small."""
    gm, ann, table = pair
    gm.make(table, "mira", "session.begin")
    gm.make(table, "mira", "points.correct", account="hero", to=2, why="for the test")
    ann.at(table, "ann")
    ann.make(
        table, "ann", "check.declare", **{"as": "juna", "skill": "athletics", "talent": "strength"}
    )
    gm.make(table, "mira", "check.dc", dc=1)
    ann.caught_up(ann.make(table, "ann", "check.roll", faces="9 9 1 1"))
    heroes = ann.page.locator(".tray-place").first
    expect(heroes.locator(".count").filter(visible=True)).to_have_text(["2", "+3"])
    ann.make(table, "ann", "check.close")
    expect(heroes.locator(".count").filter(visible=True)).to_have_text(["5"])


def test_duel_scrolls_into_sight(pair: Pair) -> None:
    """A new duel shows the fighters and scores from any place, on a phone and a large screen."""
    gm, ann, table = pair
    gm.resize(DESK)
    gm.make(table, "mira", "session.begin")
    gm.make(table, "mira", "npc.add", name="Corvin", dice=3)
    for n in range(12):
        gm.make(
            table,
            "mira",
            "trait.set",
            text=f"Something is true of the boat, the quay and the rain, number {n}",
        )
    gm.at(table, "mira")
    ann.at(table, "ann")
    ann.make(
        table, "ann", "check.declare", **{"as": "juna", "skill": "athletics", "talent": "strength"}
    )
    gm.make(table, "mira", "check.dc", dc=1)
    ann.make(table, "ann", "check.roll", faces="9 1 1 1")
    seq = ann.make(table, "ann", "check.close")
    for guest in (gm, ann):
        guest.caught_up(seq)
        guest.go_elsewhere()
    gm.make(
        table,
        "mira",
        "conflict.open",
        title="The boat hook",
        type="duel",
        one="juna",
        other="corvin",
    )
    for guest in (gm, ann):
        expect(guest.page.locator(".course-of")).to_contain_text("Corvin's progress: 0 of")
        expect(guest.page.locator(".course-of")).to_be_in_viewport(ratio=1)


def test_secret_failure_is_marked_secret(pair: Pair) -> None:
    """The Keeper reads which failures the players do not know."""
    gm, ann, table = pair
    gm.make(table, "mira", "session.begin")
    gm.make(table, "mira", "npc.add", name="Corvin", dice=2)
    gm.at(table, "mira")
    ann.at(table, "ann")
    gm.make(
        table,
        "mira",
        "check.declare",
        **{"as": "corvin", "title": "Hear them", "secret": True, "dc": 1},
    )
    gm.make(table, "mira", "check.roll", faces="0 1")
    seq = gm.make(table, "mira", "trouble.take")
    expect(gm.page.locator(".standing li")).to_have_text(
        "A setback: Hear them Corvin · hidden from the players"
    )
    ann.caught_up(seq)
    expect(ann.page.locator(".standing")).to_have_count(0)


def test_npc_turn_form_names_the_actor(pair: Pair) -> None:
    """The form knows whose turn it is and shows the name without a question."""
    gm, _, table = pair
    gm.make(table, "mira", "session.begin")
    for name in ("Corvin", "Dock hand"):
        gm.make(table, "mira", "npc.add", name=name, dice=3)
    gm.make(
        table,
        "mira",
        "conflict.open",
        title="The boat hook",
        type="duel",
        one="juna",
        other="corvin",
    )
    gm.make(table, "mira", "initiative.roll", **{"as": "corvin", "faces": "9"})
    gm.make(table, "mira", "initiative.next")
    gm.at(table, "mira")
    gm.page.locator(".dock").get_by_role("button", name="Start a contest").click()
    expect(gm.top).to_contain_text("Who acts? Corvin")
    expect(gm.top.locator("[data-ask=as]")).to_have_count(0)


def test_real_die_is_rerolled_by_hand(pair: Pair) -> None:
    """A re-roll of real dice asks for the new face; program dice are named next to them."""
    gm, ann, table = pair
    gm.make(table, "mira", "session.begin")
    gm.make(table, "mira", "points.correct", account="hero", to=2, why="For two dice")
    ann.at(table, "ann")
    ann.make(
        table, "ann", "check.declare", **{"as": "juna", "skill": "athletics", "talent": "strength"}
    )
    gm.make(table, "mira", "check.dc", dc=4)
    ann.make(table, "ann", "check.roll", faces="0 1 7 8")
    chip = ann.page.locator(".stage .hand-chip")
    expect(chip).to_have_text("by hand")
    ann.page.locator(".menu-row", has_text="D10 showing 1").first.click()
    form = ann.page.locator("dialog[open]")
    expect(form.locator(".face-row")).to_have_count(1)
    expect(form).to_contain_text("Roll a die again: D10 showing 1")
    form.locator("button[type=submit]").click()
    expect(form).to_contain_text("Some dice have no face yet.")
    form.locator(".face-pick").last.click()
    form.locator("button[type=submit]").click()
    expect(form).to_have_count(0)
    expect(chip).to_have_text("by hand")
    ann.make(table, "ann", "check.reroll", die="1")
    expect(chip).to_contain_text("by hand, but the program rolled D10 ")


def test_unaffordable_dice_are_refused(pair: Pair) -> None:
    """An unaffordable number stays in the form with the reason, and nothing is bought."""
    gm, ann, table = pair
    gm.make(table, "mira", "session.begin")
    gm.make(table, "mira", "points.correct", account="hero", to=3, why="For two dice")
    ann.at(table, "ann")
    ann.make(
        table, "ann", "check.declare", **{"as": "juna", "skill": "athletics", "talent": "strength"}
    )
    gm.make(table, "mira", "check.dc", dc=2)
    ann.up_to_date()
    ann.awake()
    ann.offer("dice.buy").click()
    form = ann.page.locator("dialog[open]")
    number = form.locator("[data-ask=n] input")
    number.fill("3")
    number.press("Tab")
    expect(form).to_contain_text("costs 6")
    form.locator("button[type=submit]").click()
    expect(form).to_contain_text("Nothing has changed.")
    expect(number).to_have_value("3")
    assert "dice.buy" not in str(gm.log(table, "mira"))
