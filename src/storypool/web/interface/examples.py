"""An example of each operation: a request of an evening, and the answer of a running server.

`python -m tests.test_examples` records them. Long lists and texts in them are cut.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

FILE = Path(__file__).with_name("examples.json")


class Example(msgspec.Struct):
    """A request, with the values in its path and its query, and its answer."""

    path: dict[str, str]
    query: dict[str, Any]
    body: Any
    status: int
    answer: Any


@cache
def examples() -> Mapping[str, Example]:
    """The example of each operation by its name."""
    return msgspec.convert(json.loads(FILE.read_bytes()), dict[str, Example])
