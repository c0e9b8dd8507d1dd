"""Bytes → text, also where the declared charset is wrong."""
