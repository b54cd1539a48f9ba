"""Refusals: the reason for the player, the code for programs, the rule and the remedy."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, replace

from storypool.words import Phrase, StorypoolError, Words, english
from storypool.words.folding import folded

__all__ = ["Refusal", "Refused", "nearest"]


CODES = {
    "identity": "This seat does not make that move.",
    "sight": "The move is about something that this seat does not see.",
    "window": "Somebody else has their turn at this action first.",
    "when": "The move has no place now, such as a roll while no action is open.",
    "agreed": "The GM has not agreed yet to answers that are theirs to give.",
    "limit": "The move was made as often as it may be.",
    "only_if": "Another condition of the move does not hold.",
    "price": "This seat cannot pay the price.",
    "argument": "An answer is missing, or is not one of those that are possible; `field` names it.",
    "unknown": "Nothing here has this name.",
}
"""Every code that a refusal of a move may have, with its meaning, for programs to distinguish."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something may not be done.

    `code` is one of `CODES`, or the program's own if no move is involved. `overridable`: whether a
    GM may set it aside: never for identity, sight or arithmetic, nor when it is `firm`. `field`
    names the argument at fault. `phrase` is set where no game is involved, so that the text can be
    translated later.
    """

    code: str
    text: str
    rule: str = ""
    remedy: str = ""
    field: str = ""
    _: KW_ONLY
    overridable: bool = False
    firm: bool = False
    phrase: Phrase | None = dataclasses.field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, code: str, why: Phrase | Exception, field: str = "") -> Refusal:
        """A refusal that belongs to no game, from a phrase or an exception with one.

        Its remedy is the sentence `ID.remedy`, if there is one. The text is English; `localize`
        translates it.
        """
        phrase = (
            why
            if isinstance(why, Phrase)
            else next((arg for arg in why.args if isinstance(arg, Phrase)), None)
        )
        return cls(code, str(why), "", _remedy(phrase, english()), field, phrase=phrase)

    def at(self, stage: str, rule: str, overridable: bool) -> Refusal:
        """The refusal with this stage as its code, and the move's rule unless it has its own."""
        return Refusal(
            stage,
            self.text,
            self.rule or rule,
            remedy=self.remedy,
            field=self.field,
            overridable=overridable,
            firm=self.firm,
            phrase=self.phrase,
        )

    def localize(self, words: Words) -> Refusal:
        """The refusal in the program's words for a language; a game's text stays unchanged."""
        if self.phrase is None:
            return self
        return replace(self, text=self.phrase.localize(words), remedy=_remedy(self.phrase, words))


class Waived(Refusal):
    """A refusal that was set aside: it is false, so `or` goes on to the next condition."""

    __slots__ = ()

    def __bool__(self) -> bool:
        return self.firm


def _remedy(phrase: Phrase | None, words: Words) -> str:
    """The sentence `ID.remedy` for a phrase, or "" if there is none."""
    if phrase is None or (id := f"{phrase.key}.remedy") not in words:
        return ""
    return Phrase(id, **phrase.values).localize(words)


class Refused(StorypoolError):
    """Raised for a refused move; `refusal` is the reason, `all` lists every reason found."""

    def __init__(self, refusal: Refusal, all: Iterable[Refusal] = ()) -> None:
        super().__init__(refusal.phrase or refusal.text)
        self.refusal = refusal
        self.all = tuple(all) or (refusal,)


def no_seat(words: Words, id: str) -> Refused:
    """The refusal where nobody at the table has the seat with this id."""
    return Refused(Refusal("identity", words.say("no.seat", seat=id), "", words["no.seat.remedy"]))


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Up to three of these names with the most similar spelling, nearest first; [] if none is near.

    A word of a longer name counts like the name.

    >>> nearest("sistems", ["Systems", "Skulduggery", "Stealth"])
    ['Systems']
    >>> nearest("wounds", ["wound-threshold", "soak"])
    ['wound-threshold']
    """
    from difflib import get_close_matches  # slow to import, and only needed for an error

    names: dict[str, list[str]] = {}
    for one in known:
        for part in {folded(one), *re.findall(r"\w{4,}", folded(one))}:
            names.setdefault(part, []).append(one)
    close = get_close_matches(folded(name), names, n=3, cutoff=0.6)
    return list(dict.fromkeys(one for part in close for one in names[part]))[:3]


def shortened(raw: object) -> str:
    """An answer as a refusal quotes it: a long one cut."""
    text = str(raw)
    return text if len(text) <= 30 else text[:30] + "..."
