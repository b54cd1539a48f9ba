"""HTML as text, escaped except for its elements."""

from collections.abc import Iterable
from html import escape


class Markup(str):
    """Text that is already HTML."""

    __slots__ = ()


Content = str | int | Iterable["Content"]
"""The content of an element: text, numbers, elements, and iterables of these."""

EMPTY_ELEMENTS = frozenset({"img", "input", "link", "meta"})
"""Elements without content and without an end tag."""


def element(name: str, /, *content: Content, **attributes: str | int) -> Markup:
    """An element as text, with escaped content and attributes; underscores become dashes.

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
    """Texts and elements concatenated; everything but elements is escaped."""
    return Markup("".join(_written(part) for part in content))


def page(language: str, head: Content, body: Content, **attributes: str) -> Markup:
    """A whole page; `attributes` are those of its root."""
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
