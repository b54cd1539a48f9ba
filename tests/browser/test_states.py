"""Every state of every game at both screen sizes has no fault that a program can find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import pytest
from playwright.sync_api import expect

from storypool import systems
from storypool.engine import house as engine
from storypool.engine.fold import fold
from tests.browser.guests import DESK, PHONE, Come, Guest
from tests.browser.page_scripts import script
from tests.browser.presses import Presser
from tests.browser.test_access import TARGET, Reader, violations
from tools.states import TABLE, State, after, states
from tools.visits import House, act, arrive, tap, visit

GAMES = [key for key in systems.playable() if systems.package(key).startswith("storypool.systems")]


SPOKE = script("remember-news")
ALL_NEW = "() => { globalThis.spoke = undefined; }"
"""Forgets them: a reader who joins a table sees its last announcement."""


LOOK = script("look")


class Look:
    """A window of a size and theme for the check of states."""

    def __init__(
        self, size: Mapping[str, int], theme: Literal["light", "dark"], reader: Reader
    ) -> None:
        self.size, self.theme, self.reader = size, theme, reader

    def taken(self, guest: Guest) -> None:
        """Set the guest's window to this."""
        guest.page.emulate_media(color_scheme=self.theme)
        guest.resize(self.size)

    def troubles(self, guest: Guest, every: bool = False) -> list[str]:
        """The faults of a guest's page; with `every`, in large text too if nothing is new."""
        given = {
            "phone": self.size is PHONE,
            "known": self.reader.known,
            "least": TARGET,
            "every": every,
        }
        seen = guest.page.evaluate(LOOK, given)
        self.reader.take(seen["kinds"])
        axe = []
        if self.reader.anything_new:
            axe = violations(guest, whole=self.reader.whole)
        return [f"{self.theme}: {one}" for one in [*seen["found"], *axe, *guest.troubles]]


ELSEWHERE = """() => {
    scrollTo(0, document.body.scrollHeight);
    document.querySelector('.middle').scrollTo(0, 1e6);
}"""
"""The reader has scrolled down."""


def looks() -> list[Look]:
    """A dark phone, and a large light screen."""
    reader = Reader()
    return [Look(PHONE, "dark", reader), Look(DESK, "light", reader)]


def chosen(key: str) -> list[State]:
    """The states of a game in the fixed set; shared ones are each tried in one game.

    Of Genesys, which shares its rules with Star Wars, they are those that Star Wars has not.
    """
    twin = {state.name for state in states("starwars")} if key == "genesys" else set[str]()
    found = [state for state in states(key) if state.shared or state.name not in twin]
    shared = [state.name for state in found if state.shared]
    own = shared[GAMES.index(key) :: len(GAMES)]
    return [state for state in found if not state.shared or state.name in own]


def seats_beside(state: State) -> list[State]:
    """The state in the views of the GM, a player and a spectator, except its own seat."""
    if not state.records or state.path != TABLE:
        return []
    live = replace(state.live, shown=".table")
    table = fold(live.records)
    own = table.seats[state.seat]
    # A seat that the last move frees sees nothing of what comes of it.
    stay = {seat.id for seat in fold(state.records).seats.values() if seat.here}
    sides = {
        seat.side: seat
        for seat in reversed(list(table.seats.values()))
        if seat.id in stay and seat is not own
    }
    if own.side != "player":
        sides.pop(own.side, None)
    beside = [replace(live, seat=seat.id) for side, seat in sides.items() if side != "spectator"]
    if own.side != "spectator":
        nell = engine.take_seat(systems.get(state.game), table, "Nell", "spectator")
        beside.append(replace(live, records=after(live.records, [nell]), seat=nell.seat.id))
    return [replace(one, name=f"{state.name}, to {one.seat}") for one in beside]


LARGE = "(large) => { document.documentElement.style.fontSize = large ? '200%' : ''; }"
"""Sets the size of the text."""


