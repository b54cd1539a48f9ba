"""Saying no: the reason for the player, the code for programs, the rule it applies, and what would make it possible."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


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


class Refused(Exception):
    """A move that may not be made, with its reason; `all` lists every reason found."""

    def __init__(self, refusal: Refusal, all: Iterable[Refusal] = ()) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal
        self.all = tuple(all) or (refusal,)
