"""The weapons, talents and statements of an NPC: the rules use them, players read those shown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from storypool.engine.copies import replace
from storypool.engine.events import TraitSet
from storypool.engine.fold import fold, fold_on
from storypool.engine.offers import offer, offers
from storypool.engine.sight import copy_for, seen, view
from storypool.engine.table import Table, Trait
from storypool.engine.waiting import waiting
from storypool.live.folded import Step
from storypool.live.previews import rolls_of_sheet
from storypool.log.export import export_lines
from storypool.systems import get
from storypool.web.prints.printed_sheets import paper_page
from storypool.web.wire import encode, offer_data, plain, table_data, written
from storypool.worth.session import session_recap
from storypool.worth.weighing import weighed
from tests.sample_table import Evening

GIVEN: dict[str, tuple[dict[str, object], ...]] = {
    "starwars": ({"move": "weapon.add", "who": "vane", "name": "Boneglass saw", "skill": "melee"},),
    "genesys": ({"move": "weapon.add", "who": "vane", "name": "Boneglass saw", "skill": "melee"},),
    "c2d10": (),
    "destinydice": ({"move": "stunt.add", "who": "vane", "text": "Whistles storms up"},),
    "dune": (
        {
            "move": "sheet.write",
            "who": "vane",
            "kind": "focus",
            "at": "move",
            "text": "Walks a rope in the wind",
        },
        {"move": "character.set", "who": "vane", "sheet": "rank=3"},
        {"move": "npc.ability", "who": "vane", "ability": "threat", "benefit": "A hawk comes"},
    ),
}
"""What an NPC has in each game, besides what a ready-made hero brings."""
ACTS: dict[str, dict[str, object]] = {
    "starwars": {"weapon": "Boneglass saw", "skill": "melee", "difficulty": "average"},
    "genesys": {"weapon": "Boneglass saw", "skill": "melee", "difficulty": "average"},
    "c2d10": {"skill": "notice", "talent": "logic", "dc": "1"},
    "destinydice": {"approach": "clever", "difficulty": "fair"},
    "dune": {"skill": "battle", "drive": "duty", "difficulty": "1"},
}
"""What the NPC does in the open."""


def evening_of(game: str, secret: bool = False) -> Evening:
    """A table of this game with an NPC, Vane, who has everything that the game can give."""
    # A table that refuses nothing asks every question.
    evening = Evening(get(game), enforcement="log")
    sheet = evening.system.ready[0]["sheet"]
    evening.make("mona", "character.add", name="Vane", sheet=sheet, secret=secret)
    for given in GIVEN[game]:
        args = {name: value for name, value in given.items() if name != "move"}
        evening.make("mona", str(given["move"]), args)
    evening.make("mona", "check.declare", {"as": "vane", **ACTS[game]})
    return evening


def of_the_sheet(evening: Evening) -> list[Trait]:
    """The traits that are part of the sheet of the NPC."""
    return evening.table.of_kind(*evening.system.sheet_traits, about="vane")


def sent(evening: Evening, seat: str) -> Iterator[str]:
    """Everything that a seat is sent of a table: records, table, offers, waits, exports, paper."""
    system, table, who = evening.system, evening.table, evening.table.seats[seat]
    before = Table()
    for record in evening.records:
        after = fold_on(before, [record], lambda seq: fold(evening.records[:seq]))
        yield written(Step(record, before, after), who, system).decode()
        before = after
    yield encode(table_data(table, who, system)).decode()
    yield b"".join(export_lines(copy_for(evening.records, who))).decode()
    yield str(paper_page(system, seen(table, who), who))
    yield encode(plain(waiting(system, table, seat))).decode()
    yield repr(weighed(system, table, seat))
    yield repr(rolls_of_sheet(system, table, who, "vane", {}))
    yield from (encode(offer_data(one)).decode() for one in offers(system, table, seat))
    # A request may name anybody in any answer.
    for move in system.moves:
        if who.side in move.by:
            asks = {ask.name for ask in move.asks} & {"as", "who", "whose", "against", "about"}
            for args in (dict.fromkeys(asks, "vane"), *({ask: "vane"} for ask in asks)):
                yield encode(offer_data(offer(system, table, seat, move.key, args))).decode()


def read_words(evening: Evening, seat: str, *traits: Trait) -> set[str]:
    """The texts of these traits that are in anything that the seat is sent."""
    everything = "\n".join(sent(evening, seat))
    return {trait.text for trait in traits if encode(trait.text).decode()[1:-1] in everything}


@pytest.mark.parametrize("game", GIVEN)
@pytest.mark.parametrize("secret", [False, True])
def test_players_read_shown_traits_of_an_npc(game: str, secret: bool) -> None:
    """Its weapons, talents and statements are the GM's until one of them, or all, are shown."""
    evening = evening_of(game, secret)
    # A stunt that is written down in secret is hidden on its own.
    traits = [trait for trait in of_the_sheet(evening) if not trait.hidden or trait.shown_with]
    words = {trait.text for trait in traits}
    assert bool(evening.system.sheet_traits) == (len(words) > 2)
    assert words == read_words(evening, "mona", *traits)
    for what in ("hidden", *(trait.id for trait in traits[:1]), "all"):
        assert (what == "all") or set() == read_words(evening, "ann", *traits)
        if what == "hidden" and not secret:
            continue
        args = {"who": "vane"} | ({} if what == "hidden" else {"what": what})
        evening.make("mona", "character.show", args)
        if what not in ("hidden", "all"):
            assert {traits[0].text} == read_words(evening, "ann", *traits)
            own = fold(view(evening.records, evening.table.seats["ann"]))
            assert own.traits == seen(evening.table, evening.table.seats["ann"]).traits
            evening.make("mona", "table.undo")
    for seat in ("ann", "vera"):
        assert words == read_words(evening, seat, *traits)
        assert fold(view(evening.records, evening.table.seats[seat])).traits.keys() >= {
            trait.id for trait in traits
        }
    assert "only_if" == evening.refused("mona", "character.show", who="vane").code


