"""The time, as it is written into a store."""

from datetime import UTC, datetime


def now() -> str:
    """The time, as ISO 8601 in UTC to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
