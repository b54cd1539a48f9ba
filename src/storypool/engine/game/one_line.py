"""Text that people type, on one line."""

import re

_PICTURES = r"\u2190-\u21ff\u2300-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_JOINS = re.compile(rf"(?<=[{_PICTURES}\ufe0f])\u200d(?=[{_PICTURES}])")
"""A joiner between two emoji, which makes them one, such as a family."""


def plain(text: str) -> str:
    """Return text on one line, without unprintable characters but those that join emoji."""
    if text.isprintable():
        return " ".join(text.split())
    joins = {found.start() for found in _JOINS.finditer(text)}
    return " ".join("".join(c if c.isprintable() or n in joins else " " for n, c in enumerate(text)).split())