def test_npc_given_to_a_player_brings_its_sheet() -> None:
    """All players read the statements of a character whom one of them plays."""
    evening = evening_of("dune")
    traits = of_the_sheet(evening)
    evening.make("mona", "character.give", who="vane", seat="ann")
    assert {trait.text for trait in traits} == read_words(evening, "bo", *traits)


def test_answers_find_no_statement_of_an_npc() -> None:
    """Neither a refused answer nor a request lists a statement that its seat does not read."""
    evening = evening_of("dune")
    statement = evening.table.of_kind("statement", about="vane", at="duty")[0]
    choice = {"skill": "battle", "drive": "duty"}
    wrong = evening.refused("ann", "check.drive", choice, fit="yes")
    assert statement.text not in wrong.text
    evening.make("ann", "check.drive", choice, fit="applies")
    evening.make("mona", "table.settings", option="enforcement", value="strict")
    choice["fit"] = "applies"
    evening.make("ann", "check.drive", choice, override=True)
    assert evening.table.proposals
    assert set() == read_words(evening, "ann", statement)
    evening.make("mona", "check.drive", choice)
    assert {statement.text} == read_words(evening, "ann", statement)


def test_recap_of_the_gm_quotes_no_note_on_a_sheet() -> None:
    """A recap is shown around, so it quotes a statement of an NPC only if everybody reads it."""
    evening = evening_of("dune")
    found = session_recap(evening.records, evening.system, chances=False)
    assert "Walks a rope in the wind" not in repr(found)


def test_notes_on_a_sheet_of_an_npc_stay_secret() -> None:
    """Players see neither the move that gives an NPC a weapon nor its undo, and undo their own."""
    evening = Evening(get("starwars"))
    evening.make("mona", "character.add", name="Vane")
    ann, start = evening.table.seats["ann"], len(evening.records)
    known = seen(evening.table, ann)
    evening.make("mona", "weapon.add", who="vane", name="Boneglass saw", skill="melee")
    assert ["weapon"] == [trait.kind for trait in of_the_sheet(evening)]
    evening.make("mona", "table.undo")
    assert [] == of_the_sheet(evening)
    assert {None} == {record.event for record in view(evening.records, ann)[start:]}
    assert known == replace(seen(evening.table, ann), seq=known.seq)


def test_statement_of_an_older_log_stays_in_sight() -> None:
    """What everybody has been sent once is sent to everybody when it changes."""
    evening = Evening(get("dune"))
    evening.make("mona", "character.add", name="Vane", sheet="duty=7 faith=6")
    old = Trait("t99", "statement", "The old oath", "vane", at="duty")
    evening.keep([TraitSet(old)], "mona")
    for drive, text in (("duty", "A new oath"), ("faith", "No god but water")):
        given = {"who": "vane", "kind": "statement", "at": drive, "text": text}
        evening.make("mona", "sheet.write", given)
    own = fold(view(evening.records, evening.table.seats["ann"]))
    assert ["A new oath"] == [trait.text for trait in own.traits.values()]
    assert 2 == len(of_the_sheet(evening))
