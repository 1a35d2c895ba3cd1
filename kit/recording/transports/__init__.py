"""Stubs for clients other than httpx (urllib3, http.client, aiohttp), and what all stubs share."""
