"""The game masters' page performed: each numbered step is read and pressed on the page.

A step is plain English. The actor is named before a verb: "Ann presses **Roll**", and an order
without a name is for the game master: "Press **New table**". Bold words are the words of the page;
typed text is marked as code.

- press **A**, then **B**: buttons, one after the other - choose **A**, or choose **A** under **B**:
an answer, or the answer to the question B - type `A` under **B**: into a field - read **A**: it can
be seen - whose dice show `1 2 3`: the faces that the previous button rolls
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Locator, Request, expect

from storypool import systems
from tests.browser.guests import WAIT, Guest
from tools.seeded_dice import SeededDice

PAGE = Path(__file__).parents[2] / "docs" / "game-masters.md"
GAMES = {
    systems.get(key).name: key
    for key in systems.playable()
    if systems.package(key).startswith("storypool.")
}
"""The games of this project by their names on the page."""
GM = "You"
PLAYERS = ("Ann", "Bo")
EVERYONE = "Everyone"
WHO = "|".join((GM, *PLAYERS, EVERYONE))
VERBS = ("press", "choose", "type", "read", "open")
TOKEN = re.compile(
    r"\*\*(?P<bold>.+?)\*\*|`(?P<typed>[^`]+)`|!\[(?P<whose>\w+)[^\]]*\]\((?P<picture>[^)]+)\)"
    rf"|(?:^|(?<=[.;:]\s))(?P<subject>{WHO})\b(?!\s+(?:{'|'.join(VERBS)}))"
    rf"|\b(?:(?P<who>{WHO}|he|she)\s+)?(?P<verb>{'|'.join(VERBS)})(?:e?s)?\b"
    r"|\b(?P<under>under)\b|\b(?P<dice>(?:dice|die)\s+shows?)\b|(?P<place>\byour\s+game\b|\bthe\s+link\b)|(?P<end>[.;:](?=\s|$))",
    re.IGNORECASE,
)

DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""A promise that resolves after the page has been drawn once more."""


class Act(NamedTuple):
    """An action or observation of one person: a verb, its object, and its field or dice."""

    who: str
    verb: str
    what: str
    under: str = ""
    dice: str = ""


class Step(NamedTuple):
    """A numbered step: its text, actions and pictures, each with the owner of its page."""

    text: str
    acts: tuple[Act, ...]
    pictures: tuple[tuple[str, str], ...]


