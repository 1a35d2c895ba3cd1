"""Adapters that carry the function tools of agent frameworks over the boundary of the recording."""
