"""Encounters and packs of every game with people, and what the odds say of a fight."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from storypool.engine.copies import replace
from storypool.engine.game.turn import Turn
from storypool.engine.offers import offer
from storypool.engine.refusal import Refused
from storypool.engine.table import Character
from storypool.systems import get, part
from storypool.systems.supporting_cast import packs
from storypool.systems.supporting_cast.encounters import MOST_COMING, MOST_ENCOUNTERS, NPC
from storypool.systems.supporting_cast.packs import packed, read_pack
from storypool.worth.balance import Weight, weighed_rows
from tests.browsers import Party, serving
from tests.sample_table import Evening
from tests.test_papers import SEATS, received
from tests.test_ready_people import GAMES, belongings, every_game, listed

PREPARE, BRING = "encounter.prepare", "encounter.bring"
UNSEEN = "Thimblewick"


def npcs(evening: Evening) -> dict[str, Character]:
    """The GM's characters by name."""
    found = evening.table.characters.values()
    return {one.name: one for one in found if one.side == "gm"}


def pack_of(evening: Evening, *chosen: str) -> str:
    """The text of a pack with these NPCs and encounters."""
    turn = Turn(evening.system, evening.table, evening.table.seats["mona"], "")
    return packed(turn, part(evening.system.key, "encounters").CASTING, chosen)


def kept(evening: Evening) -> list[str]:
    """The ids of the encounters of a table."""
    return [one.id for one in evening.table.of_kind("encounter")]


@every_game
def test_encounter_is_prepared_in_secret_and_comes_at_once(game: str) -> None:
    """Players are sent nothing of it; then all arrive with free names, and one undo takes all."""
    evening, keys = Evening(get(game)), [*listed(game)]
    who = brought = listed(game)[keys[-1]]
    before = {seat: received(evening, seat) for seat in SEATS[1:]}
    rows = {"who1": keys[-1], "n1": 2, "who2": keys[0], "where": f"{UNSEEN} Lane"}
    evening.make("mona", PREPARE, rows, title=f"{UNSEEN} fight")
    evening.make("mona", "encounter.edit", rows, id=f"{UNSEEN} fight", title="Changed")
    pack = pack_of(evening, *kept(evening))
    evening.make("mona", "pack.take", pack=pack.replace("Changed", UNSEEN))
    assert ["Changed", UNSEEN] == [one.text for one in evening.table.of_kind("encounter")]
    assert before == {seat: received(evening, seat) for seat in SEATS[1:]}
    evening.refused("ann", BRING, id="Changed")
    # It is not among the facts: the tap that shows one would show who comes.
    for move in ("trait.show", "trait.remove"):
        evening.refused("mona", move, override=True, id=UNSEEN)
    evening.make("mona", "encounter.remove", id=UNSEEN)
    unarrived = evening.table
    assert BRING == evening.make("mona", BRING)[0].move  # type: ignore[union-attr]
    assert {brought, f"{who} 2", listed(game)[keys[0]]} <= set(npcs(evening))
    assert not any(UNSEEN in text for seat in SEATS[1:] for text in received(evening, seat))
    assert any(who in text for text in received(evening, "ann"))
    evening.make("mona", "table.undo")
    assert unarrived.characters == evening.table.characters
    assert unarrived.traits == evening.table.traits
    evening.make("mona", BRING, secret=True)
    assert all(one.hidden for one in npcs(evening).values())


@every_game
def test_copies_of_npcs_come_as_they_are_now(game: str) -> None:
    """A hidden one may come in the open, as a template: its copies give nothing of it away."""
    evening, keys = Evening(get(game)), [*listed(game)]
    evening.make("mona", "character.bring", person=keys[-1], secret=True, name="Hidden one")
    [hidden] = npcs(evening).values()
    evening.make("mona", PREPARE, title="Copies", who1=NPC + hidden.id, n1=2)
    evening.make("mona", BRING)
    copies = [one for one in npcs(evening).values() if not one.hidden]
    assert ["Hidden one", "Hidden one 2"] == [one.name for one in copies]
    for copy in copies:
        assert hidden.sheet == copy.sheet
        assert belongings(evening, hidden.id) == belongings(evening, copy.id)
        assert not copy.id.startswith(hidden.id)
    evening.make("mona", "character.leave", who=hidden.id)
    assert "argument" == evening.refused("mona", BRING, id="Copies").code


