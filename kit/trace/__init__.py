"""The trace of one run: what oracles, reports and baselines may know of it."""
