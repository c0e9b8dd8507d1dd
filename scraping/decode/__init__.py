"""Bytes → text, whatever they declare."""
