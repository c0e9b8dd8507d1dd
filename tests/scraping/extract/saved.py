"""Pages saved as one file, made up in the form that Chromium gives them."""

from __future__ import annotations

import base64
import quopri

URL = "https://bay.example/ships"
HEAD = (
    "From: <Saved by Blink>\r\nSnapshot-Content-Location: {url}\r\nSubject: Ships\r\n"
    'MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype="text/html";\r\n'
    '\tboundary="----b----"\r\n\r\n'
)


def part(
    content: str | bytes, kind: str = "text/html", name: str = "", location: str = ""
) -> bytes:
    """A part as Chromium writes it: texts in quoted-printable, others in base 64."""
    text = isinstance(content, str)
    data = quopri.encodestring(content.encode()) if text else base64.encodebytes(content)
    lines = [
        "------b----",
        f"Content-Type: {kind}",
        f"Content-Transfer-Encoding: {'quoted-printable' if text else 'base64'}",
        *([f"Content-ID: <{name}>"] if name else []),
        *([f"Content-Location: {location}"] if location else []),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data.replace(b"\n", b"\r\n") + b"\r\n"


def saved(*parts: bytes, url: str = URL) -> bytes:
    return HEAD.format(url=url).encode() + b"".join(parts) + b"------b------\r\n"