class Walk:
    """A walk through a game's states: the window of each, and its faults."""

    def __init__(self, come: Come, house: House) -> None:
        self.come, self.house, self.order = come, house, looks()
        self.regular = come(self.order[0].size, regular=True)
        self.wrong: dict[str, list[str]] = {}

    def enter(self, state: State, live: bool, large: bool = False) -> Guest:
        """Open a state in the current window; if `live`, its last move comes out of sight."""
        shown, state = state.shown, state.live if live else state
        alone = state.new or state.path == "/"
        visitor = self.come(self.order[0].size, regular=not state.new) if alone else self.regular
        self.order[0].taken(visitor)
        speaks = (*state.others, state.then.seat) if state.then else state.others
        arrive(visitor, self.house, replace(state, others=speaks))
        visitor.page.evaluate(ALL_NEW)
        if state.taps:
            # A reader who has tapped something reads that, wherever on the page it is.
            visitor.still()
            visitor.page.evaluate(SPOKE)
        tap(visitor, state)
        visitor.page.evaluate(LARGE, large)
        if state.then:
            visitor.page.evaluate(SPOKE)
            visitor.go_elsewhere()
            visitor.caught_up(act(visitor, state.then))
            visitor.see(shown)
        return visitor

    def dress(self, visitor: Guest, large: bool) -> None:
        """Show the open state in the current window, with text of this size."""
        self.order[0].taken(visitor)
        visitor.page.evaluate(LARGE, large)

    def look(self, state: State, visitor: Guest) -> None:
        """Check the entered state in the current window and then in the other."""
        self.note(state, self.order[0].troubles(visitor, every=True))
        # The next state is opened as this one is seen last.
        self.order.reverse()
        self.order[0].taken(visitor)
        self.note(state, self.order[0].troubles(visitor, every=True))

    def press(self, state: State, visitor: Guest, presser: Presser, large: bool = False) -> None:
        """Press the buttons that no earlier state had, with text of this size."""
        visitor.page.evaluate(LARGE, large)
        what = "is dead at twice the size" if large else "is dead"
        dead = [f"{what}: {one}" for one in presser.dead(visitor, whole=state.shared)]
        self.note(state, [*dead, *visitor.troubles])
        visitor.page.evaluate(LARGE, False)

    def note(self, state: State, found: list[str]) -> None:
        """Record the faults of a state."""
        if found:
            self.wrong.setdefault(state.name, []).extend(found)


@pytest.mark.parametrize("key", GAMES)
def test_no_state_has_a_fault(come: Come, house: House, key: str) -> None:
    """On a phone axe and the browser find nothing, and nothing is too wide or covered."""
    walk = Walk(come, house)
    for state in chosen(key):
        visitor = walk.enter(state, live=False)
        walk.note(state, walk.order[0].troubles(visitor))
        visitor.troubles.clear()
    assert {} == walk.wrong, walk.wrong


@pytest.mark.exhaustive
@pytest.mark.parametrize("key", GAMES)
def test_no_state_has_a_fault_in_another_window(come: Come, house: House, key: str) -> None:
    """The same holds on a dark phone and a large light screen, at both text sizes.

    The last move is made while the page is open, and other seats look too. New buttons of each
    state are pressed, at both text sizes.
    """
    walk, small, large = Walk(come, house), Presser(), Presser()
    for state in states(key):
        visitor = walk.enter(state, live=False)
        walk.look(state, visitor)
        walk.press(state, visitor, small)
        seen = False
        for n, in_large in enumerate((False, False, True, True)):
            if n:
                walk.order.reverse()
            # Where no move leads to it, one page is looked at in all sizes until something is
            # pressed on it.
            if seen and state.live.then is None:
                walk.dress(visitor, in_large)
            else:
                visitor = walk.enter(state, live=True, large=in_large)
            walk.note(state, walk.order[0].troubles(visitor, every=not in_large))
            if in_large:
                walk.press(state, visitor, large, large=True)
            seen = not in_large
        visitor.troubles.clear()
        walk.order.reverse()
        for beside in seats_beside(state):
            visitor = walk.enter(beside, live=True)
            walk.look(beside, visitor)
            visitor.troubles.clear()
    assert {} == walk.wrong, walk.wrong


