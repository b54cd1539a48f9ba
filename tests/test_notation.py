"""Pool notation: printed pools are read back, and mistakes have a place and a reason."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from storypool import systems
from storypool.engine.bag import Bag
from storypool.engine.game.system import System
from storypool.engine.notation import LONGEST_TEXT, Notation, NotationError
from storypool.engine.refusal import Refusal
from storypool.words import Phrase
from storypool.words.folding import composed, half_width
from tests.fixed_set import cases

SYSTEMS: dict[str, System] = systems.find()
NARRATIVE = SYSTEMS["starwars"].notation

a_few_games = pytest.mark.parametrize("key", cases(SYSTEMS, ("starwars", "tiny"), pytest.mark.slow))


def pools(notation: Notation) -> st.SearchStrategy[Bag]:
    """Pools of this game within its notation."""
    names = st.sampled_from((*notation.helping, *notation.hindering))
    return st.dictionaries(names, st.integers(1, notation.most // 8), min_size=1).map(Bag)


@a_few_games
@given(data=st.data())
def test_printed_pool_is_read_back(key: str, data: st.DataObject) -> None:
    """Words and each scheme's letters give the same pool, with or without the scheme's name."""
    notation = SYSTEMS[key].notation
    pool = data.draw(pools(notation))
    for scheme in (None, *notation.schemes):
        assert pool == notation.parse(notation.show(pool), scheme)
    for scheme in notation.schemes:
        assert pool == notation.parse(notation.compact(pool, scheme), scheme)


@a_few_games
@given(data=st.data())
def test_printing_is_canonical(key: str, data: st.DataObject) -> None:
    """Printing a read pool gives one text, whatever the order of its dice."""
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
def test_nonsense_is_read_or_refused(text: str) -> None:
    """Any text is a pool in its limit, or a mistake with place, reason and remedy."""
    for notation in (system.notation for system in SYSTEMS.values()):
        for scheme in (None, *notation.schemes):
            pool = read(notation, text, scheme)
            if isinstance(pool, Bag):
                assert 0 <= pool.total <= notation.most
                assert pool == notation.parse(notation.show(pool))
            else:
                assert 0 <= pool.place <= max(len(text), LONGEST_TEXT)
                refusal = Refusal.of("argument", pool)
                assert str(pool) == refusal.text
                assert refusal.text.endswith(".")
                assert refusal.remedy
                assert len(refusal.text) < 400


def quotes(sentence: str, text: str) -> bool:
    """Whether a sentence quotes the text, or reports an empty one without dice."""
    parts = re.findall(r"“(.+?)(?:\.\.\.)?”|\b(\d+)\b", sentence)
    written = f"{composed(text)} {half_width(text)}"
    return any(part in written for pair in parts for part in pair if part) or sentence == EMPTY


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("P + 1", "“+ 1” is not a die"),
        ("P+1", "“+1” is not a die"),
        ("P, 1", "The count 1 has no die"),
    ],
)
def test_number_after_a_sign_is_quoted_as_written(text: str, part: str) -> None:
    """A number to add is quoted with its sign and blanks; one after a comma lacks its die."""
    with pytest.raises(NotationError, match=re.escape(part)):
        systems.get("genesys").notation.parse(text)


def texts(notation: Notation) -> st.SearchStrategy[str]:
    """Texts of pool parts in any order."""
    letters = [letter for scheme in notation.schemes.values() for letter in scheme]
    dice = [*notation.helping, *notation.hindering, *notation.words, *letters]
    pieces = st.sampled_from(
        [*dice, *"0123", "01", "12", "99", "+", ",", "-", "/", " vs ", " ", " "]
    )
    return st.lists(pieces, max_size=12).map("".join)


@a_few_games
@given(data=st.data())
def test_rewritten_pool_is_the_same(key: str, data: st.DataObject) -> None:
    """Dice, counts and signs in any order give a pool that is written and read back."""
    notation = SYSTEMS[key].notation
    text = data.draw(texts(notation))
    for scheme in (None, *notation.schemes):
        pool = read(notation, text, scheme)
        if isinstance(pool, Bag):
            assert pool.total >= 1
            assert pool.total <= notation.most
            assert pool == notation.parse(notation.show(pool), scheme)
            # No number in the text was passed over.
            assert pool.total >= sum(
                int(n) for n in re.findall(r"(?<!d)\d+", text.lower().replace("d10", "x")) if n
            )


def read(notation: Notation, text: str, scheme: str | None) -> Bag | NotationError:
    """The pool or the mistake."""
    try:
        return notation.parse(text, scheme)
    except NotationError as wrong:
        return wrong


EMPTY = str(Phrase("notation.none"))

WRITTEN = (
    "2d20<=12 tl ½ × ＡＤ／２ vs. against target prof diff e\u0301 ٣ − ( ) % kh 🎲 \u200b \u3000 d6"
    " + , > 0 007 99"
)


@pytest.mark.parametrize("key", SYSTEMS)
@given(
    text=st.text(max_size=40)
    | st.lists(st.sampled_from(WRITTEN.split(" ")), max_size=8).map(" ".join)
)
def test_refusal_quotes_the_text(key: str, text: str) -> None:
    """Any text is dice, or a refusal that quotes a part of it or reports an empty one."""
    found = read(SYSTEMS[key].notation, text, None)
    if isinstance(found, NotationError):
        assert quotes(str(found), text)
        assert (str(found) == EMPTY) == (not half_width(text).strip())


@pytest.mark.parametrize(
    ("key", "text", "pool"),
    [
        ("starwars", "２Ａ１Ｐ／２Ｄ", Bag(ability=2, proficiency=1, difficulty=2)),
        ("starwars", "２A1P\u3000/２D", Bag(ability=2, proficiency=1, difficulty=2)),
        ("starwars", "٣A", Bag(ability=3)),
        ("starwars", "2×A 3 * P 1 x D", Bag(ability=2, proficiency=3, difficulty=1)),
        ("starwars", "2\u200b A\ufeff", Bag(ability=2)),
        ("starwars", "2 prof 1 abil vs. 2 diff", Bag(ability=1, proficiency=2, difficulty=2)),
        ("starwars", "2 Prof against 1 CHAL", Bag(proficiency=2, challenge=1)),
        ("starwars", "A v D", Bag(ability=1, difficulty=1)),
        ("starwars", "pr/k", Bag(difficulty=1, challenge=1, setback=1)),
        ("dune", "２ｄ２０", Bag(d20=2)),
        ("destinydice", "sk / diff", Bag(skill=1, difficulty=1)),
    ],
)
def test_other_pool_spellings(key: str, text: str, pool: Bag) -> None:
    """Full width, digits of any script, multiplication signs, and prefixes of dice names."""
    assert pool == SYSTEMS[key].notation.parse(text)


@pytest.mark.parametrize(
    ("key", "text", "reason", "remedy"),
    [
        ("dune", "2d20<=12", "“<=12” is a number to reach", "target=12 after the dice"),
        ("dune", "2d20 tl12", "“tl12” is a number to reach", "target=12"),
        ("dune", "2d20 TN 12", "“TN 12” is a number to reach", "target=12"),
        ("dune", "2d20 target 12", "“target 12” is a number to reach", "target=12"),
        ("dune", "2d20 vs 12", "“vs 12” is a number to reach", "target=12"),
        ("dune", "d20 ＜ １２", "“＜ １２” is a number to reach", "target=12"),
        ("dune", "2d20 ≤ 12", "“≤ 12” is a number to reach", "target=12"),
        ("c2d10", "5d10>=7", "“>=7” is a number to reach", "dc=7"),
        ("starwars", "2A > 3", "“> 3” compares the dice with a number", "Write the dice alone"),
        ("dune", "1d20+5", "“+5” is not a die", "Write the dice alone"),
        (
            "dune",
            "2d20 – 1",
            "A count cannot be negative, as “–” would make it",
            "Write only the dice",
        ),
        ("starwars", "½A", "“½A” is not a die", "The dice are ability"),
        ("starwars", "999A", "“999A” goes beyond", "Take fewer"),
        ("starwars", "vs", "“vs” has no dice beside it (character 1)", "Name at least one die"),
    ],
)
def test_invalid_pools_are_named(key: str, text: str, reason: str, remedy: str) -> None:
    """The refusal is about the first invalid part, and includes the correction."""
    with pytest.raises(NotationError) as wrong:
        SYSTEMS[key].notation.parse(text)
    refusal = Refusal.of("argument", wrong.value)
    assert reason in refusal.text
    assert remedy in refusal.remedy


@pytest.mark.parametrize(
    ("text", "scheme", "pool"),
    [
        (
            "2 ability 1 proficiency vs 2 difficulty",
            None,
            Bag(ability=2, proficiency=1, difficulty=2),
        ),
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
        # A hindrance of one's own is often written with one's own dice.
        ("2A1S/D", "letters", Bag(ability=2, difficulty=1, setback=1)),
        # A die that could not be there in the one scheme is meant in the other.
        ("/P", None, Bag(difficulty=1)),
        ("yyg/b", None, Bag(proficiency=2, ability=1, setback=1)),
    ],
)
def test_common_forms_are_read(text: str, scheme: str | None, pool: Bag | None) -> None:
    """Letters, colours and names from elsewhere have the same meaning here."""
    if pool is None:
        with pytest.raises(NotationError):
            NARRATIVE.parse(text, scheme)
    else:
        assert pool == NARRATIVE.parse(text, scheme)


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("", 0, "There are no dice in this pool."),
        ("   ", 0, "There are no dice in this pool."),
        ("2 abilty", 2, "“abilty” is not a die of this game (character 3)."),
        ("AA/DX", 4, "“X” is not a die of this game (character 5)."),
        ("2 3 ability", 2, "The numbers 2 and 3 have no die between them."),
        ("2", 1, "The count 2 has no die after it."),
        ("2 vs D", 2, "The count 2 has no die after it."),
        ("A/D/D", 3, "There is a second “/” in this pool (character 4)."),
        ("A vs D vs D", 7, "There is a second “vs” in this pool (character 8)."),
        ("0A", 0, "A count of 0 adds no dice (character 1)."),
        ("2A00D", 2, "A count of 0 adds no dice (character 3)."),
        ("00002A", 0, "The count 00002 begins with a zero (character 1)."),
        ("2A/01D", 3, "The count 01 begins with a zero (character 4)."),
        ("61A", 2, "A pool holds at most 60 dice, and “61A” goes beyond."),
        ("1000A", 0, "A pool holds at most 60 dice, and “1000” goes beyond."),
        ("-1A", 0, "A count cannot be negative, as “-” would make it (character 1)."),
        ("+2A", 0, "“+” needs a die before and after it (character 1)."),
        ("2A+", 3, "“+” needs a die before and after it (character 4)."),
        ("2A++D", 3, "“+” needs a die before and after it (character 4)."),
        ("2A,/D", 3, "“,” needs a die before and after it (character 4)."),
        ("2+A", 1, "The count 2 has no die after it."),
        ("2A/1A", 4, "“ability” is a die that helps, so it cannot follow “/” (character 5)."),
        ("1.5A", 1, "“.” is not a die of this game (character 2)."),
        ("A; drop table", 1, "“;” is not a die of this game (character 2)."),
    ],
)
def test_mistakes_name_their_place_and_a_remedy(text: str, place: int, reason: str) -> None:
    """One sentence gives the mistake, its place and a remedy."""
    with pytest.raises(NotationError) as wrong:
        NARRATIVE.parse(text, "letters")
    assert (place, reason) == (wrong.value.place, str(wrong.value))
    assert Refusal.of("argument", wrong.value).remedy


def test_game_without_opposing_dice_has_one_side() -> None:
    """Without hindering dice nothing follows a slash, and the remedy names the contest."""
    for text in ("3d20 vs 2d20", "3d20/", "/2d20"):
        with pytest.raises(
            NotationError, match=r"No die of this game hinders, .* “(vs|/)”"
        ) as wrong:
            SYSTEMS["dune"].notation.parse(text)
        assert "pool of its own" in Refusal.of("argument", wrong.value).remedy


def test_missing_numbered_die_is_one_word() -> None:
    """In a game of numbered dice an unknown one is named as typed."""
    with pytest.raises(NotationError, match="“d6” is not a die of this game"):
        SYSTEMS["dune"].notation.parse("3d6 vs 2d6")


def test_unknown_scheme_is_a_mistake() -> None:
    """It is named, with the known schemes."""
    with pytest.raises(NotationError, match="There are no letters called “runes” here"):
        NARRATIVE.parse("AA", "runes")


def test_long_text_is_refused_by_length(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A text beyond the limit is refused unread, and is not part of the mistake."""

    def read(*_: object) -> Bag:
        raise AssertionError("it was read")

    monkeypatch.setattr(Notation, "_read", read)
    with pytest.raises(NotationError, match=f"in at most {LONGEST_TEXT} characters") as wrong:
        NARRATIVE.parse("A" * 10**6)
    assert LONGEST_TEXT == len(wrong.value.text) == wrong.value.place


