"""Pool notation: what is printed is read back, in every scheme; what cannot be read says where and why."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.notation import LONGEST_TEXT, Notation, NotationError
from storypool.engine.system import System

SYSTEMS: dict[str, System] = systems.find()
NARRATIVE = SYSTEMS["starwars"].notation


def pools(notation: Notation) -> st.SearchStrategy[Bag]:
    """Pools of this game that fit in its notation."""
    names = st.sampled_from((*notation.helping, *notation.hindering))
    return st.dictionaries(names, st.integers(1, notation.most // 8), min_size=1).map(Bag)


@pytest.mark.parametrize("key", SYSTEMS)
@given(data=st.data())
def test_what_is_printed_is_read_back(key: str, data: st.DataObject) -> None:
    """A pool in words, and in the letters of each scheme, is read as that very pool, scheme named or not."""
    notation = SYSTEMS[key].notation
    pool = data.draw(pools(notation))
    for scheme in (None, *notation.schemes):
        assert pool == notation.parse(notation.show(pool), scheme)
    for scheme in notation.schemes:
        assert pool == notation.parse(notation.compact(pool, scheme), scheme)


@pytest.mark.parametrize("key", SYSTEMS)
@given(data=st.data())
def test_printing_is_the_one_form(key: str, data: st.DataObject) -> None:
    """Printing what was read gives the same text again, whatever order the dice were written in."""
    notation = SYSTEMS[key].notation
    pool = data.draw(pools(notation))
    backwards = Bag(dict(reversed(list(pool.items()))))
    assert notation.show(pool) == notation.show(backwards)
    assert notation.show(pool) == notation.show(notation.parse(notation.show(pool)))


@given(st.text(max_size=LONGEST_TEXT + 20))
@example("²")
@example("٣A")
@example("1" * 50)
@example("K/ſ")
@example("--")
def test_nonsense_is_read_or_told_apart(text: str) -> None:
    """Any text is a pool within its limit, or a mistake that names its place, what is there and what should be."""
    for notation in (system.notation for system in SYSTEMS.values()):
        for scheme in (None, *notation.schemes):
            pool = read(notation, text, scheme)
            if isinstance(pool, Bag):
                assert 0 <= pool.total <= notation.most
                assert pool == notation.parse(notation.show(pool))
            else:
                assert 0 <= pool.place <= max(len(text), LONGEST_TEXT)
                assert str(pool.found)
                assert str(pool.expected)
                assert f"At character {pool.place + 1}: found {pool.found}, expected {pool.expected}." == str(pool)
                assert len(str(pool)) < 400


def read(notation: Notation, text: str, scheme: str | None) -> Bag | NotationError:
    """The pool, or the mistake."""
    try:
        return notation.parse(text, scheme)
    except NotationError as wrong:
        return wrong


@pytest.mark.parametrize(
    ("text", "scheme", "pool"),
    [
        ("2 ability 1 proficiency vs 2 difficulty", None, Bag(ability=2, proficiency=1, difficulty=2)),
        ("2A1P/2D", None, Bag(ability=2, proficiency=1, difficulty=2)),
        ("AAP/DD", None, Bag(ability=2, proficiency=1, difficulty=2)),
        ("aap/dd", "letters", Bag(ability=2, proficiency=1, difficulty=2)),
        ("yygg/ppb", "colours", Bag(proficiency=2, ability=2, difficulty=2, setback=1)),
        ("YYGG/PPB", "colours", Bag(proficiency=2, ability=2, difficulty=2, setback=1)),
        ("yygg/ppb", None, Bag(proficiency=2, ability=2, difficulty=2, setback=1)),
        ("bb/k", "colours", Bag(boost=2, setback=1)),
        # p alone is ambiguous, so each scheme decides it for its table.
        ("p", "letters", Bag(proficiency=1)),
        ("p", "colours", Bag(difficulty=1)),
        ("P", None, Bag(proficiency=1)),
        ("2 Yellow + 1 GREEN, 2 purple and", None, None),
        ("2 yellow + 1 GREEN, 2 purple", None, Bag(proficiency=2, ability=1, difficulty=2)),
        ("ability ability", None, Bag(ability=2)),
        ("vs 2 difficulties", None, Bag(difficulty=2)),
        ("/DD", None, Bag(difficulty=2)),
        ("AA/", None, Bag(ability=2)),
        ("  A \t A \n P ", None, Bag(ability=2, proficiency=1)),
        ("2 ability against difficulty", None, Bag(ability=2, difficulty=1)),
        ("٢A", None, Bag(ability=2)),
        ("no dice", None, Bag()),
        ("60A", None, Bag(ability=60)),
    ],
)
def test_forms_that_people_type(text: str, scheme: str | None, pool: Bag | None) -> None:
    """The letters, the colours and the names that players type elsewhere mean here what they meant there."""
    if pool is None:
        with pytest.raises(NotationError):
            NARRATIVE.parse(text, scheme)
    else:
        assert pool == NARRATIVE.parse(text, scheme)


@pytest.mark.parametrize(
    ("text", "place", "found"),
    [
        ("", 0, "no dice"),
        ("   ", 0, "no dice"),
        ("2 abilty", 2, "'abilty'"),
        ("AA/DX", 4, "'X'"),
        ("2 3 ability", 2, "a second number '3'"),
        ("2", 1, "the end"),
        ("2 vs D", 2, "'vs'"),
        ("A/D/D", 3, "a second '/'"),
        ("A vs D vs D", 7, "a second 'vs'"),
        ("0A", 0, "'0'"),
        ("61A", 2, "61 dice"),
        ("1000A", 0, "'1000'"),
        ("-1A", 0, "'-'"),
        ("1.5A", 1, "'.'"),
        ("A; drop table", 1, "';'"),
    ],
)
def test_mistakes_name_their_place(text: str, place: int, found: str) -> None:
    """A mistake says where it is, what was found there, and what was expected."""
    with pytest.raises(NotationError) as wrong:
        NARRATIVE.parse(text, "letters")
    assert (place, found) == (wrong.value.place, str(wrong.value.found))
    assert str(wrong.value).startswith(f"At character {place + 1}: found {found}, expected ")


def test_scheme_that_is_not_there_is_a_mistake() -> None:
    """An unknown scheme is named, with those there are."""
    with pytest.raises(NotationError, match="found the scheme 'runes', expected one of letters, colours"):
        NARRATIVE.parse("AA", "runes")


def test_text_of_a_million_characters_is_refused_by_its_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """A text beyond the limit is refused before any of it is read, and is not carried along in the mistake."""

    def read(*_: object) -> Bag:
        raise AssertionError("it was read")

    monkeypatch.setattr(Notation, "_read", read)
    with pytest.raises(NotationError, match=f"at most {LONGEST_TEXT} characters") as wrong:
        NARRATIVE.parse("A" * 10**6)
    assert LONGEST_TEXT == len(wrong.value.text) == wrong.value.place


@pytest.mark.parametrize("text", ["1000000000 boost", "1" * 190 + "B", "999 boost " * 15, "B" * 200])
def test_large_numbers_are_refused_where_they_stand(text: str) -> None:
    """A number of dice beyond the limit is refused with the limit, before what follows it and before any odds."""
    with pytest.raises(NotationError, match=f"expected at most {NARRATIVE.most} dice in a pool") as wrong:
        NARRATIVE.parse(text)
    assert wrong.value.place <= NARRATIVE.most


def test_name_that_ends_in_digits_is_one_word() -> None:
    """A die called d20 is one word beside its count, and its letters and digits do not part."""
    notation = Notation(("d20",), ("d6",), {"letters": {"T": "d20", "S": "d6"}})
    assert Bag(d20=2, d6=3) == notation.parse("2d20 vs 3 d6")
    assert Bag(d20=1) == notation.parse("d20")
    assert "2 d20 vs 1 d6" == notation.show(Bag(d20=2, d6=1))


@pytest.mark.parametrize("key", SYSTEMS)
def test_words_of_a_notation_are_no_letters_in_disguise(key: str) -> None:
    """A further word means a die of the game, is in lower case, and is not a single letter of any scheme."""
    notation = SYSTEMS[key].notation
    for word, die in notation.words.items():
        assert die in (*notation.helping, *notation.hindering)
        assert word == word.lower()
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", word)
        assert len(word) > 1


def test_names_that_end_in_digits_and_stand_after_the_slash() -> None:
    """A die called d10 is one word in capitals too, and a name may mean another die after the slash."""
    notation = Notation(("d10",), ("rival",), words_after_slash={"d10": "rival"})
    assert Bag(d10=6) == notation.parse("6D10") == notation.parse("6 d10")
    assert Bag(d10=6, rival=4) == notation.parse("6d10 vs 4d10") == notation.parse("6 D10/4 rival")
    assert "6 d10 vs 4 rival" == notation.show(notation.parse("6d10/4D10"))
