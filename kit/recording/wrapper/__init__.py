"""The wrapper: records and replays any Python program as a child process."""
