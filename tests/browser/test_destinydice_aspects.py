"""Destiny Dice on the page: aspects, boosts and consequences, in sight and in forms."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.guests import DESK, PHONE, Come, MillRace
from tests.browser.page_scripts import script
from tests.browser.test_destinydice_conflict import Conflict

BEFORE = script("is-above")


def test_compel_asks_for_its_target_first(come: Come) -> None:
    """With two heroes and no situation aspect, the chosen hero brings their aspects."""
    table = Conflict(come, "mira", "bo")
    for who, text in (("juna", "Never lies"), ("bram", "Owes the miller"), ("bram", "Fears water")):
        table.make("mira", "aspect.add", about=who, text=text)
    table.gm.offer("compel.offer").click()
    form = table.gm.page.locator("dialog[open] form.form")
    expect(form.locator("[data-ask=aspect]")).to_have_count(0)
    form.locator("[data-ask=who]").get_by_text("Bram").click()
    form.locator("[data-ask=aspect]").get_by_text("Owes the miller").click()
    form.locator("[data-ask=text] textarea").fill("The miller wants his money now")
    form.locator("button[type=submit]").click()
    expect(table.bo.page.locator(".dock-state")).to_contain_text("The miller wants his money now")


def test_opposing_npc_is_requested(come: Come) -> None:
    """The button next to the difficulties asks which NPC opposes the action."""
    table = Conflict(come, "mira")
    gm = table.gm
    gm.caught_up(table.make("ann", "check.declare", title="Climb", approach="quick"))
    gm.awake()
    asked: list[str] = []
    gm.hear("request", lambda request: asked.append(request.url))
    gm.page.locator(".dock [data-move='check.defend']").click()
    form = gm.page.locator("dialog[open] form.form")
    expect(form).to_be_visible()
    assert [] == [url for url in asked if url.endswith("/moves")]
    form.locator("[data-ask=against]").get_by_text("The miller").click()
    form.locator("button[type=submit]").click()
    expect(gm.page.locator(".dock-state")).to_have_text("Waiting for Ann to roll.")
    expect(gm.page.locator(".because")).to_have_count(0)


@pytest.mark.exhaustive
def test_invocations_are_shown_to_everybody(come: Come) -> None:
    """Aspects, free invokes, boosts and consequences are on Play and the strip for all seats."""
    table = Conflict(come)
    gm, ann, bo = table.guests
    table.make("mira", "aspect.add", about="juna", text="Never lies")
    table.make("mira", "aspect.add", text="Rope trap", free=2)
    link = gm.api("POST", f"/api/tables/{table.id}/links", seat="mira", side="spectator")
    watcher, desk = come(PHONE), come(DESK)
    watcher.api("POST", "/api/join", secret=link["path"].partition("#link=")[2], name="Cy")
    watcher.at(table.id, "cy")
    desk.api("POST", "/api/join", secret=link["path"].partition("#link=")[2], name="Di")
    desk.at(table.id, "di")
    table.make(
        "mira",
        "check.declare",
        **{"as": "the-miller", "action": "create", "pool": "1 skill", "difficulty": "mediocre"},
    )
    table.make("mira", "check.roll", faces="1")
    table.make("mira", "outcome.take", boost="A wet floor")
    table.make(
        "mira",
        "check.declare",
        **{
            "as": "the-miller",
            "action": "attack",
            "pool": "3 skill",
            "against": "juna",
            "difficulty": "mediocre",
        },
    )
    table.make("mira", "check.roll", faces="6 4 4")
    table.make("mira", "outcome.take", how="hit")
    # A consequence needs a name: its choice asks for one, and does not end with the tap.
    ann.page.locator(".chips[data-move='harm.absorb']").get_by_role(
        "button", name="Stress box 2 and a mild"
    ).click()
    form = ann.page.locator("dialog[open] form.form")
    expect(form.locator("[data-ask=mild]")).to_be_visible()
    form.locator("[data-ask=mild] input").fill("A gash")
    form.locator("button[type=submit]").click()
    for guest in (gm, ann, bo, watcher, desk):
        listed = guest.page.locator(".standing-list")
        expect(listed).to_contain_text("Rope trap (2 free invokes)")
        expect(listed).to_contain_text("A wet floor")
        expect(listed).to_contain_text("A gash, mild consequence (1 free invoke for the GM)")
        expect(listed).not_to_contain_text("Never lies")
    expect(ann.page.locator(".mine .strip-carried")).to_contain_text("A gash")
    expect(desk.page.locator(".party .strip[data-character=juna] .strip-carried")).to_contain_text(
        "A gash"
    )
    assert "A gash" in str(ann.log(table.id, "ann"))


def test_boost_has_a_default_name(come: Come) -> None:
    """One tap on the hit with a boost suffices: the boost has a name and needs no form."""
    table = Conflict(come, "ann")
    ann = table.ann
    table.make("mira", "mook.add", name="A brute", stress=2)
    table.make(
        "ann",
        "check.declare",
        **{"as": "juna", "action": "attack", "approach": "forceful", "against": "a-brute"},
    )
    table.make("mira", "check.oppose", difficulty="mediocre")
    seq = table.make("ann", "check.roll", faces="6 4")
    ann.caught_up(seq)
    ann.awake()
    ann.page.locator(".chips[data-move='outcome.take']").get_by_role(
        "button", name="and a boost"
    ).click()
    expect(ann.page.locator(".standing-list")).to_contain_text("Boost: Juna's edge")
    expect(ann.page.locator("dialog[open]")).to_have_count(0)


def test_main_button_keeps_to_one_line(come: Come) -> None:
    """ "Roll the dice" does not break next to real dice and an aspect, at either size."""
    table = Conflict(come, "ann")
    ann = table.ann
    table.make("mira", "aspect.add", about="juna", text="Never lies")
    table.make(
        "ann",
        "check.declare",
        title="Climb",
        action="overcome",
        approach="quick",
        difficulty="fair",
    )
    seq = table.make("mira", "check.agree")
    for size in (PHONE, DESK):
        ann.resize(size)
        ann.caught_up(seq)
        expect(ann.page.locator(".dock [data-move='aspect.invoke']")).to_be_visible()
        words = ann.see("#primary").get_by_text("Roll the dice")
        assert words.evaluate("one => one.clientHeight") < 40


def test_aspects_are_tapped_where_they_stand(come: Come) -> None:
    """A tap on an aspect next to the pool opens its invoke; an invoked one is a line again."""
    table = Conflict(come, "ann")
    ann = table.ann
    for text, more in (("Never lies", {"about": "juna"}), ("Rope trap", {"free": 1})):
        table.make("mira", "aspect.add", text=text, **more)
    listed = ann.page.locator(".standing-list")
    # Between actions nothing is invoked, and aspects of people stay on their cards.
    expect(listed.locator("li")).to_have_text(["Rope trap (1 free invoke)"])
    expect(listed.get_by_role("button")).to_have_count(0)
    declared = {"action": "overcome", "approach": "quick", "difficulty": "fair"}
    table.make("ann", "check.declare", title="Climb", **declared)
    ann.caught_up(table.make("mira", "check.agree"))
    expect(listed.get_by_role("button")).to_have_text(
        ["Never lies Juna", "Rope trap (1 free invoke)"]
    )
    listed.get_by_role("button", name="Rope trap").click()
    form = ann.page.locator("dialog[open] form.form")
    expect(form.locator("[data-ask=aspect]")).to_have_count(0)
    form.locator("button[type=submit]").click()
    expect(ann.page.locator(".pool .die-letter")).to_have_text(["S", "S", "A", "D"])
    expect(listed.get_by_role("button")).to_have_text(["Never lies Juna"])


def test_many_ways_to_take_a_hit_stay_apart(come: Come) -> None:
    """Answers that do not fit above the other steps of a phone are scrolled behind them."""
    table = Conflict(come, "ann")
    ann = table.ann
    table.make("mira", "aspect.add", text="A flood")
    attack = {"as": "the-miller", "action": "attack", "against": "juna", "pool": "4 skill"}
    table.make("mira", "check.declare", difficulty="mediocre", **attack)
    table.make("mira", "check.roll", faces="6 6 4 1")
    ann.caught_up(table.make("mira", "outcome.take", how="hit"))
    row = ann.see(".dock-row")
    expect(row).to_contain_text("Go down")
    assert "rgba(0, 0, 0, 0)" != row.evaluate("one => getComputedStyle(one).backgroundColor")


def test_result_has_a_short_headline(come: Come) -> None:
    """Consequences of a roll are below in smaller letters, all in sight on a phone."""
    table = Conflict(come, "ann")
    ann = table.ann
    table.attack("ann")
    ann.caught_up(table.make("ann", "check.roll", faces="5 1 1 1 1"))
    result = ann.see(".outcome .result")
    expect(result).to_have_text("Success by 1, with 1 Advantage. Hit for 1 shift.")
    more = result.locator(".result-more")
    size = "one => parseFloat(getComputedStyle(one).fontSize)"
    assert more.evaluate(size) < result.evaluate(size)
    expect(result).to_be_in_viewport(ratio=1)


def test_purchases_come_before_aspects(come: Come) -> None:
    """On the buyer's phone rows follow the result; other seats keep their aspects in place."""
    table = MillRace(come, quick=2, refresh=3)
    table.player("Bo", "Bram", {})
    for text in ("Dark deck, wet ropes", "Forty frightened passengers", "The river is high"):
        table.make("mira", "aspect.add", text=text)
    gm, ann = table.sit("mira", "ann").gm, table.ann
    table.make("ann", "check.declare", title="Leap", **{"as": "juna", "approach": "quick"})
    table.make("mira", "check.oppose", difficulty="average")
    table.make("ann", "check.roll", faces="5 2 2")
    ann.until(BEFORE, [".menu-row", ".standing"])
    gm.until(BEFORE, [".outcome .result", ".standing"])
    expect(ann.page.locator(".menu-row").first).to_be_in_viewport(ratio=1)


