"""The text between the tags of HTML, as Foundry's editors write it."""

import re
from html.parser import HTMLParser

LOOKS_TAGGED = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>|&#?\w{1,12};")
BLOCKS = frozenset({"p", "br", "div", "li", "h1", "h2", "h3", "h4", "tr", "ul", "ol"})
SILENT = frozenset({"script", "style", "template"})
"""Elements whose text nobody reads."""


class _Text(HTMLParser):
    """Collects the text of a page; a block begins a line."""

    def __init__(self) -> None:
        super().__init__()
        self.parts, self._silent = list[str](), 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """A block begins a line; a script is passed over."""
        self._silent += tag in SILENT
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        """A block ends a line."""
        self._silent = max(0, self._silent - (tag in SILENT))
        if tag in BLOCKS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        """Text counts outside scripts."""
        if not self._silent:
            self.parts.append(data)


def without_tags(text: str) -> str:
    """The text without tags, with its entities as the letters that they name.

    >>> without_tags("a &lt; b <br>c<script>x()</script> 1 < 2")
    'a < b \\nc 1 < 2'
    """
    if not LOOKS_TAGGED.search(text):
        return text
    reader = _Text()
    reader.feed(text)
    reader.close()
    return "".join(reader.parts)
