"""How the service runs: what it accepts, how much of it at once, and what the operator set."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reducepp.api import ReduceOptions
from reducepp.errors import UsageError
from reducepp.input_kinds import AUTO
from reducepp.types import Profile


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLimits:
    """Bounds of one request and of all requests together."""

    body_bytes: int = 32 * 1024 * 1024
    """Body of one request; those of all requests together, read or arriving, may have 8 times as
    many."""
    pages: int = 500
    """Pages or results of one request."""
    seconds: float = 30.0
    """Processor time for one request, so that a busy machine refuses nothing that an idle one
    answers, and four times as much by the clock; then its worker is ended and replaced."""
    queue: int = 128
    """Requests that wait for a worker; more are refused with 503."""
    workers: int = 0
    """Processes; 0 is one per core."""
    memory_bytes: int = 2 * 1024**3
    """Memory that one request may take in a worker; 0 is any amount."""
    connections: int = 1000
    """Open connections; more are closed at once."""
    header_seconds: float = 10.0
    """Time for a request's head to arrive, from the opening of its connection."""
    reading_seconds: float = 30.0
    """Time for a request's body to arrive."""
    stopping_seconds: int = 30
    """Time for requests under way to finish when the service stops."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSettings:
    """What the operator set."""

    limits: ServiceLimits = field(default_factory=ServiceLimits)
    profile: str | Profile = AUTO
    """For requests that name none."""
    threshold: float | None = None
    """For requests that name neither threshold nor profile."""
    index: str = ""
    """File of the pages that `/seen` compares with; "" for none."""
    token: str = ""
    hosts: tuple[str, ...] = ()
    """Names the service answers to; empty is any. Keeps a web page from reaching a service on
    loopback under a name of its own."""
    root_path: str = ""
    """Path prefix under which a proxy serves it, such as /reducepp."""
    cors_origins: tuple[str, ...] = ()
    """Origins whose pages may call it."""
    labels: Path | None = None
    """Folder in which the page's labels are kept; without one they stay in the browser."""

    def options(
        self, name: str | None, *, threshold: float | None = None, **given: Any
    ) -> ReduceOptions:
        """Options of a request; profile and threshold are the operator's where it names none."""
        if threshold is None and not name:
            threshold = self.threshold
        return ReduceOptions(profile=name or self.profile, threshold=threshold, **given)

    def check_count(self, pages: int) -> None:
        """Raise UsageError for more pages than a request may hold."""
        if pages > self.limits.pages:
            raise UsageError(f"{pages} pages: at most {self.limits.pages} are taken at once")