def test_numbers_of_a_group_follow_its_size() -> None:
    """So many minions are one character, whose wounds are those of all; so are copies of it."""
    evening = Evening(get("starwars"))
    evening.make("mona", PREPARE, title="Gate", who1="dock-guards", n1=5)
    evening.make("mona", BRING)
    [five] = npcs(evening).values()
    assert (5, 25) == (five.rating("minions"), five.rating("wound-threshold"))
    evening.make("mona", "encounter.edit", id="Gate", title="Gate", who1=NPC + five.id, n1=2)
    evening.make("mona", BRING)
    two = npcs(evening)["Dock guards 2"]
    assert (2, 10) == (two.rating("minions"), two.rating("wound-threshold"))
    asks = offer(evening.system, evening.table, "mona", PREPARE, {"who1": NPC + five.id}).asks
    assert 5 == next(ask.default for ask in asks if ask.name == "n1")
    evening = Evening(get("destinydice"))
    evening.make("mona", PREPARE, title="Bridge", who1="bridge-guards", n1=8)
    evening.make("mona", BRING)
    assert [4] == [one.rating("stress") for one in npcs(evening).values()]


@pytest.mark.parametrize("game", ["dune", "starwars", "genesys"])
def test_arrivals_stand_in_a_zone_of_the_board(game: str) -> None:
    """The one that the place names, or another; a hidden one is placed unseen."""
    evening = Evening(get(game))
    for zone in ("The stairs", "The court"):
        evening.make("mona", "zone.add", text=zone)
    stairs, court = (one.id for one in evening.table.of_kind("zone"))
    rows = {"who1": [*listed(game)][-1], "n1": 2, "where": "the Court"}
    evening.make("mona", PREPARE, rows, title="Guards")
    evening.make("mona", BRING)
    evening.make("mona", BRING, zone=stairs)
    before = received(evening, "ann")
    evening.make("mona", BRING, secret=True)
    assert before == received(evening, "ann")
    places = [one.at for one in evening.table.of_kind("place")]
    assert [court, court, stairs, stairs, court, court] == places
    assert {one.at for one in evening.table.of_kind("asset")} <= set(places)


def test_encounters_have_their_limits() -> None:
    """Of what comes at once, and of what a table keeps; a form begins with what was prepared."""
    evening = Evening(get("dune"))
    rows = {f"who{n}": "house-guards" for n in range(1, 4)} | {f"n{n}": 12 for n in range(1, 4)}
    assert str(MOST_COMING) in evening.refused("mona", PREPARE, rows, title="All").text
    evening.make("mona", PREPARE, title="Few", who1="house-guards", n1=3, hidden=True)
    [id] = kept(evening)
    asks = offer(evening.system, evening.table, "mona", "encounter.edit", {"id": id}).asks
    presets = {ask.name: ask.preset for ask in asks}
    assert ("Few", "house-guards") == (presets["title"], presets["who1"])
    asks = offer(
        evening.system, evening.table, "mona", "encounter.edit", {"id": id, "who1": "house-guards"}
    ).asks
    assert (3, True) == tuple(ask.default for ask in asks if ask.name in ("n1", "hidden"))
    trait = evening.table.traits[id]
    many = {f"e{n}": replace(trait, id=f"e{n}") for n in range(MOST_ENCOUNTERS)}
    full = replace(evening.table, traits=many)
    closed = offer(evening.system, full, "mona", PREPARE, {}).closed
    assert closed is not None
    assert str(MOST_ENCOUNTERS) in closed.text


