"""The published derivation of a roll's faces from a seed and the players' numbers.

The server is bound to its seed, and each player's page to its number, by their SHA-256 before any
of them is opened. `docs/fair-dice.md` has the construction in words, with worked examples.
"""

import hmac
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import count

HASH_BYTES = 32
"""The length of a seed, and of a player's number."""


def seal(opened: str) -> str:
    """The hash that binds to a seed or a number: SHA-256 of its bytes, both in hexadecimal."""
    return sha256(bytes.fromhex(opened)).hexdigest()


def is_hex(text: str) -> bool:
    """Whether this is a valid seed, number or hash: 64 hexadecimal digits in lower case."""
    return len(text) == 2 * HASH_BYTES and set(text) <= set("0123456789abcdef")


class FairFaces:
    """The random numbers of one place in a row of rolls: HMAC-SHA256 blocks keyed with the seed."""

    def __init__(self, seed: str, row: str, place: int, numbers: Sequence[str]) -> None:
        self._bytes = _stream(
            bytes.fromhex(seed), f"storypool dice 1\n{row}\n{place}\n{','.join(numbers)}\n"
        )

    def below(self, n: int) -> int:
        """The next number from 0 to n - 1, each equally likely; 0 takes no bytes if n is 1.

        As many bytes as n needs are taken as one number, the first the highest. Each result has
        equally many of these numbers, one after the other; a number beyond the last is discarded,
        and bytes are taken again.
        """
        if n == 1:
            return 0
        width = ((n - 1).bit_length() + 7) // 8
        each = (1 << 8 * width) // n
        while (drawn := int.from_bytes(next(self._bytes) for _ in range(width))) >= each * n:
            pass
        return drawn // each


def _stream(key: bytes, text: str) -> Iterator[int]:
    for n in count():
        yield from hmac.digest(key, f"{text}{n}".encode(), "sha256")


CARDS = re.compile(r"cards( [0-9]{1,3}(-[0-9]{1,3})?){1,300}")
"""The cards that a deck had before the draws of a move, as in `cards 1-4 7`."""


def cards_text(cards: Iterable[int]) -> str:
    """The numbers of cards as a proof names them.

    >>> cards_text([1, 2, 3, 7, 9, 10])
    'cards 1-3 7 9-10'
    """
    runs = list[list[int]]()
    for n in sorted(cards):
        if runs and runs[-1][-1] == n - 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    ends = ["-".join(dict.fromkeys([str(run[0]), str(run[-1])])) for run in runs]
    return " ".join(["cards", *ends])


def cards_in(text: str) -> list[int]:
    """The numbers of the cards in such a text, in their order; none for any other text."""
    found = list[int]()
    for part in text.split()[1:] if CARDS.fullmatch(text) else ():
        low, _, high = part.partition("-")
        found += range(int(low), int(high or low) + 1)
    return found if found == sorted(set(found)) else []
