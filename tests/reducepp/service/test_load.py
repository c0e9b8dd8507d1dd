"""Two thousand requests from fifty clients: every one gets its own answer."""

import http.client
import json
import threading

import pytest

from tests.reducepp.plugins.samples import RESULTS
from tests.reducepp.service.running import Running

CLIENTS, EACH = 50, 40


@pytest.mark.slow
def test_nothing_is_lost_under_load(service: Running) -> None:
    right: list[str] = []
    wrong: list[object] = []

    def call(client: int) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=150)
        for number in range(EACH):
            query = f"{client}-{number}"
            results = [{**r, "id": f"{query}-{i}"} for i, r in enumerate(RESULTS * 2)]
            body = json.dumps({"query": query, "results": results})
            connection.request("POST", "/reduce", body, {"content-type": "application/json"})
            answer = connection.getresponse()
            found = json.loads(answer.read())
            own = answer.status == 200 and found["query"] == query and found["after"] == 3
            if own and found["clusters"][0]["kept"] == f"{query}-0":
                right.append(query)
            else:
                wrong.append((answer.status, found))
        connection.close()

    threads = [threading.Thread(target=call, args=(client,)) for client in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert len(set(right)) == CLIENTS * EACH
