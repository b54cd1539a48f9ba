"""Legibility at a glance: dice numbers, chips, strips and titles among many people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from storypool.engine.fold import fold
from tests.browser.guests import DESK, PHONE, Come, Guest
from tests.browser.page_scripts import script
from tools.states import states
from tools.visits import House, visit

See = Callable[[str, str], Guest]


@pytest.fixture
def see(come: Come, house: House) -> See:
    """Show a state of a game on a phone: `see(game, name)`."""

    def see(game: str, name: str) -> Guest:
        guest = come(PHONE, regular=True)
        visit(guest, house, next(state for state in states(game) if state.name == name))
        return guest

    return see


def test_dice_named_by_moves_show_numbers(see: See) -> None:
    """Each rolled die has its number, even if blank, and no sign overflows it."""
    bo = see("c2d10", "initiative-player")
    bo.see(".fallen .face .count")
    assert ["8", "2"] == bo.page.locator(".fallen .face .count").all_inner_texts()
    cy = see("c2d10", "trouble-player")
    spilt = """() => {
        const width = (one) => one.getBoundingClientRect().width;
        return [...document.querySelectorAll('.upside')]
            .filter((die) => width(die.querySelector('.face-signs')) > width(die));
    }"""
    cy.see(".fallen .face .count")
    assert [] == cy.page.evaluate(spilt)


def test_chips_have_a_caption(see: See) -> None:
    """The caption of several answers is the move, and of numbers the question."""
    expect(see("dune", "turn.of-player").page.locator(".chips-caption")).to_have_text("Attack")
    expect(see("dune", "oppose-player").page.locator(".chips-caption")).to_have_text(
        "How high is the skill?"
    )


def test_suggestion_with_several_parts_is_shown_once(see: See) -> None:
    """The main button accepts all of it without repeating the sentence above."""
    expect(see("starwars", "suggested-gm").page.locator("#primary")).to_have_text(
        "Agree to all of it"
    )


def test_strip_names_equal_signs(see: See) -> None:
    """Two tracks with the same sign differ by words."""
    strip = see("c2d10", "trouble-player").page.locator(".mine .strip")
    expect(strip).to_contain_text("Strain")
    expect(strip).to_contain_text("Stress")


def test_many_people_leave_room_for_the_title(see: See) -> None:
    """Of thirteen people four are shown and the rest counted; title and drawer stay usable."""
    gm = see("starwars", "session-gm")
    assert 5 == gm.page.locator(".people-here > li").count()
    expect(gm.page.locator(".people-here > li").last).to_contain_text("+9")
    title, button = (
        gm.page.locator(".head-words").bounding_box(),
        gm.page.locator(".drawer-button").bounding_box(),
    )
    assert title is not None
    assert button is not None
    assert title["width"] > 80
    assert button["x"] + button["width"] <= PHONE["width"]


def test_large_screen_fits_titles_and_notes(see: See) -> None:
    """A table's title is whole next to the faces, and so are six difficulties' notes."""
    gm = see("dune", "difficulty-gm")
    seat = gm.page.url.partition("seat=")[2]
    title = "The long winter of the house of the red lamp, and what came of it"
    gm.caught_up(gm.make(gm.table, seat, "table.rename", title=title))
    gm.resize(DESK)
    cut = (
        "all => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) =>"
        " one.textContent)"
    )
    expect(gm.page.locator(".head-words h1")).to_have_text(title)
    assert [] == gm.page.locator(".head-words h1").evaluate_all(cut)
    expect(gm.page.locator(".chip-note")).to_have_count(6)
    assert [] == gm.page.locator(".chip-note").evaluate_all(cut)


def test_player_does_not_act_in_the_gms_slot(come: Come, house: House) -> None:
    """Another's turn is named, without a button for an action or the next turn."""
    state = next(state for state in states("starwars") if state.name == "turn.gm-gm")
    ann = come(PHONE, regular=True)
    visit(ann, house, replace(state, seat="ann"))
    expect(ann.page.locator(".dock-state")).to_have_text("The GM's turn: waiting for the GM.")
    expect(ann.page.locator(".dock button, .slots button")).to_have_count(0)
    # Where an action waits for a hit and then for symbols of the same player, others read the first
    # alone.
    state = next(state for state in states("starwars") if state.name == "hit-player")
    seats = fold(state.records).seats
    other = next(id for id, one in seats.items() if one.side == "player" and id != state.seat)
    visit(ann, house, replace(state, seat=other))
    waits = f"waiting for {seats[state.seat].name} to deal the damage."
    expect(ann.page.locator(".dock-state")).to_contain_text(waits)
    assert [] == ann.page.evaluate(script("voice"))


def test_minion_group_shows_its_number(come: Come, house: House) -> None:
    """One card shows the number of all that still stand."""
    state, group = next(
        (state, group)
        for state in states("starwars")
        for group in fold(state.records).of_kind("group")
    )
    guest = come(PHONE, regular=True)
    visit(guest, house, state)
    guest.view("Characters")
    expect(guest.page.locator(".person-card", has_text=group.text)).to_have_count(1)


def test_refused_submission_says_so(see: See) -> None:
    """The preview may have shown the reason before, so a press would change nothing in sight."""
    gm = see("dune", "difficulty-gm")
    gm.page.locator(".offer-place[data-move='check.declare'] .offer").click()
    gm.page.locator("dialog[open] [data-ask=secret]").locator("label").first.click()
    error = gm.page.locator("dialog[open] [data-ask=secret] .field-error")
    expect(error).to_contain_text("An action is still going on")
    foot = gm.page.locator("dialog[open] .form-foot")
    expect(foot).not_to_contain_text("Nothing has changed.")
    gm.page.locator("dialog[open] button[type=submit]").click()
    expect(foot).to_contain_text("Nothing has changed.")
    expect(error).to_be_in_viewport()
