"""What a player asks of another player: it waits for that player alone, and for nobody who may not
see it.
"""

from __future__ import annotations

from storypool.engine.offers import offer
from storypool.engine.waiting import waiting
from tests.games.tiny.game import SYSTEM
from tests.sample_table import Evening


def asking() -> Evening:
    """Ann has strain, and asks Bo to take some of it."""
    evening = Evening()
    evening.make("mona", "points.correct", account="pash.strain", to=2, why="a long day")
    evening.make("ann", "strain.share", {"as": "pash", "who": "oska"})
    return evening


def test_everybody_reads_who_is_asked() -> None:
    """Bo reads what is asked, Ann that Bo is to answer her; the move says beforehand who has to
    agree.
    """
    evening = asking()
    texts = {seat: waiting(SYSTEM, evening.table, seat)[0].text for seat in ("mona", "ann", "bo")}
    assert "Ann asks: Share your strain (Pash, Oska)" == texts["bo"]
    assert "Waiting for Bo to answer Ann: “Share your strain (Pash, Oska)”." == texts["mona"]
    assert "Waiting for Bo to answer you: “Share your strain (Pash, Oska)”." == texts["ann"]
    found = offer(SYSTEM, evening.table, "ann", "strain.share", {"as": "pash", "who": "oska"})
    assert (True, "Bo") == (found.approval, found.agrees)
    assert not offer(
        SYSTEM, evening.table, "bo", "strain.share", {"as": "oska", "who": "oska"}
    ).approval


def test_nobody_answers_for_a_player() -> None:
    """The GM cannot agree for Bo, not even by setting rules aside; the GM can say no."""
    evening = asking()
    (id,) = evening.table.proposals
    assert (
        "Only Bo can answer that."
        == evening.refused("mona", "proposal.accept", id=id, override=True).text
    )
    assert "when" == evening.refused("ann", "consent.give", id=id).code
    evening.make("mona", "proposal.decline", id=id)
    assert ({}, 0) == (evening.table.proposals, evening.table.balance("strain", "oska"))


def test_an_answer_is_taken_back() -> None:
    """The GM undoes what Bo agreed to, and Bo is asked again."""
    evening = asking()
    evening.make("bo", "consent.give")
    assert 1 == evening.table.balance("strain", "oska")
    evening.make("mona", "table.undo")
    assert (0, 1) == (evening.table.balance("strain", "oska"), len(evening.table.proposals))
    assert waiting(SYSTEM, evening.table, "bo")[0].yours


def test_what_a_player_may_not_see_is_not_asked_of_them() -> None:
    """A hidden character asks nobody who must not know of it."""
    evening = asking()
    evening.make("mona", "character.add", name="Shade", secret=True)
    no = evening.refused("mona", "strain.share", {"as": "shade", "who": "oska"})
    assert ("argument", "Those who would have to agree may not see that.") == (no.code, no.text)


def test_a_refused_consent_gives_no_secret_away() -> None:
    """What the GM asked and can no longer do is refused to the player without the choices that the
    GM has.
    """
    evening = Evening()
    evening.make("mona", "character.add", name="Brute")
    evening.make("mona", "points.correct", account="brute.strain", to=2, why="a long day")
    evening.make("mona", "strain.share", {"as": "brute", "who": "oska"})
    evening.make("mona", "character.add", name="Shade", secret=True)
    evening.make("mona", "character.give", who="brute", seat="ann")
    no = evening.refused("bo", "consent.give")
    assert "This can no longer be done as it was asked." == no.text
    evening.make("bo", "consent.refuse")
    assert {} == evening.table.proposals
