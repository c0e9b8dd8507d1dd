"""A reverse proxy on loopback that serves a service under a path prefix, as nginx would."""

import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BODY = 2**20
"""Bytes of a request that nginx accepts by default."""


@contextmanager
def prefix_proxy(prefix: str, port: int) -> Iterator[str]:
    """Address of the proxy while it runs."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._pass(b"")

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if len(body) > MAX_BODY:
                self.send_error(413)
            else:
                self._pass(body)

        def _pass(self, body: bytes) -> None:
            if not self.path.startswith(f"{prefix}/"):
                self.send_error(404)
                return
            upstream = http.client.HTTPConnection("127.0.0.1", port, timeout=150)
            headers = {k: v for k, v in self.headers.items() if k.lower() == "content-type"}
            upstream.request(self.command, self.path.removeprefix(prefix), body, headers)
            answer = upstream.getresponse()
            data = answer.read()
            upstream.close()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in ("content-length", "transfer-encoding", "connection"):
                    self.send_header(name, value)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
