"""Decisions over HTTP: suggestions, closed choices, changed proposals and hidden actions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from storypool import systems
from storypool.engine.events import Event
from storypool.engine.game.asks import Choice, ChoiceAsk
from storypool.engine.game.moves import move
from storypool.engine.game.system import System
from storypool.engine.game.turn import Turn
from storypool.words.languages import ENGLISH, Language
from tests.browsers import Browser, Party, serving
from tests.test_suggestions_and_proposals import GAME

ROWS = ChoiceAsk(
    "row",
    "Which?",
    lambda turn: [Choice("a", "One"), Choice("b", "Two", "2", "You have none left.")],
)


@move("toss.buy", asks=[ROWS])
def buy(turn: Turn) -> Iterator[Event]:
    """Buy a row"""
    yield turn.trait("fact", turn.text("row"))


TRUSTING = replace(GAME, moves=(*GAME.moves, buy))


@pytest.fixture
def party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Party]:
    """A table of a game where the GM decides the weights of an action."""
    found = systems.get

    def get(key: str, language: Language = ENGLISH) -> System:
        return TRUSTING if key == "tiny" else found(key, language)

    monkeypatch.setattr(systems, "get", get)
    with serving(tmp_path) as house:
        yield house.table()


def offer(browser: Browser, party: Party, key: str, query: str = "") -> dict[str, Any]:
    """A move as offered now."""
    offers = browser.get(f"{party.path}/offers{query}")["offers"]
    found: dict[str, Any] = next(one for one in offers if one["key"] == key)
    return found


def refusal(
    status: int, browser: Browser, party: Party, key: str, **args: object
) -> dict[str, Any]:
    """The refusal of a move."""
    return browser.refused(status, "POST", f"{party.path}/moves", move=key, args=args)


def test_form_has_suggestions_and_closed_choices(party: Party) -> None:
    """A question names its decider for this seat, and a choice its reason to be closed."""
    party.gm.move(party.id, "character.add", name="Brute")
    fields = ["name", "kind", "label", "choices", "default", "needed", "low", "high", "free"]
    fields += ["suggests", "decides", "preset"]
    for seat, key, whose in (
        (party.ann, "toss.try", (True, False)),
        (party.gm, "toss.try", (False, True)),
    ):
        asks = {ask["name"]: ask for ask in offer(seat, party, key)["asks"]}
        assert fields == list(asks["weight"])
        assert whose == (asks["weight"]["suggests"], asks["weight"]["decides"])
        assert (False, False) == (asks["title"]["suggests"], asks["title"]["decides"])
    [rows] = offer(party.ann, party, "toss.buy")["asks"]
    assert ["value", "label", "note", "closed", "remedy"] == list(rows["choices"][0])
    assert ["", "You have none left."] == [choice["closed"] for choice in rows["choices"]]
    no = refusal(400, party.ann, party, "toss.buy", row="b")
    assert ("row", "You have none left.") == (no["field"], no["text"])


def test_suggestion_is_shown_until_accepted(party: Party) -> None:
    """`suggested` is public; waiting moves have the code `agreed`, without an override."""
    party.ann.move(party.id, "toss.try", **{"as": "ilse", "weight": 2})
    for seat in (party.gm, party.ann, party.bo, party.vera):
        [check] = seat.get(party.path)["table"]["checks"].values()
        assert {"weight": "Weights 2"} == check["suggested"]
    closed = offer(party.ann, party, "check.roll")["closed"]
    assert ("agreed", False) == (closed["code"], closed["overridable"])
    assert "agreed" == refusal(409, party.ann, party, "check.roll")["code"]
    party.gm.move(party.id, "check.agree")
    [check] = party.ann.get(party.path)["table"]["checks"].values()
    assert {} == check["suggested"]
    party.ann.move(party.id, "check.roll")


def test_proposal_has_reservations_and_questions(party: Party) -> None:
    """It reserves symbols (`left`) and points (`owed`), and its preview has its questions."""
    party.ann.move(party.id, "toss.try", **{"as": "ilse"})
    party.ann.move(party.id, "toss.weights", weight=2)
    [proposal] = party.gm.get(party.path)["table"]["proposals"].values()
    assert ({}, {}) == (proposal["left"], proposal["owed"])
    body = {"move": "proposal.accept", "args": {"id": proposal["id"], "changes": "weight=3"}}
    seen = party.gm.post(f"{party.path}/preview", **body)
    assert (None, {"coin": 2, "weight": 3}) == (seen["refused"], seen["pool"])
    assert [("weight", False)] == [(ask["name"], ask["suggests"]) for ask in seen["proposed"]]
    wrong = party.gm.post(
        f"{party.path}/preview", **{**body, "args": {"id": proposal["id"], "changes": "weight=9"}}
    )
    assert "weight" == wrong["refused"]["field"]
    assert [] == party.ann.post(f"{party.path}/preview", **body)["proposed"]
    assert [] == party.gm.post(f"{party.path}/preview", move="check.agree")["proposed"]
    party.gm.move(party.id, "proposal.accept", id=proposal["id"], changes="weight=3")
    [check] = party.ann.get(party.path)["table"]["checks"].values()
    assert {"coin": 2, "weight": 3} == check["pool"]


def test_gm_names_the_action(party: Party) -> None:
    """Offers are about the open action or the `check` one; players see nothing of the other."""
    party.gm.move(party.id, "character.add", name="Brute")
    party.ann.move(party.id, "toss.try", **{"as": "ilse", "title": "climb"})
    paths = [party.path, f"{party.path}/offers", f"{party.path}/odds"]
    before = [without_numbers(party.ann.get(path)) for path in paths]
    party.gm.move(party.id, "toss.try", **{"as": "brute", "title": "listen"})
    assert before == [without_numbers(party.ann.get(path)) for path in paths]
    assert offer(party.gm, party, "check.reveal")["closed"] is not None
    named = offer(party.gm, party, "check.reveal", "?check=listen")["closed"]
    assert "An action is still going on: climb." == named["text"]
    assert "sight" == offer(party.ann, party, "check.roll", "?check=listen")["closed"]["code"]
    assert "Which one do you mean?" in refusal(400, party.gm, party, "check.roll")["text"]
    party.gm.move(party.id, "check.roll", check="listen")
    phases = {
        check["title"]: check["phase"]
        for check in party.gm.get(party.path)["table"]["checks"].values()
    }
    assert {"climb": "build", "listen": "rolled"} == phases
    assert before == [without_numbers(party.ann.get(path)) for path in paths]


def without_numbers(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without the number of the last record, which could reveal a record."""
    table = {key: value for key, value in answer.get("table", {}).items() if key != "seq"}
    return {**answer, "seq": 0, "table": table}