@every_game
def test_pack_brings_people_and_encounters_to_another_table(game: str) -> None:
    """With sheet and belongings, hidden, under free names; encounters name those who came."""
    evening, keys = Evening(get(game)), [*listed(game)]
    for key in keys[::9]:
        evening.make("mona", "character.bring", person=key)
    first = next(iter(npcs(evening).values()))
    rows = {"who1": NPC + first.id, "who2": keys[-1], "where": "Under the bridge"}
    evening.make("mona", PREPARE, rows, title="Both")
    text = pack_of(evening, *evening.table.characters, *kept(evening))
    other = Evening(get(game))
    other.make("mona", "character.add", name=first.name, secret=True)
    before = {seat: received(other, seat) for seat in SEATS[1:]}
    blank = other.table
    turn = Turn(other.system, other.table, other.table.seats["mona"], "pack.take")
    assert [] == read_pack(turn, part(game, "encounters").CASTING, text).left_out
    other.make("mona", "pack.take", pack=text)
    assert before == {seat: received(other, seat) for seat in SEATS[1:]}
    came = {one.name: one for one in npcs(other).values()}
    for name, one in npcs(evening).items():
        copy = came[f"{name} 2" if name == first.name else name]
        assert (one.sheet, True) == (copy.sheet, copy.hidden)
        ours, theirs = belongings(evening, one.id), belongings(other, copy.id)
        assert {(kind, rating) for kind, _, rating in ours} == {
            (kind, rating) for kind, _, rating in theirs
        }
    other.make("mona", BRING, id="Both")
    arrived = [one for one in npcs(other).values() if not one.hidden]
    assert first.sheet == arrived[0].sheet
    other.make("mona", "table.undo")
    other.make("mona", "table.undo")
    assert (blank.characters, blank.traits) == (other.table.characters, other.table.traits)


def test_pack_that_no_table_would_take_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is too long is refused with the limit; without those people there is a pack."""
    monkeypatch.setattr(packs, "LONGEST_PACK", 300)
    evening = Evening(get("dune"))
    evening.make("mona", "character.bring", person=next(iter(listed("dune"))))
    with pytest.raises(Refused, match="300 characters"):
        pack_of(evening, *evening.table.characters)
    assert "people" in pack_of(evening)


STAFF = {"skill": "melee", "damage": 6, "critical": 3}
WEAPON = {"kind": "weapon", "text": "Staff", "terms": STAFF}
VEY = {"id": "vey", "name": "Vey", "sheet": {"brawn": 3}, "traits": [WEAPON]}
PACK = {"storypool": "pack", "version": 1, "game": "starwars", "people": [VEY], "encounters": []}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("not JSON", "no pack"),
        ("[" * 30_000, "no pack"),
        ('{"storypool": "pack", "version": ' + "9" * 5000 + "}", "no pack"),
        (json.dumps({**PACK, "storypool": "log"}), "no pack"),
        (json.dumps({**PACK, "version": 2}), "newer version"),
        (json.dumps({**PACK, "game": "dune"}), "another game"),
        (json.dumps({**PACK, "people": {}}), "Nothing in this pack"),
        (json.dumps({**PACK, "people": [7, None, {}, {"id": 1, "name": []}]}), "Nothing in this"),
        ("x" * 50_000, "at most"),
    ],
)
def test_file_that_is_no_pack_is_refused(text: str, why: str) -> None:
    """In one sentence, and nothing is stored."""
    evening = Evening(get("starwars"))
    refusal = evening.refused("mona", "pack.take", pack=text)
    assert ("argument", "pack") == (refusal.code, refusal.field)
    assert why in refusal.text


def test_what_a_pack_has_wrong_is_left_out_with_the_reason() -> None:
    """Numbers beyond their bounds, things of no game, rows about nobody; the rest comes."""
    evening = Evening(get("starwars"))
    traits = [
        WEAPON,
        {"kind": "secret", "text": "A trap", "terms": {}},
        {**WEAPON, "terms": {"skill": "dancing"}},
        {**WEAPON, "terms": {**STAFF, "damage": "much"}},
        {**WEAPON, "terms": {**STAFF, "damage": 900}},
        {**WEAPON, "at": ["x"]},
        {"kind": ["weapon"], "text": "Staff", "terms": {}},
        {"kind": "own-talent", "text": "Vey is a talent", "terms": {"talent": "no-such"}},
        "weapon",
    ]
    sheet = {"brawn": 99, "agility": 3, "soak": True, "piloting lore": 4, "soak2" * 20: 1}
    rows = [{"who": "dock-guards", "n": 99}, {"who": "nobody", "n": 1}, {"who": ["x"], "n": 1}]
    good = {"who": "npc:vey", "n": 2}
    encounters = [
        {"title": "Partly", "where": "", "rows": [*rows, good]},
        {"title": "Wrong", "where": "", "rows": rows},
        {"title": "Huge", "where": "", "rows": [{"who": "npc:vey", "n": 12}] * 6},
        {"title": 3, "rows": {}},
    ]
    people = [{**VEY, "sheet": sheet, "traits": traits}, {**VEY, "name": "x" * 99}]
    text = json.dumps({**PACK, "people": people, "encounters": encounters})
    turn = Turn(evening.system, evening.table, evening.table.seats["mona"], "pack.take")
    pack = read_pack(turn, part("starwars", "encounters").CASTING, text)
    assert ["Partly"] == [title for title, _ in pack.encounters]
    [vey] = pack.people
    assert {"agility": 3, "piloting lore": 4} == vey.sheet
    assert ["Staff"] == [trait.text for trait in vey.traits]
    assert 8 + 3 + 1 + 3 + 4 + 2 == len(pack.left_out)
    assert all(one.what and one.why for one in pack.left_out)
    evening.make("mona", "pack.take", pack=text)
    assert ["Vey"] == list(npcs(evening))


def fight(game: str, sheet: str, npc: str, table: Evening | None = None) -> Weight:
    """How even two players' characters with this sheet are against one NPC with that one."""
    evening = table or Evening(get(game))
    for who in ("pash", "oska"):
        evening.make("mona", "character.set", who=who, sheet=sheet)
    evening.make("mona", "character.add", name="Vey", sheet=npc)
    gm, rows = evening.table.seats["mona"], {"who1": f"{NPC}vey", "n1": 1}
    found = weighed_rows(evening.system, evening.table, gm, rows)
    assert found is not None
    assert weighed_rows(evening.system, evening.table, evening.table.seats["ann"], rows) is None
    return found


