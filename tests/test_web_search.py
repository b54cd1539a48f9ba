"""Searching a seat's log in any case, without hints of hidden records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from storypool.engine.table import GM_ONLY
from storypool.web.endpoints import search_endpoints
from tests.browsers import Browser, House, Party, serving

pytestmark = pytest.mark.slow


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server."""
    with serving(tmp_path) as house:
        yield house


@pytest.fixture
def party(house: House) -> Party:
    """A table with text, an undo, secrets and points."""
    party = house.table()
    party.ann.move(party.id, "table.say", text="The Lantern is lit.")
    party.gm.move(party.id, "table.say", text="Who lit the lantern?")
    party.gm.move(party.id, "table.undo")
    party.gm.move(party.id, "trait.set", text="A lantern of bone", secret=True)
    party.gm.move(party.id, "points.correct", account="luck", to=2, why="the lantern")
    return party


def found(browser: Browser, party: Party, **query: object) -> list[str]:
    """The found sentences, without rewinds and starts of periods."""
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    records = browser.get(f"{party.path}/log/search?{asked}")["records"]
    kinds = ("table.rewound", "period.began")
    return [one["text"] for one in records if one["event"]["type"] not in kinds]


def test_words_are_found_in_any_order_and_case(party: Party) -> None:
    """Parts of words count too, and all of them must be there."""
    [text] = found(party.ann, party, words="LIT lant is")
    assert "The Lantern is lit." in text
    assert [] == found(party.ann, party, words="lantern ship")
    assert len(found(party.ann, party, words="lantern")) == 3


@pytest.mark.parametrize(
    "words", ["cafe", "CAFÉ,", "zoe\u0308", "Ｚｏｅ", "“nina’s”", "sorlie", "opens dusk."]
)
def test_words_are_found_in_any_spelling(party: Party, words: str) -> None:
    """Accents, composition, full width, quotes and punctuation make no difference."""
    party.gm.move(
        party.id, "table.say", text="The Cafe\u0301 Zoë, Niña's and Sørlie's, opens at dusk"
    )
    assert 1 == len(found(party.ann, party, words=quote(words)))


def test_hidden_text_is_not_found(party: Party) -> None:
    """The GM finds it; a player's answer is as if it did not exist."""
    assert any("bone" in text for text in found(party.gm, party, words="bone"))
    assert [] == found(party.ann, party, words="bone")
    assert [] == found(party.ann, party, kinds="trait.set")
    answer = party.ann.get(f"{party.path}/log/search?words=lantern")
    assert all(one["event"] is not None for one in answer["records"])


def test_person_is_found_by_moves_and_name(party: Party) -> None:
    """A seat has its own lines and those with its name; an unknown one has none."""
    assert not any("luck" in text for text in found(party.ann, party, who="ann"))
    assert any("Lantern" in text for text in found(party.ann, party, who="ann"))
    assert [] == found(party.ann, party, who="nobody")


def test_hidden_character_is_unknown_to_players(party: Party) -> None:
    """A player who guesses its id learns nothing from the search."""
    party.gm.move(party.id, "character.add", name="Zyq", secret=True)
    characters = party.gm.get(party.path)["table"]["characters"]
    [id] = [id for id, one in characters.items() if one["name"] == "Zyq"]
    assert tuple(characters[id]["seen_by"]) == GM_ONLY
    assert found(party.ann, party, who=id) == found(party.ann, party, who="nobody")


def test_kinds_and_rewinds(party: Party) -> None:
    """A search by kind also has every rewind, so that a reader can tell what was undone."""
    assert 2 == len(found(party.ann, party, kinds="words.said"))
    records = party.ann.get(f"{party.path}/log/search?kinds=points.set")["records"]
    assert {"points.set", "table.rewound", "period.began"} >= {
        one["event"]["type"] for one in records
    }
    assert any(one["event"]["type"] == "table.rewound" for one in records)


def test_log_is_searched_backwards(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests say how far they looked, find everything together, and end at record 1."""
    whole = [
        one["seq"] for one in party.ann.get(f"{party.path}/log/search?kinds=words.said")["records"]
    ]
    monkeypatch.setattr(search_endpoints, "MAX_SEARCHED_RECORDS", 3)
    before, parts = 0, list[int]()
    while before != 1:
        page = party.ann.get(f"{party.path}/log/search?kinds=words.said&before={before}")
        parts = [*[one["seq"] for one in page["records"]], *parts]
        assert page["before"] < (before or 1000)
        before = page["before"]
    assert whole == parts
    assert {"records": [], "before": 1} == party.ann.get(f"{party.path}/log/search?before=1")


def test_found_record_equals_the_logs(party: Party) -> None:
    """It is the same as in the log, to the byte."""
    log = {one["seq"]: one for one in party.bo.get(f"{party.path}/log")["records"]}
    assert all(
        log[one["seq"]] == one
        for one in party.bo.get(f"{party.path}/log/search?words=e")["records"]
    )


def test_invalid_search_is_refused(party: Party) -> None:
    """It gets one sentence."""
    party.ann.refused(400, "GET", f"{party.path}/log/search?before=-1")
    party.ann.refused(400, "GET", f"{party.path}/log/search?words={'x' * 5000}")
    party.house.browser().refused(401, "GET", f"{party.path}/log/search")
