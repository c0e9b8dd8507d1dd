"""Serve the HTTP interface and its page: POST /reduce, /compare, /seen, /sweep, /split."""

import os
import signal
import socket
from argparse import Namespace
from pathlib import Path

from reducepp.api import without_file
from reducepp.cli.output import note
from reducepp.errors import InputError, UsageError, errors_as, needs_extra
from reducepp.index import Index

with needs_extra("the HTTP service", "serve"):
    import uvicorn

    from reducepp.service.access import is_loopback
    from reducepp.service.app import make_app
    from reducepp.service.connections import bounded_protocol
    from reducepp.service.limits import ServiceLimits, ServiceSettings


def run(args: Namespace) -> int:
    """Serve until a signal to stop; requests under way finish."""
    settings = _settings(args)
    family = socket.AF_INET6 if ":" in args.host else socket.AF_INET
    address = (args.host.strip("[]"), args.port)
    with errors_as(UsageError, f"--host {args.host} --port {args.port}", OSError, OverflowError):
        listening = socket.create_server(address, family=family, backlog=512)
    config = uvicorn.Config(
        make_app(settings),
        http=bounded_protocol(settings.limits),
        root_path=settings.root_path,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=settings.limits.stopping_seconds,
    )
    for stop in (signal.SIGINT, signal.SIGTERM):
        # uvicorn stops at either and then sends it again, to whoever was there before: nobody
        signal.signal(stop, lambda *_: None)
    note(f"serving on http://{_host_name(args)}:{listening.getsockname()[1]}/ (Ctrl-C stops)")
    uvicorn.Server(config).run(sockets=[listening])
    return 0


def _host_name(args: Namespace) -> str:
    return f"[{args.host}]" if ":" in args.host else args.host


def _settings(args: Namespace) -> ServiceSettings:
    """What the operator set; UsageError for what would let others in, or does not fit."""
    token, local = read_token(args.token_file), is_loopback(args.host)
    if not local and not token and not args.insecure:
        raise UsageError(
            f"--host {args.host}: others could call it; set REDUCEPP_TOKEN or --token-file "
            "(or --insecure, if something else keeps them out)"
        )
    root_path = args.root_path.rstrip("/")
    if root_path and not root_path.startswith("/"):
        raise UsageError(f"--root-path {args.root_path}: a path that begins with / is needed")
    if args.index:
        Index(args.index, create=False).close()  # raises now where it cannot be read
    own = ("localhost", "127.0.0.1", "[::1]", _host_name(args))
    limits = ServiceLimits(
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
    return ServiceSettings(
        limits=limits,
        profile=without_file(args.profile),
        threshold=args.threshold,
        index=str(Path(args.index).resolve()) if args.index else "",
        token=token,
        hosts=(*(own if local or args.allowed_host else ()), *map(str.lower, args.allowed_host)),
        root_path=root_path,
        cors_origins=tuple(args.cors_origin),
        labels=args.labels,
    )


def read_token(file: str | None) -> str:
    """The token from the file or the environment; "" where there is none."""
    if not file:
        return os.environ.get("REDUCEPP_TOKEN", "").strip()
    with errors_as(InputError, file, OSError):
        token = Path(file).read_text("utf-8").strip()
    if not token:
        raise InputError(f"{file}: no token in it")
    return token
