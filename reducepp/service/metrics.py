"""What Prometheus reads from /metrics."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from reducepp.service.workers import Counts

BUCKETS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
"""Seconds; 30 is the default limit of a request."""


class Metrics:
    """Requests by route and status, their time, and the state of queue and workers."""

    def __init__(self, counts: Counts) -> None:
        self.registry = here = CollectorRegistry()
        answered, refused = "Requests answered", "Requests refused before any work"
        took = "Time from a request's body to its answer, waiting included"
        self.requests = Counter("reducepp_requests", answered, ["route", "status"], registry=here)
        self.refused = Counter("reducepp_refused", refused, ["status"], registry=here)
        self.seconds = Histogram(
            "reducepp_request_seconds", took, ["route"], buckets=BUCKETS, registry=here
        )
        for name, text, read in (
            ("reducepp_waiting", "Requests in the queue", lambda: counts.waiting),
            ("reducepp_running", "Requests being worked on", lambda: counts.running),
            ("reducepp_worker_restarts", "Workers ended and replaced", lambda: counts.restarts),
        ):
            Gauge(name, text, registry=here).set_function(read)

    def note(self, route: str, status: int, seconds: float) -> None:
        """Count one answer."""
        self.requests.labels(route=route, status=str(status)).inc()
        self.seconds.labels(route=route).observe(seconds)

    def note_refused(self, status: int) -> None:
        """Count a request that was refused before it reached a route."""
        self.refused.labels(status=str(status)).inc()

    def text(self) -> bytes:
        """Everything in the text format."""
        return generate_latest(self.registry)
