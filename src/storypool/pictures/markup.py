"""HTML as text in which everything is escaped that is not an element."""

from collections.abc import Iterable
from html import escape


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Content = str | int | Iterable["Content"]
"""What an element may contain: text, numbers, elements, and iterables of these."""

EMPTY_ELEMENTS = frozenset({"img", "input", "link", "meta"})
"""Elements without content and without an end."""


def element(name: str, /, *content: Content, **attributes: str | int) -> Markup:
    """Return an element as text, with its content and its attributes escaped; an underscore is
    written as a dash.

    >>> element("p", "1 < 2, ", element("code", "a"), class_="group", data_colour="red")
    '<p class="group" data-colour="red">1 &lt; 2, <code>a</code></p>'
    """
    pairs = (
        (key.rstrip("_").replace("_", "-"), escape(str(value))) for key, value in attributes.items()
    )
    start = "".join([name, *(f' {key}="{value}"' for key, value in pairs)])
    return Markup(
        f"<{start}>" if name in EMPTY_ELEMENTS else f"<{start}>{fragment(*content)}</{name}>"
    )


def fragment(*content: Content) -> Markup:
    """Return texts and elements behind each other as one text, in which what is not an element is
    escaped.
    """
    return Markup("".join(_written(part) for part in content))


def page(language: str, head: Content, body: Content, **attributes: str) -> Markup:
    """Return a whole page; `attributes` are those of its root."""
    root = element(
        "html", element("head", head), element("body", body), lang=language, **attributes
    )
    return Markup(f"<!doctype html>{root}")


def _written(content: Content) -> str:
    if isinstance(content, Markup):
        return content
    if isinstance(content, str | int):
        return escape(str(content))
    return fragment(*content)
