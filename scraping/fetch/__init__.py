"""Fetching: HTTP and browser, address guard, politeness."""
