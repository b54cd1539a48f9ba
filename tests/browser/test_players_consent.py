"""One player's request to another on the page: the other answers, and the GM can only decline."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come
from tests.sample_table import Evening
from tools.states import State
from tools.visits import House, visit


def test_requested_player_answers(house: House, come: Come) -> None:
    """Ann's move needs Bo; Bo sees the request and agrees in one tap; the GM has only a no."""
    evening = Evening()
    evening.make("mona", "points.correct", account="pash.strain", to=2, why="a long day")
    ann, bo, gm = come(PHONE, regular=True), come(PHONE, regular=True), come(DESK, regular=True)
    visit(ann, house, State("tiny", "before", tuple(evening.records), "ann"))
    ann.page.get_by_role("button", name="Everything else").first.click()
    ann.offer("strain.share").click()
    ann.page.locator("dialog[open]").get_by_text("Oska", exact=True).click()
    expect(ann.page.locator("dialog[open]")).to_contain_text("This needs Bo's OK.")
    evening.make("ann", "strain.share", {"as": "pash", "who": "oska"})
    asked = tuple(evening.records)
    visit(gm, house, State("tiny", "asked", asked, "mona"))
    card = gm.page.locator(".proposal")
    expect(card.get_by_role("button", name="Say no", exact=True)).to_be_visible()
    expect(card.get_by_role("button", name="Agree", exact=True)).to_have_count(0)
    visit(bo, house, State("tiny", "asked", asked, "bo"))
    expect(bo.page.locator(".dock-state")).to_have_text("Ann asks: Share your strain (Pash, Oska)")
    bo.page.locator(".dock").get_by_role("button", name="Agree", exact=True).click()
    expect(bo.page.locator(".dock-state")).not_to_contain_text("Ann asks")
    assert 1 == bo.api("GET", f"/api/tables/{bo.table}?seat=bo")["table"]["points"]["oska.strain"]


def test_asking_player_sees_a_no(house: House, come: Come) -> None:
    """Ann sees Bo's no in her current view, and not only in the log."""
    evening = Evening()
    evening.make("mona", "points.correct", account="pash.strain", to=2, why="a long day")
    ann = come(PHONE, regular=True)
    visit(ann, house, State("tiny", "before", tuple(evening.records), "ann", others=("bo",)))
    ann.page.get_by_role("button", name="Everything else").first.click()
    ann.offer("strain.share").click()
    form = ann.page.locator("dialog[open]")
    form.get_by_text("Oska", exact=True).click()
    form.get_by_role("button", name="Share your strain", exact=True).click()
    expect(ann.page.locator(".dock-state")).to_contain_text("Bo")
    path = f"/api/tables/{ann.table}"
    (asked,) = ann.api("GET", f"{path}?seat=ann")["table"]["proposals"]
    ann.api("POST", f"{path}/moves", seat="bo", move="consent.refuse", args={"id": asked})
    expect(ann.page.locator(".toast")).to_contain_text("Bo says no: Share your strain")