def test_hope_asks_for_its_effect(come: Come) -> None:
    """Buying the row asks for words, which may stay empty."""
    table = Conflict(come, "ann")
    ann = table.ann
    for text in ("The guard is called away", ""):
        declared = {"as": "juna", "pool": "1 expertise", "difficulty": "mediocre"}
        table.make("ann", "check.declare", title="Leap", **declared)
        table.make("mira", "check.agree")
        ann.caught_up(table.make("ann", "check.roll", faces="6"))
        ann.page.locator(".menu-row", has_text="Accomplish something useful").click()
        form = ann.page.locator("dialog[open] form.form")
        words = form.locator("[data-ask=text]")
        expect(words).to_contain_text("What do you accomplish?")
        words.locator("input, textarea").fill(text)
        form.locator("button[type=submit]").click()
        expect(ann.page.locator("dialog[open]")).to_have_count(0)
        assert f"This follows: {text or 'something useful'}." in str(ann.log(table.id, "ann"))
        # It is true in the scene, for everybody to make use of.
        expect(ann.page.locator(".standing-list")).to_contain_text(text or "something useful")


def test_outcome_is_not_a_term_of_the_action(come: Come) -> None:
    """The title is followed by the attempt and opposition, before and after the outcome."""
    table = Conflict(come, "ann")
    ann = table.ann
    table.make("ann", "check.declare", title="Leap", **{"as": "juna", "approach": "quick"})
    table.make("mira", "check.oppose", difficulty="mediocre")
    ann.caught_up(table.make("ann", "check.roll", faces="6 6"))
    terms = ann.page.locator(".action-terms")
    expect(terms).to_have_text("Overcome \u00b7 Quick \u00b7 Mediocre")
    ann.caught_up(table.make("ann", "outcome.take", boost="Swift"))
    expect(terms).to_have_text("Overcome \u00b7 Quick \u00b7 Mediocre")


