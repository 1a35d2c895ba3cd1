"""Settings of the property tests of this room."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("kit", deadline=None)  # a loaded machine is slow, not wrong
settings.load_profile("kit")