@pytest.mark.parametrize(
    "text", ["1000000000 boost", "1" * 190 + "B", "999 boost " * 15, "B" * 200]
)
def test_large_dice_count_is_refused(text: str) -> None:
    """It is refused with the limit, before later text and before any odds."""
    with pytest.raises(
        NotationError, match=f"A pool holds at most {NARRATIVE.most} dice."
    ) as wrong:
        NARRATIVE.parse(text)
    assert wrong.value.place <= NARRATIVE.most


def test_name_ending_in_digits_is_one_word() -> None:
    """A die d20 is one word next to its count, not letters and digits."""
    notation = Notation(("d20",), ("d6",), {"letters": {"T": "d20", "S": "d6"}})
    assert Bag(d20=2, d6=3) == notation.parse("2d20 vs 3 d6")
    assert Bag(d20=1) == notation.parse("d20")
    assert "2 d20 vs 1 d6" == notation.show(Bag(d20=2, d6=1))


@pytest.mark.parametrize("key", SYSTEMS)
def test_notation_words_are_no_letters(key: str) -> None:
    """A further word is lower-case, means a die, and is not a single letter of a scheme."""
    notation = SYSTEMS[key].notation
    for word, die in notation.words.items():
        assert die in (*notation.helping, *notation.hindering)
        assert word == word.lower()
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", word)
        assert len(word) > 1


def test_digit_names_after_the_slash() -> None:
    """A die d10 is one word in capitals too, and a name may mean another die after the slash."""
    notation = Notation(("d10",), ("rival",), words_after_slash={"d10": "rival"})
    assert Bag(d10=6) == notation.parse("6D10") == notation.parse("6 d10")
    assert Bag(d10=6, rival=4) == notation.parse("6d10 vs 4d10") == notation.parse("6 D10/4 rival")
    assert "6 d10 vs 4 rival" == notation.show(notation.parse("6d10/4D10"))
