"""The service under 200 clients, beside slow and half-open ones, with a restart in the middle.

    python -m benchmarks service_load

A request that was sent whole and got neither an answer nor a refusal is lost; there must be none.
A refused connection and 503 are tried again, as the answer says, and the waiting is counted.
"""

import asyncio
import os
import re
import signal
import statistics
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field

import httpx

CLIENTS, EACH = 200, 5
IDLE = 20
"""Half-open connections, and as many that send one byte a second."""
TRIES = 300
"""Of one request; half a second apart."""
BODY = {
    "query": "lighthouse",
    "results": [
        {"title": f"Lighthouse {i % 7}", "url": f"https://{i}.example/", "snippet": "Repair voted."}
        for i in range(20)
    ],
}


@dataclass
class Tally:
    """What became of the requests."""

    seconds: list[float] = field(default_factory=list)
    """Of requests that were answered at the first try."""
    delayed: list[float] = field(default_factory=list)
    """Of those that had to wait for the restart, or for room in the queue."""
    lost: int = 0
    wrong: int = 0


def start(port: int) -> tuple[subprocess.Popen[str], int]:
    """A service, and the port that it has."""
    words = [sys.executable, "-m", "reducepp", "serve", "--port", str(port)]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
    assert process.stderr is not None
    line = process.stderr.readline()
    found = re.search(r"http://.*:(\d+)/", line)
    if not found:
        raise SystemExit(f"the service does not start: {line}")
    return process, int(found[1])


async def call(client: httpx.AsyncClient, tally: Tally) -> None:
    """One request until it is answered."""
    begun = time.perf_counter()
    for attempt in range(TRIES):
        try:
            answer = await client.post("/reduce", json=BODY)
        except (httpx.ConnectError, httpx.ConnectTimeout):
            pass
        except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError):
            tally.lost += 1
            return
        else:
            if answer.status_code == 200:
                found = tally.delayed if attempt else tally.seconds
                found.append(time.perf_counter() - begun)
                return
            if answer.status_code != 503:
                tally.wrong += 1
                return
        await asyncio.sleep(0.5)
    tally.wrong += 1


async def client(url: str, tally: Tally) -> None:
    """A client with a connection per request: a kept one may be closed by a restart unseen."""
    headers = {"connection": "close"}
    async with httpx.AsyncClient(
        base_url=url, timeout=120, trust_env=False, headers=headers
    ) as session:
        for _ in range(EACH):
            await call(session, tally)


async def idle(port: int, drips: bool) -> None:
    """A connection that never sends a whole request, opened again when it is closed."""
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"POST /reduce HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 900\r\n")
            while drips and not reader.at_eof():
                writer.write(b"x")
                await writer.drain()  # OSError where the service has closed it
                await asyncio.sleep(1)
            await reader.read(1)
            writer.close()
        await asyncio.sleep(0.2)


async def run() -> None:
    """Load, restart in the middle, and the figures."""
    process, port = await asyncio.to_thread(start, 0)
    tally = Tally()
    begun = time.perf_counter()
    url = f"http://127.0.0.1:{port}"
    others = [
        asyncio.create_task(idle(port, drips)) for drips in (False, True) for _ in range(IDLE)
    ]
    clients = [asyncio.create_task(client(url, tally)) for _ in range(CLIENTS)]
    try:
        while len(tally.seconds) < CLIENTS * EACH // 2 and not all(c.done() for c in clients):
            await asyncio.sleep(0.1)
        await asyncio.to_thread(stop, process)
        process, _ = await asyncio.to_thread(start, port)
        await asyncio.gather(*clients)
    finally:
        for task in others:
            task.cancel()
        await asyncio.to_thread(stop, process)
    _print(tally, time.perf_counter() - begun)


def stop(process: subprocess.Popen[str]) -> None:
    """As a supervisor does."""
    process.send_signal(signal.SIGTERM)
    process.wait()


def _print(tally: Tally, took: float) -> None:
    p95 = statistics.quantiles(tally.seconds, n=20)[-1]
    print(f"{CLIENTS} clients, {2 * IDLE} slow or half-open connections, one restart, {took:.0f} s")
    print(
        f"answered {len(tally.seconds)}, after a wait {len(tally.delayed)}, lost {tally.lost}, ",
        end="",
    )
    print(f"wrong {tally.wrong}; median {statistics.median(tally.seconds):.1f} s, p95 {p95:.1f} s")


def main() -> None:
    """Print what became of the requests."""
    asyncio.run(run())
