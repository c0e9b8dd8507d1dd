"""Profiles: which signals, how much each counts, and from which score two pages are one."""
