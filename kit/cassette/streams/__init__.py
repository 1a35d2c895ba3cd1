"""Streams for a cassette's writer: the message that events add up to, and the exact events beside it."""
