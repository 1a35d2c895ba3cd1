"""kit in pytest: scenarios as tests, and a recording for any test of the user's own."""
