"""What all tests share: how hypothesis runs here, and what needs a browser."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from tests.tries import tries

# The machine may be slow and busy: an example has no deadline, and a failure prints how to repeat it.
settings.register_profile(
    "house", max_examples=tries(100), deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("house")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what needs a browser, so that a run can leave it out."""
    if "browser" in getattr(item, "fixturenames", ()):
        item.add_marker("browser")
