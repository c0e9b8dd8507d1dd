"""Bounds on connections, which the HTTP server itself does not have."""

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from reducepp.service.limits import ServiceLimits


def bounded_protocol(limits: ServiceLimits) -> type[asyncio.Protocol]:
    """An HTTP protocol that closes what is too many, and what sends no whole head in time."""

    class BoundedProtocol(H11Protocol):
        """One connection."""

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            """Start the clock, or close at once where too many are open."""
            super().connection_made(transport)
            if len(self.connections) > limits.connections:
                transport.close()
            else:
                self._await_head()

        def on_response_complete(self) -> None:
            """Start the clock for the next request of the connection."""
            super().on_response_complete()
            if not self.transport.is_closing():
                self._await_head()

        def _await_head(self) -> None:
            last: Any = self.cycle
            seconds = limits.header_seconds + (self.timeout_keep_alive if last else 0)
            self.loop.call_later(seconds, self._close_without_head, last)

        def _close_without_head(self, last: Any) -> None:
            if self.cycle is last and not self.transport.is_closing():
                self.transport.close()

    return BoundedProtocol