@pytest.mark.parametrize("game", ["starwars", "genesys"])
def test_narrative_fight_is_worked_out_by_hand(game: str) -> None:
    """One Ability die against Average: 15 of 64 ways hit, for 3 and 29/24 wounds.

    One success comes with 3 of 8 faces, two with one. Of 64 ways of two Difficulty dice 25 have no
    failure and 20 have one. So 75 + 20 of 512 hit with one net success and 25 with two, which is
    120 of 512, 145/120 successes on average. Damage 5 less soak 2 is 3, so 13 wounds are 4 hits.
    """
    numbers = "brawn=1 damage=5 soak=2 wound-threshold=12"
    found = fight(game, numbers, numbers)
    assert "far_easier" == found.level
    assert "Pash on Vey 2 hits 23 % of the time, that of Vey 2 on Pash 23 %" in found.text
    assert "They stand 4 such hits, the players 8. 2 attackers" in found.text
    assert 2 == found.text.count("23 %")
    stronger = fight(game, numbers, "brawn=1 damage=8 soak=6 wound-threshold=40")
    assert "far_harder" == stronger.level
    assert "They stand more than 40 such hits" in stronger.text


def test_dune_fight_is_worked_out_by_hand() -> None:
    """Both roll two dice against 10, and meeting the other's successes wins.

    A die shows two successes on 1, one on 2 to 10: 0 to 4 come in 100, 180, 101, 18 and 1 of 400
    ways. Both show the same in 52926 of 160000, so the attacker wins 66.5 % of the time. Three hits
    of 2 fill a track of 5.
    """
    numbers = "battle=5 duty=5 rank=2"
    found = fight("dune", "battle=5 duty=5", numbers)
    assert (160000 + sum(n * n for n in (100, 180, 101, 18, 1))) / 320000 == 0.66539375
    assert "Pash on Vey 2 hits 67 % of the time, that of Vey 2 on Pash 67 %" in found.text
    assert "They stand 3 such hits, the players 6. 2 attackers" in found.text
    assert "far_easier" == found.level