def steps(game: str, page: str | None = None) -> list[Step]:
    """The steps of a game's first evening: the shared ones and its own, in order."""
    found = []
    for part in re.split(r"^## ", page or PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        heading, _, text = part.partition("\n")
        if heading not in GAMES or heading == game:
            numbered = re.findall(r"^\d+\. (.*\n(?:\n? {3}.*\n)*)", text, re.MULTILINE)
            found += [step(" ".join(one.split()), game) for one in numbered]
    return found


def step(text: str, game: str) -> Step:
    """The actions in a step. Marked words that belong to no verb are an error of the page."""
    acts, pictures, who, verb, under, dice = (
        list[Act](),
        list[tuple[str, str]](),
        GM,
        "",
        False,
        False,
    )
    for token in TOKEN.finditer(text):
        kind, value = token.lastgroup, token[token.lastgroup or 0]
        if token["verb"]:
            # An order begins with a capital, and is the game master's; without a name who was named
            # last goes on.
            order = token["verb"][0].isupper()
            if token["who"] and token["who"].lower() in ("he", "she"):
                assert who in PLAYERS, f"nobody knows who that is: {text}"
            else:
                who = token["who"].capitalize() if token["who"] else GM if order else who
            verb, under = token["verb"].lower(), False
        elif kind == "subject":
            who = value
        elif kind == "end":
            verb, under, dice = "", False, False
        elif kind == "under":
            under = bool(verb)
        elif kind == "dice":
            dice = True
        elif token["picture"]:
            pictures.append((GM if token["whose"] == "Your" else token["whose"], token["picture"]))
        elif kind == "typed" and dice:
            acts[-1], dice = acts[-1]._replace(dice=value), False
        elif kind == "bold" and under and acts:
            acts[-1], under = acts[-1]._replace(under=value), False
        elif kind == "place":
            acts += (
                [Act(who, verb, game if verb == "choose" else value)]
                if verb in ("choose", "open")
                else []
            )
        else:
            assert verb != "open", f"only the link is opened: {text}"
            assert (kind == "typed") == (verb == "type"), f"who does what with {value!r}? {text}"
            assert verb, f"nobody does anything with {value!r}: {text}"
            acts.append(Act(who, verb, value))
    assert all(act.under for act in acts if act.verb == "type"), f"typed into no field: {text}"
    return Step(text, tuple(acts), tuple(pictures))


def perform(act: Act, guest: Guest, gm: Guest) -> None:
    """Perform an action of the game masters' page on a guest's page. A link opens the GM's."""
    if act.verb == "open":
        guest.open(gm.page.get_by_label("The address of the link").input_value())
        return
    if (
        act.verb == "press"
        and "/t/" in guest.page.url
        and not guest.page.locator("dialog[open]").count()
    ):
        guest.up_to_date()
        guest.awake()
    if act.verb == "read":
        whole, part = (
            guest.page.get_by_text(act.what, exact=True),
            guest.page.locator(f"xpath=//*[{_text(act.what)}]"),
        )
        expect(whole.or_(part).filter(visible=True).first).to_be_visible()
    elif act.verb == "type":
        guest.top.get_by_label(_question(act.under)).fill(act.what)
    elif act.under:
        _answer(guest, act.under, act.what)
    else:
        _labelled(guest, act.what).click()


def _text(words: str) -> str:
    """The XPath of a text, which the page may keep on one line."""
    return f'text()[normalize-space(translate(., "\u00a0", " "))="{words}"]'


def _labelled(guest: Guest, label: str, field: str = "") -> Locator:
    """The tappable elements with this label as their name or text, anywhere or in a field."""
    found: Locator = guest.page.locator("body")

    def is_there() -> bool:
        nonlocal found
        # A sheet that was left is on top until it has gone.
        scope = _field(guest, field) if field else guest.top
        named = [scope.get_by_role(role, name=label, exact=True) for role in ("button", "link")]
        saying = scope.locator(
            "xpath=.//*[(self::button or self::label or self::summary or self::a) and"
            f" .//{_text(label)}]"
        )
        found = named[0].or_(named[1]).or_(saying).filter(visible=True).first
        return found.count() > 0

    _until(guest, is_there, f"there is no {label!r}")
    return found


def _until(guest: Guest, is_so: Callable[[], bool], otherwise: str) -> None:
    """Wait until a condition is true, while the page runs."""
    end = time.monotonic() + WAIT / 1000
    while not is_so():
        assert time.monotonic() < end, otherwise
        guest.page.wait_for_timeout(20)


def _field(guest: Guest, question: str) -> Locator:
    """The answer element of a question: a form field, or the chips below its words."""
    words = guest.page.get_by_text(_question(question))
    chips = guest.top.locator(".chips-caption").and_(words).locator("xpath=following-sibling::*[1]")
    return guest.top.locator("[data-ask]").filter(has=words).or_(chips).first


def _question(label: str) -> re.Pattern[str]:
    """The locator of a question by its words, which may be followed by notes of the page."""
    return re.compile(rf"^\s*{re.escape(label)}(\s+\(optional\))?(\s+needs the \w+'s OK)?\s*$")


def _answer(guest: Guest, question: str, answer: str) -> None:
    field = _field(guest, question)
    expect(field).to_be_visible()
    chosen, select = field.locator(".select.chosen"), field.locator("select")
    if select.count():
        select.select_option(label=answer)
    elif chosen.count():
        chosen.click()
        field.get_by_role("searchbox").fill(answer)
        field.locator(".search-one").filter(
            has=guest.page.get_by_text(answer, exact=True)
        ).first.click()
    else:
        _labelled(guest, answer, question).click()


class Moves:
    """The number of unanswered moves of the pages: their answers can change the page."""

    def __init__(self, guests: Mapping[str, Guest]) -> None:
        self.open = 0
        for guest in guests.values():
            guest.hear("request", lambda sent: self._count(sent, 1))
            guest.hear("requestfinished", lambda sent: self._count(sent, -1))
            guest.hear("requestfailed", lambda sent: self._count(sent, -1))

    def _count(self, sent: Request, by: int) -> None:
        self.open += by if sent.url.endswith("/moves") else 0


def play(
    game: str, guests: Mapping[str, Guest], dice: SeededDice, page: str | None = None
) -> Iterator[Step]:
    """Play a first evening of a game, and yield each step when it is done."""
    first, moves = systems.dice(GAMES[game]).DICE[0].first, Moves(guests)
    for one in steps(game, page):
        for act in one.acts:
            places = [int(face) - first for face in act.dice.split()]
            try:
                dice.give(places)
                for guest in guests.values() if act.who == EVERYONE else [guests[act.who]]:
                    perform(act, guest, guests[GM])
                    guest.page.evaluate(DRAWN)
                    _until(guest, lambda: not moves.open, "the server does not answer")
                    _until(guest, lambda: not dice.given, "it rolls fewer dice")
            except AssertionError as error:
                raise AssertionError(
                    f"{act.who} cannot {act.verb} {act.what!r}: {one.text}"
                ) from error
        yield one
