"""Bounds on connections, which the HTTP server itself does not have."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from reducepp.service.limits import ServiceLimits

UNREAD_SECONDS = 5.0
"""For a caller to read its answer once the service stops."""


def bounded_protocol(limits: ServiceLimits) -> type[asyncio.Protocol]:
    """An HTTP protocol that closes what is too many, and what sends no whole head in time."""
    return type("BoundedProtocol", (_BoundedProtocol,), {"limits": limits})


class _BoundedProtocol(H11Protocol):
    limits: ServiceLimits
    is_stopping = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the clock, or close at once where too many are open."""
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            transport.close()
        else:
            self._await_head()

    def on_response_complete(self) -> None:
        """Start the clock for the next request of the connection."""
        super().on_response_complete()
        if self.is_stopping:
            self._end_unread()
        elif not self.transport.is_closing():
            self._await_head()

    def shutdown(self) -> None:
        """Close what has not sent its whole request; what waits for an answer gets it."""
        self.is_stopping = True
        is_open = self.cycle is not None and not self.cycle.response_complete
        if is_open and self.cycle.more_body:
            self.transport.close()
            return
        super().shutdown()
        if not is_open:
            self._end_unread()

    def _end_unread(self) -> None:
        self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def _await_head(self) -> None:
        last: Any = self.cycle
        seconds = self.limits.header_seconds + (self.timeout_keep_alive if last else 0)
        self.loop.call_later(seconds, self._close_without_head, last)

    def _close_without_head(self, last: Any) -> None:
        if self.cycle is last and not self.transport.is_closing():
            self.transport.close()
