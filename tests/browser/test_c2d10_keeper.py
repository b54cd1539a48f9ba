"""C2D10 on the page: the Keeper by that name, who counts, both sides of a conflict, the price of a
setback.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, Come, Pair


@pytest.mark.exhaustive
def test_the_keeper_and_a_hero_read_what_things_cost(come: Come, pair: Pair) -> None:
    """A session shows beforehand who counts; both sides have a score at once; a setback says what
    ignoring it pays.
    """
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
        expect(guest.page.locator(".course-words")).to_have_text(
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


def test_the_dock_marks_the_usual_dc_and_asks_how_where_there_is_no_choice(pair: Pair) -> None:
    """Of the DCs the usual one is marked; one setback is taken with a tap, or with words, and
    offers no change.
    """
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


def test_what_was_announced_goes_with_its_undoing(pair: Pair) -> None:
    """A gain of points that is taken back is announced no longer, while its notice would still be
    there.
    """
    gm, ann, table = pair
    gm.make(table, "mira", "session.begin")
    ann.at(table, "ann")
    gm.make(table, "mira", "dire.situation", n=2, why="The lights go out")
    announced = ann.page.locator(".announced li")
    expect(announced).to_contain_text("The lights go out")
    ann.caught_up(gm.make(table, "mira", "table.undo"))
    assert announced.count() == 0


def test_points_that_are_there_stay_while_others_come(pair: Pair) -> None:
    """On a phone a pool says what it has beside what a roll will bring it, however little that
    is.
    """
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


def test_a_duel_comes_into_sight_when_it_begins(pair: Pair) -> None:
    """Wherever a reader was on the page, they see who fights and how far each is, on a phone and a
    large screen.
    """
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


def test_what_went_wrong_in_secret_says_so(pair: Pair) -> None:
    """A Keeper who looks at what went wrong reads which of it the players know nothing of."""
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


def test_a_form_on_the_turn_of_an_npc_says_who_acts(pair: Pair) -> None:
    """The button knows whose turn it is, so nobody is asked; the Keeper reads it all the same."""
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


def test_a_real_die_is_rolled_again_by_hand(pair: Pair) -> None:
    """After real dice a re-roll asks for the die's new face; what a program threw is named beside
    those by hand.
    """
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
    form.locator("button[type=submit]").click()
    expect(form).to_contain_text("Some dice have no face yet.")
    form.locator(".face-pick").last.click()
    form.locator("button[type=submit]").click()
    expect(form).to_have_count(0)
    expect(chip).to_have_text("by hand")
    ann.make(table, "ann", "check.reroll", die="1")
    expect(chip).to_contain_text("by hand, but the program rolled D10 ")


def test_more_dice_than_there_are_points_for_are_refused_in_the_form(pair: Pair) -> None:
    """A number that costs too much stays in the form with the reason, and nothing else is
    bought.
    """
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
