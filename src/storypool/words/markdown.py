r"""Text that people typed, escaped so that Markdown shows it literally.

>>> print(plain_markdown("# 1 * 2 &lt; [3]\n---"))
\# 1 \* 2 \&lt; \[3\] ---
>>> print(plain_markdown("1. see https://a.example"))
1\. see https\:\//a.example
"""

from __future__ import annotations

import re

__all__ = ["plain_markdown"]

_SPACE = re.compile("[\x00-\x20\x7f-\x9f\u2028\u2029]+")
_SIGNS = re.compile(r"[\\`*_\[\]<>#|~&$^@]|(?<==)=|=(?==)")
_STARTS = re.compile(r"^(?:[-+:](?=\s|$)|-(?=[-\s]*$)|=(?==*\s*$)|\d+(?=[.)](?:\s|$)))")
"""The start of a list item, a heading underline, or a definition."""
_ADDRESSES = re.compile(
    r":(?=//)|(?<=:)/(?=/)|(?<=\bwww)\.|(?<=\bmailto):|(?<=\bxmpp):", re.IGNORECASE
)
_STRONG = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_RIGHT_TO_LEFT = re.compile(rf"[{_STRONG}]+(?:\W+[{_STRONG}]+)*")
_ISOLATED = "\N{FIRST STRONG ISOLATE}%s\N{POP DIRECTIONAL ISOLATE}"


def plain_markdown(text: str) -> str:
    """A text on one line, escaped for CommonMark and GitHub's tables, links and formulas."""
    text = _SIGNS.sub(r"\\\g<0>", _SPACE.sub(" ", text).strip())
    text = _ADDRESSES.sub(r"\\\g<0>", text)
    text = _STARTS.sub(_escaped_start, text)
    # Isolate right-to-left words, so that numbers next to them keep their position.
    return _RIGHT_TO_LEFT.sub(lambda words: _ISOLATED % words[0], text)


def _escaped_start(start: re.Match[str]) -> str:
    return f"{start[0]}\\" if start[0].isdigit() else f"\\{start[0]}"
