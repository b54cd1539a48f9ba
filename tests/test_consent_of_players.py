"""A player's request to another player waits only for that player, and hides secrets."""

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


def test_request_is_visible_to_both_players() -> None:
    """Bo reads the request, Ann that Bo must answer; the move names who must agree."""
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


def test_gm_cannot_agree_for_a_player() -> None:
    """The GM cannot agree for Bo, even by an override, but can say no."""
    evening = asking()
    (id,) = evening.table.proposals
    assert (
        "Only Bo can answer that."
        == evening.refused("mona", "proposal.accept", id=id, override=True).text
    )
    assert "when" == evening.refused("ann", "consent.give", id=id).code
    evening.make("mona", "proposal.decline", id=id)
    assert ({}, 0) == (evening.table.proposals, evening.table.balance("strain", "oska"))


def test_answer_is_undone() -> None:
    """The GM undoes Bo's consent, and Bo is asked again."""
    evening = asking()
    evening.make("bo", "consent.give")
    assert 1 == evening.table.balance("strain", "oska")
    evening.make("mona", "table.undo")
    assert (0, 1) == (evening.table.balance("strain", "oska"), len(evening.table.proposals))
    assert waiting(SYSTEM, evening.table, "bo")[0].yours


def test_players_are_not_asked_about_secrets() -> None:
    """A hidden character's move asks nobody who must not know of it."""
    evening = asking()
    evening.make("mona", "character.add", name="Shade", secret=True)
    no = evening.refused("mona", "strain.share", {"as": "shade", "who": "oska"})
    assert ("argument", "Those who would have to agree may not see that.") == (no.code, no.text)


def test_refused_consent_reveals_nothing() -> None:
    """The refusal of an outdated GM request gives the player none of the GM's choices."""
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
