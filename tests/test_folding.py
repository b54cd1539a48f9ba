"""Typed text is compared, searched and read alike, whatever the keyboard wrote."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storypool.words.folding import alike, composed, folded, half_width, plain_places, search_words

CASES = json.loads((Path(__file__).parent / "folding.json").read_text(encoding="utf-8"))
"""The answers of the page's `state/folding.js`, compared in `browser/test_log.py`."""

LETTERS = st.text(
    st.characters(codec="utf-8", categories=("L", "M", "N", "P", "Z", "S", "Cf")), max_size=30
)
EUROPEAN = st.text(
    st.sampled_from("aA zZ éÉ äÄ ñ ç å ß ẞ ø Ø ł Ł đ æ œ ı İ ё Ё й Й ї ά ς Σ 9 ’ “ – \u200b"),
    max_size=20,
)
WIDE = str.maketrans({chr(n): chr(n + 0xFEE0) for n in range(0x21, 0x7F)} | {" ": "\u3000"})


@pytest.mark.parametrize("name", ["alike", "folded", "half_width", "search_words"])
def test_table_of_cases_holds(name: str) -> None:
    """Python and the page give the answers of one table."""
    function = {
        "alike": alike,
        "folded": folded,
        "half_width": half_width,
        "search_words": search_words,
    }[name]
    assert CASES[name] == {text: function(text) for text in CASES[name]}


@given(LETTERS)
def test_folding_twice_changes_nothing(text: str) -> None:
    """A folded text is its own key."""
    assert alike(alike(text)) == alike(text)
    assert folded(folded(text)) == folded(text)
    assert half_width(half_width(text)) == half_width(text)


@given(EUROPEAN)
def test_text_is_found_in_each_form(text: str) -> None:
    """Decomposed, composed, capital, small or full-width, it is the same text."""
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC", "NFKD")]
    forms += [text.upper(), text.lower(), text.translate(WIDE), f"\u200b{text}\ufeff"]
    assert {folded(text)} == {folded(form) for form in forms}


@given(EUROPEAN)
def test_names_that_look_alike_have_one_key(text: str) -> None:
    """No form of a name takes a second seat."""
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD")]
    forms += [text.lower(), text.translate(WIDE), f"\u200b{text}\ufeff"]
    assert {alike(text)} == {alike(form) for form in forms}


@given(LETTERS)
def test_plain_places_point_into_the_text(text: str) -> None:
    """A refusal can point at the original text."""
    text = composed(text)
    plain, places = plain_places(text)
    assert half_width(text) == plain
    assert len(plain) + 1 == len(places)
    assert sorted(places) == places
    assert len(text) == places[-1]