NEWS = [("c2d10", "turn-player"), ("destinydice", "attacked-gm"), ("dune", "keep-gm")]


@pytest.mark.parametrize(("key", "name"), NEWS)
def test_effects_of_a_move_are_in_sight(come: Come, house: House, key: str, name: str) -> None:
    """Dice come into view with their turn, a scrolled dock shows its question, notices fit."""
    walk, state = Walk(come, house), next(state for state in states(key) if state.name == name)
    for large in (False, True):
        visitor = walk.enter(state, live=True, large=large)
        walk.note(state, walk.order[0].troubles(visitor))
    assert {} == walk.wrong


def test_fallen_characters_card_stays_in_sight(come: Come, house: House) -> None:
    """Redrawn on a phone, the card is scrolled into view at twice the text size."""
    walk = Walk(come, house)
    state = next(state for state in states("genesys") if state.name == "beyond-gm")
    for beside in (state, *seats_beside(state)):
        # First on a large screen, then on the phone.
        walk.order.sort(key=lambda look: look.size is PHONE)
        visitor = walk.enter(beside, live=True)
        walk.look(beside, visitor)
    assert {} == walk.wrong


def test_closed_reason_is_above_the_forms_foot(come: Come, house: House) -> None:
    """At large text the foot would be half a phone high, and the reason is below the answers."""
    walk, state = (
        Walk(come, house),
        next(one for one in states("dune") if one.name == "turn.players-player"),
    )
    guest = walk.enter(state, live=True, large=True)
    guest.awake()
    guest.page.locator(".dock [data-change='conflict.attack']").click()
    target = guest.page.locator("dialog[open] fieldset.picks", has_text="Target")
    for who in ("Swordmaster", "Envoy"):
        guest.page.locator("dialog[open]").evaluate("one => one.scrollTo(0, 0)")
        target.locator("label.pick", has_text=who).locator("input").dispatch_event("click")
        expect(target.locator(".why")).to_contain_text(f"{who}: A defeat has put")
        guest.still()
        foot, why = (
            target.page.locator(f"dialog[open] {one}") for one in (".form-foot", ".why:not(:empty)")
        )
        clear = """([foot, why]) => why.getBoundingClientRect().bottom
            <= Math.min(foot.getBoundingClientRect().top, innerHeight) + 1"""
        assert guest.page.evaluate(clear, [foot.element_handle(), why.element_handle()])


BREAK = script("break-page")


def test_faults_are_found(come: Come, house: House) -> None:
    """Unnamed, covered or dead buttons, wide paragraphs and complaints are found.

    So are announcements of missing waits, locks without a reason, and cut letters.
    """
    guest, [phone, _] = come(PHONE, regular=True), looks()
    phone.taken(guest)
    visit(guest, house, next(state for state in states("genesys") if state.name == "spectator"))
    assert [] == phone.troubles(guest)
    guest.page.evaluate(BREAK)
    found = "\n".join(phone.troubles(guest))
    mistakes = (
        "button-name",
        "is covered",
        "runs out of the window",
        "too wide",
        "a mistake",
        "twice the size",
    )
    more = (
        "out of sight",
        "no word",
        "reads badly",
        "loses the feet",
        "A lock",
        "neither a word nor a sign",
        "Godot",
        "is cut without a way to the whole",
    )
    others = "not for people", "different moves", "A tall lock", "stands twice"
    assert [] == [one for one in (*mistakes, *more, *others) if one not in found]
    # Movement after a press counts as its effect: on a busy machine it is pressed again.
    guest.still()
    tries = (Presser().dead(guest, whole=False) for _ in range(5))
    assert 1 == len(next(filter(None, tries)))
    guest.troubles.clear()
