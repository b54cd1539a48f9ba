"""User text in Markdown: it is shown as written."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from storypool.words.markdown import plain_markdown

SIGNS = [
    *"*_#>[]()<>|~`\\-+!&;:=./ \t\n\u00a0@$^1aAé0",
    *(
        "http://",
        "www.",
        "&copy;",
        "&#35;",
        "<!--",
        "-->",
        "---",
        "===",
        "1.",
        "2)",
        "```",
        "~~~",
        "[^1]",
        "[x]: y",
    ),
    *(
        "<b>",
        "    ",
        "mailto:a@b.example",
        "ftp://a.example",
        "![",
        "| a |",
        "\n\n",
        "\u05d0\u05d1",
    ),
]
TEXTS = st.one_of(st.lists(st.sampled_from(SIGNS), max_size=14).map("".join), st.text(max_size=30))
READERS = (MarkdownIt("commonmark"), MarkdownIt("commonmark").enable(["table", "strikethrough"]))
PLACES = (
    ("", ""),
    ("# ", ""),
    ("- ", ""),
    ("- ~~", "~~ (taken back)"),
    ("| a | b |\n|---|---|\n| ", " | 2 |"),
)


def shown(page: str) -> str:
    """The words of a page without its tags, separated by single spaces."""
    text = html.unescape(re.sub(r"<[^>]*>", "", page)).replace("\u2068", "").replace("\u2069", "")
    return re.sub("[\x00-\x20\x7f-\x9f\u2028\u2029]+", " ", text).strip()


@given(text=TEXTS)
def test_text_is_shown_as_written(text: str) -> None:
    """No text becomes markup in lines, headings, lists, strikethrough or tables."""
    for reader in READERS:
        for before, after in PLACES if reader is READERS[1] else PLACES[:3]:
            plain = reader.render(f"{before}x{after}")
            page = reader.render(f"{before}{plain_markdown('x' + text)}{after}")
            assert re.findall(r"<[^>]*>", plain) == re.findall(r"<[^>]*>", page)
            assert shown(plain.replace("x", html.escape(shown_as("x" + text)), 1)) == shown(page)


@given(text=TEXTS)
def test_text_starts_no_block(text: str) -> None:
    """A text at the start of a line or list row is a paragraph, whatever its first signs."""
    if not (words := shown_as(text)):
        return
    for reader in READERS:
        assert shown(html.escape(words)) == shown(page := reader.render(plain_markdown(text)))
        assert ["<p>", "</p>"] == re.findall(r"<[^>]*>", page)


def shown_as(text: str) -> str:
    """The remaining spaces of a text."""
    return re.sub("[\x00-\x20\x7f-\x9f\u2028\u2029]+", " ", text).strip()


@pytest.mark.parametrize("address", ["https://a.example", "www.a.example", "mailto:a@b.example"])
def test_addresses_are_no_links(address: str) -> None:
    """An address that GitHub would link is escaped."""
    assert address not in plain_markdown(address)
    assert f"<p>{address}</p>\n" == MarkdownIt("commonmark").render(plain_markdown(address))