def test_c2d10_conflict_is_worked_out_by_hand() -> None:
    """One die passes DC 2 with its 9 alone, one in ten, for 2 progress of the 6 that two need."""
    found = fight("c2d10", "strength=1", "strength=1")
    assert "Pash passes 10 % of the time, that of Vey 2 10 %" in found.text
    assert "The players need 3 such tests for their score, the others 3. 2 test" in found.text
    assert "easier" == found.level
    assert "harder" == fight("c2d10", "strength=1", "strength=3").level


def test_destinydice_fight_is_worked_out_by_hand() -> None:
    """A Skill die against its mirror image hits in 11 of 36 ways.

    Two of its six faces have one success, which three faces of the other leave, and one has two,
    which five leave: 2 * 3 + 1 * 5. One box takes a hit of one shift, and the next takes out.
    """
    found = fight("destinydice", "forceful=0", "forceful=0 stress=1 consequences=0")
    assert "Pash on Vey 2 hits 31 % of the time, that of Vey 2 on Pash 31 %" in found.text
    assert "They stand 2 such hits" in found.text
    assert "far_easier" == found.level


def test_encounters_are_served_to_game_masters_alone(tmp_path: Path) -> None:
    """Others are refused all four requests, and a pack that is too long is refused to all."""
    with serving(tmp_path, games=lambda: ["starwars"]) as house:
        gm = house.browser()
        opened = gm.post("/api/tables", system="starwars", title="The gate", name="Mona")
        party = Party(house, opened["table"], gm)
        ann, vera = party.join("player", "Ann"), party.join("spectator", "Vera")
        gm.move(party.id, PREPARE, title=UNSEEN, who1="dock-guards", n1=3)
        one = gm.get(f"{party.path}/encounters")["encounters"][0]
        assert (UNSEEN, ["3 × Dock guards"], "") == (one["title"], one["who"], one["closed"])
        pack = gm.get(f"{party.path}/pack?chosen={one['id']}")
        assert [UNSEEN] == [each["title"] for each in pack["encounters"]]
        args = {"who1": "dock-guards", "n1": 3}
        asked: list[tuple[str, str, dict[str, object] | None]] = [
            ("GET", "encounters", None),
            ("POST", "encounters", {"args": args}),
            ("GET", "pack", None),
            ("POST", "pack", {"pack": json.dumps(pack)}),
        ]
        assert UNSEEN not in gm.ask("GET", f"{party.path}/sheets").text
        for method, path, body in asked:
            statuses = [
                each.ask(method, f"{party.path}/{path}", body).status_code
                for each in (gm, ann, vera)
            ]
            assert [200, 403, 403] == statuses
        long = gm.ask("POST", f"{party.path}/pack", {"pack": "x" * 50_000})
        assert 400 == long.status_code
        for each in (ann, vera):
            assert UNSEEN not in each.ask("GET", f"{party.path}/log").text
            assert UNSEEN not in each.ask("GET", f"{party.path}/offers").text
            assert UNSEEN not in each.ask("GET", f"{party.path}/export").text


@every_game
def test_fight_without_numbers_is_not_worked_out(game: str) -> None:
    """Characters without numbers, and NPCs without, are named as the reason."""
    evening = Evening(get(game))
    gm, key = evening.table.seats["mona"], next(iter(listed(game)))
    found = weighed_rows(evening.system, evening.table, gm, {"who1": key})
    assert found is not None
    assert ("", True) == (found.level, "no player’s character" in found.text)
    assert weighed_rows(evening.system, evening.table, gm, {"who1": "nobody"}) is None


def test_every_game_with_people_has_encounters() -> None:
    """Their moves, their people, and how a fight of two is worked out."""
    assert 5 == len(GAMES)
    for game in GAMES:
        assert {PREPARE, BRING, "pack.take"} <= set(get(game).by_key)
        assert part(game, "encounters").CASTING.kinds
