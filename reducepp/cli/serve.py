"""Serve the HTTP interface and its page: POST /reduce, /compare, /seen, /sweep, /split.

example:
  reducepp serve --port 8000
  curl -s localhost:8000/reduce -H 'content-type: application/json' \\
    -d '{"results": [{"title": "Rain", "url": "https://a.example", "snippet": "Rain in Spain"}]}'

--profile and --threshold are for requests that name none; by default pages are compared by the
profile `default`, posts by `posts`. Only this machine can reach it, unless
--host says otherwise; then callers need the bearer token from --token-file or the environment
variable REDUCEPP_TOKEN.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
from pathlib import Path
from typing import TYPE_CHECKING

from reducepp.cli.output import note
from reducepp.errors import InputError, MissingExtraError, UsageError

if TYPE_CHECKING:
    from reducepp.service.limits import ServiceLimits


def run(args: argparse.Namespace) -> int:
    """Serve until a signal to stop; requests under way finish."""
    try:
        import uvicorn

        from reducepp.api import find_profile
        from reducepp.service.access import is_loopback
        from reducepp.service.app import Settings, make_app
        from reducepp.service.connections import bounded_protocol
    except ImportError:
        raise MissingExtraError("the HTTP service", "serve") from None
    token, limits = read_token(args.token_file), limits_of(args)
    local = is_loopback(args.host)
    if not local and not token and not args.insecure:
        raise UsageError(
            f"--host {args.host}: others could call it; set REDUCEPP_TOKEN or --token-file "
            "(or --insecure, if something else keeps them out)"
        )
    listening = _listen(args.host, args.port)
    name = f"[{args.host}]" if ":" in args.host else args.host
    names = ("localhost", "127.0.0.1", "[::1]", name) if local or args.allowed_host else ()
    hosts = (*names, *(host.lower() for host in args.allowed_host))
    profile = find_profile(args.profile) if args.profile else None
    settings = Settings(
        limits=limits,
        profile=profile,
        threshold=args.threshold,
        index=_index_file(args.index),
        token=token,
        hosts=hosts,
        root_path=_root_path(args.root_path),
        cors_origins=tuple(args.cors_origin),
        labels=args.labels,
    )
    config = uvicorn.Config(
        make_app(settings),
        http=bounded_protocol(limits),
        root_path=settings.root_path,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=limits.stopping_seconds,
    )
    for stop in (signal.SIGINT, signal.SIGTERM):
        # uvicorn stops at either and then sends it again, to whoever was there before: nobody
        signal.signal(stop, lambda *_: None)
    note(f"serving on http://{name}:{listening.getsockname()[1]}/ (Ctrl-C stops)")
    uvicorn.Server(config).run(sockets=[listening])
    return 0


def limits_of(args: argparse.Namespace) -> ServiceLimits:
    """The service's bounds from the arguments."""
    from reducepp.service.limits import ServiceLimits

    return ServiceLimits(
        body_bytes=args.max_mib * 1024 * 1024,
        pages=args.max_pages,
        seconds=float(args.max_seconds),
        queue=args.queue,
        workers=args.jobs,
        stopping_seconds=args.max_seconds + 5,
        memory_bytes=args.max_memory_mib * 1024 * 1024,
        connections=args.max_connections,
        header_seconds=float(args.max_header_seconds),
    )


def _index_file(path: str) -> str:
    """The index by its whole path; InputError where it cannot be read."""
    if not path:
        return ""
    from reducepp.index import Index

    Index(path, create=False).close()
    return str(Path(path).resolve())


def _root_path(text: str) -> str:
    path = text.rstrip("/")
    if path and not path.startswith("/"):
        raise UsageError(f"--root-path {text}: a path that begins with / is needed")
    return path


def read_token(file: str | None) -> str:
    """The token from the file or the environment; "" where there is none."""
    if not file:
        return os.environ.get("REDUCEPP_TOKEN", "").strip()
    try:
        token = Path(file).read_text("utf-8").strip()
    except OSError as error:
        raise InputError(f"{file}: {error.strerror or error}") from None
    if not token:
        raise InputError(f"{file}: no token in it")
    return token


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host.strip("[]"), port), family=family, backlog=512)
    except (OSError, OverflowError) as error:
        raise UsageError(f"--host {host} --port {port}: {error}") from None
