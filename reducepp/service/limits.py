"""What the service accepts, and how much of it at once."""

from dataclasses import dataclass

from reducepp.errors import UsageError
from reducepp.parallel import cores
from reducepp.sandbox_process import WorkLimits

_TIMES = ("reading_seconds", "header_seconds", "stopping_seconds")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceLimits:
    """Bounds of one request and of all requests together."""

    body_bytes: int = 32 * 1024 * 1024
    pages: int = 500
    """Pages or results of one request."""
    seconds: float = 30.0
    """Processor time for one request, so that a busy machine refuses nothing that an idle one
    answers, and four times as much by the clock; then its worker is ended and replaced."""
    queue: int = 128
    """Requests that wait for a worker; more are told to come again."""
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

    def __post_init__(self) -> None:
        for name in ("body_bytes", "pages", "seconds", "connections", *_TIMES):
            if getattr(self, name) <= 0:
                raise UsageError(f"{name} = {getattr(self, name)}: more than 0 is needed")
        for name in ("queue", "workers", "memory_bytes"):
            if getattr(self, name) < 0:
                raise UsageError(f"{name} = {getattr(self, name)}: 0 or more is needed")

    @property
    def held_bytes(self) -> int:
        """Bodies of all requests together, read or still arriving."""
        return 8 * self.body_bytes

    @property
    def of_request(self) -> WorkLimits:
        """What one request may take in a worker."""
        return WorkLimits(
            seconds=4 * self.seconds,
            processor_seconds=self.seconds,
            memory_bytes=self.memory_bytes,
        )

    @property
    def processes(self) -> int:
        """Worker processes to start."""
        return cores(self.workers)
