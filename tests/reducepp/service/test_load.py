"""Two thousand requests from fifty clients: every one gets its own answer."""

from __future__ import annotations

import http.client
import json
import statistics
import threading
import time

import pytest

from tests.reducepp.plugins.samples import RESULTS
from tests.reducepp.service.running import Running

CLIENTS, EACH = 50, 40


@pytest.mark.slow
def test_nothing_is_lost_under_load(service: Running) -> None:
    took: list[float] = []
    wrong: list[object] = []

    def call(client: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=150)
        for number in range(EACH):
            query = f"{client}-{number}"
            results = [{**r, "id": f"{query}-{i}"} for i, r in enumerate(RESULTS * 2)]
            body = json.dumps({"query": query, "results": results})
            start = time.perf_counter()
            connection.request("POST", "/reduce", body, {"content-type": "application/json"})
            answer = connection.getresponse()
            found = json.loads(answer.read())
            took.append(time.perf_counter() - start)
            right = answer.status == 200 and found["query"] == query and found["after"] == 3
            if not (right and found["clusters"][0]["kept"] == f"{query}-0"):
                wrong.append((answer.status, found))
        connection.close()

    threads = [threading.Thread(target=call, args=(client,)) for client in range(CLIENTS)]
    start = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    whole = time.perf_counter() - start
    assert wrong == []
    assert len(took) == CLIENTS * EACH
    cuts = statistics.quantiles(took, n=100)
    print(
        f"{len(took)} requests from {CLIENTS} clients in {whole:.1f} s: "
        f"median {cuts[49] * 1e3:.0f} ms, p95 {cuts[94] * 1e3:.0f} ms, p99 {cuts[98] * 1e3:.0f} ms"
    )
    assert cuts[94] < 20
