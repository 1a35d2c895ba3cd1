"""The reference agents of the shipped suites; they know `kit.agent` and nothing else of kit."""
