"""Guards: what a program may not do around the recording."""
