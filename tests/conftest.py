"""What all tests share: how hypothesis runs here."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# The machine may be slow and busy: an example has no deadline, and a failure prints how to repeat it.
settings.register_profile("house", deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")
