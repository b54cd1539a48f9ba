"""Saying no: the reason for the player, the code for programs, the rule it applies, and what would make it possible."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass, replace

from storypool.words import Phrase, Words, english


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something may not be done.

    `code` is one of identity, sight, window, when, limit, only_if, price, argument, unknown. `overridable` says
    whether a GM may set it aside; identity, sight and arithmetic never are, nor is one that is `firm`.
    """

    code: str
    text: str
    rule: str = ""
    remedy: str = ""
    field: str = ""
    overridable: bool = False
    firm: bool = False
    phrase: Phrase | None = dataclasses.field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, code: str, why: Phrase | Exception, field: str = "") -> Refusal:
        """The refusal of what belongs to no game: a phrase, or an exception by the phrase that it holds.

        Its remedy is the sentence with `.remedy` behind the id, where there is one. It is English until it is `said`.
        """
        phrase = why if isinstance(why, Phrase) else next((arg for arg in why.args if isinstance(arg, Phrase)), None)
        return cls(code, str(why), "", _remedy(phrase, english()), field, phrase=phrase)

    def said(self, words: Words) -> Refusal:
        """The refusal in these words, the program's; what the words of a game said stays as it is."""
        if self.phrase is None:
            return self
        return replace(self, text=self.phrase.said(words), remedy=_remedy(self.phrase, words))


def _remedy(phrase: Phrase | None, words: Words) -> str:
    """What is said beside a phrase, by its id with `.remedy` behind it; empty where there is no such sentence."""
    if phrase is None or (id := f"{phrase.key}.remedy") not in words:
        return ""
    return Phrase(id, **phrase.values).said(words)


class Refused(Exception):
    """A move that may not be made, with its reason; `all` lists every reason found."""

    def __init__(self, refusal: Refusal, all: Iterable[Refusal] = ()) -> None:
        super().__init__(refusal.phrase or refusal.text)
        self.refusal = refusal
        self.all = tuple(all) or (refusal,)
