"""Searching the log: what a seat reads is found, whatever its case; what it may not read is not,
and gives no hint.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from storypool.engine.table import GM_ONLY
from storypool.web.endpoints import search_endpoints
from tests.browsers import Browser, House, Party, serving


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A server."""
    with serving(tmp_path) as house:
        yield house


@pytest.fixture
def party(house: House) -> Party:
    """A table where something was written, taken back, hidden and counted."""
    party = house.table()
    party.ann.move(party.id, "table.say", text="The Lantern is lit.")
    party.gm.move(party.id, "table.say", text="Who lit the lantern?")
    party.gm.move(party.id, "table.undo")
    party.gm.move(party.id, "trait.set", text="A lantern of bone", secret=True)
    party.gm.move(party.id, "points.correct", account="luck", to=2, why="the lantern")
    return party


def found(browser: Browser, party: Party, **query: object) -> list[str]:
    """The sentences that are found, without rewinds and beginnings of periods."""
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    records = browser.get(f"{party.path}/log/search?{asked}")["records"]
    kinds = ("table.rewound", "period.began")
    return [one["text"] for one in records if one["event"]["type"] not in kinds]


def test_words_are_found_in_any_order_and_case(party: Party) -> None:
    """Parts of words too; all of them must be there."""
    [text] = found(party.ann, party, words="LIT lant is")
    assert "The Lantern is lit." in text
    assert [] == found(party.ann, party, words="lantern ship")
    assert len(found(party.ann, party, words="lantern")) == 3


@pytest.mark.parametrize(
    "words", ["cafe", "CAFÉ,", "zoe\u0308", "Ｚｏｅ", "“nina’s”", "sorlie", "opens dusk."]
)
def test_words_are_found_however_they_are_typed(party: Party, words: str) -> None:
    """Without accents or with them, composed or not, in full width, with any quotes and punctuation
    around.
    """
    party.gm.move(
        party.id, "table.say", text="The Cafe\u0301 Zoë, Niña's and Sørlie's, opens at dusk"
    )
    assert 1 == len(found(party.ann, party, words=quote(words)))


def test_nobody_finds_what_they_may_not_read(party: Party) -> None:
    """The game master finds the secret; a player gets neither its record nor another answer than
    without it.
    """
    assert any("bone" in text for text in found(party.gm, party, words="bone"))
    assert [] == found(party.ann, party, words="bone")
    assert [] == found(party.ann, party, kinds="trait.set")
    answer = party.ann.get(f"{party.path}/log/search?words=lantern")
    assert all(one["event"] is not None for one in answer["records"])


def test_a_person_is_found_by_what_they_did_and_by_their_name(party: Party) -> None:
    """A seat's own lines, and those that name it; an unknown seat has none."""
    assert not any("luck" in text for text in found(party.ann, party, who="ann"))
    assert any("Lantern" in text for text in found(party.ann, party, who="ann"))
    assert [] == found(party.ann, party, who="nobody")


def test_a_hidden_character_is_nobody_for_a_player(party: Party) -> None:
    """A player who guesses its id learns nothing from what is found."""
    party.gm.move(party.id, "character.add", name="Zyq", secret=True)
    characters = party.gm.get(party.path)["table"]["characters"]
    [id] = [id for id, one in characters.items() if one["name"] == "Zyq"]
    assert tuple(characters[id]["seen_by"]) == GM_ONLY
    assert found(party.ann, party, who=id) == found(party.ann, party, who="nobody")


def test_kinds_and_rewinds(party: Party) -> None:
    """A kind alone; every rewind comes along, so that a reader can tell what was taken back."""
    assert 2 == len(found(party.ann, party, kinds="words.said"))
    records = party.ann.get(f"{party.path}/log/search?kinds=points.set")["records"]
    assert {"points.set", "table.rewound", "period.began"} >= {
        one["event"]["type"] for one in records
    }
    assert any(one["event"]["type"] == "table.rewound" for one in records)


def test_the_log_is_looked_through_backwards(party: Party, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each request says how far it looked; together they find what one would, and end at the first
    record.
    """
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


def test_a_record_is_as_the_log_has_it(party: Party) -> None:
    """What is found is the same as in the log, to the byte."""
    log = {one["seq"]: one for one in party.bo.get(f"{party.path}/log")["records"]}
    assert all(
        log[one["seq"]] == one
        for one in party.bo.get(f"{party.path}/log/search?words=e")["records"]
    )


def test_nonsense_is_refused(party: Party) -> None:
    """With one sentence, as everywhere."""
    party.ann.refused(400, "GET", f"{party.path}/log/search?before=-1")
    party.ann.refused(400, "GET", f"{party.path}/log/search?words={'x' * 5000}")
    party.house.browser().refused(401, "GET", f"{party.path}/log/search")
