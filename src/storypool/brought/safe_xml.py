"""XML of strangers: expat without document types, so without entities, and with limits."""

from typing import NoReturn
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from storypool.brought.characters import NoCharacter

DEEPEST = 40
"""The most elements within each other."""
MOST_ELEMENTS = 60_000


def tree_of(text: str) -> Element:
    """The root of a document; `NoCharacter` if it declares a type, is too deep or large, or broken.

    Entities are declared in a document type, so none are expanded and nothing is fetched. The text
    is decoded already: what it declares as its encoding is not looked at.
    """
    parser, builder = expat.ParserCreate(), TreeBuilder()
    depth = elements = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, elements
        depth, elements = depth + 1, elements + 1
        if depth > DEEPEST:
            raise NoCharacter("deep", most=DEEPEST)
        if elements > MOST_ELEMENTS:
            raise NoCharacter("elements", most=MOST_ELEMENTS)
        builder.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    def refuse(*_declared: object) -> NoReturn:
        raise NoCharacter("doctype")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    parser.buffer_text = True
    try:
        parser.Parse(text, True)
    except expat.ExpatError as wrong:
        raise NoCharacter("xml", line=wrong.lineno) from None
    except UnicodeEncodeError:
        raise NoCharacter("letters") from None
    return builder.close()