def test_character_lines_show_everything(come: Come) -> None:
    """Party strips fit on a large screen, and one's own fits three lines of a phone."""
    table = Conflict(come, "mira", "ann")
    gm, ann = table.gm, table.ann
    gm.resize(DESK)
    carried = "Cut across the ribs, and not for the first time this week"
    gm.caught_up(table.make("mira", "aspect.add", about="juna", text=carried, free=1))
    for guest, place in ((gm, ".party .strip[data-character=juna]"), (ann, ".mine")):
        strip = guest.page.locator(f"{place} .strip-carried")
        expect(strip).to_contain_text(f"{carried} (1 free invoke")
        assert strip.evaluate(
            "one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight"
        )
    # A note that is there twice is counted.
    for _ in range(2):
        table.make("mira", "compel.offer", who="juna", aspect=carried, text="Juna trips")
        table.make("ann", "compel.accept")
    expect(ann.page.locator(".mine .strip-carried")).to_contain_text("Juna trips\u00a0×2")
    # In a fight boxes stay a row, and a long note has a line of its own.
    gm.caught_up(table.make("mira", "conflict.begin", kind="physical", ally="the-miller"))
    ally = gm.page.locator(".fighter[data-character=the-miller] .fighter-notes")
    expect(ally).to_contain_text("On the players' side")
    notes = gm.page.locator(".fighter[data-character=juna] .fighter-notes")
    expect(notes.locator(".quiet")).to_contain_text(carried)
    tops = "one => new Set([...one.children].map((box) => box.getBoundingClientRect().top)).size"
    assert 1 == notes.locator(".strip-point").last.locator(".boxes, .filled").evaluate(tops)


def test_npc_taken_out_is_marked_in_the_scene(come: Come) -> None:
    """The GM's list of people says who is out, also when the conflict is over."""
    table = Conflict(come, "mira")
    gm = table.gm
    gm.resize(DESK)
    table.attack("ann")
    table.make("ann", "check.roll", faces="6 6 1 1 1")
    table.make("ann", "outcome.take", how="hit")
    people = gm.page.locator(".scene-one", has_text="The miller")
    expect(people).not_to_contain_text("out")
    table.make("mira", "harm.fall", text="The river takes him")
    expect(people).to_contain_text("out")
