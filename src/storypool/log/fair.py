"""The published derivation of a roll's faces from a seed and the players' numbers.

The server is bound to its seed, and each player's page to its number, by their SHA-256 before any
of them is opened. `docs/fair-dice.md` has the construction in words, with worked examples.
"""

import hmac
from collections.abc import Iterator, Sequence
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
