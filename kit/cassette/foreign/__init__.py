"""Recordings of other kits: read into plain exchanges, and written so that those kits load them."""
