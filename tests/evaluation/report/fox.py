"""A report in a real Firefox, driven over WebDriver BiDi: no driver program is needed."""

import json
import shutil
import subprocess
from itertools import count
from pathlib import Path
from typing import Any


def find_firefox() -> str:
    """The program, or "" where there is none."""
    return shutil.which("firefox") or shutil.which("firefox-esr") or ""


class Fox:
    """One window of a Firefox with a profile of its own."""

    def __init__(self, program: str, profile: Path, connect: Any) -> None:
        words = ("--headless", "--no-remote", "--remote-debugging-port", "0")
        self.errors: list[str] = []
        self._numbers = count(1)
        self._process = subprocess.Popen(
            [program, *words, "--profile", str(profile), "about:blank"],
            stderr=subprocess.PIPE,
            text=True,
        )
        self._socket = connect(f"{self._address()}/session", suppress_origin=True, timeout=60)
        self._call("session.new", capabilities={})
        self._call("session.subscribe", events=["log.entryAdded"])
        self._page = self._call("browsingContext.getTree")["contexts"][0]["context"]

    def close(self) -> None:
        self._socket.close()
        self._process.terminate()
        self._process.wait(30)
        assert self._process.stderr is not None
        self._process.stderr.close()

    def open(self, path: Path) -> None:
        self._call(
            "browsingContext.navigate", context=self._page, url=path.as_uri(), wait="complete"
        )

    def run(self, script: str) -> Any:
        """What a function body gives; it runs in the page."""
        found = self._call(
            "script.evaluate",
            expression=f"JSON.stringify((() => {{ {script} }})() ?? null)",
            target={"context": self._page},
            awaitPromise=False,
        )
        assert found["type"] == "success", found
        return json.loads(found["result"]["value"])

    def clusters(self) -> list[tuple[int, list[int]]]:
        """What the page shows: number of the kept page, numbers of all members."""
        found = self.run(
            "return [...document.querySelectorAll('li.result')]"
            ".map(li => [+li.dataset.page, li.dataset.members.split(' ').map(Number)])"
        )
        return [(kept, members) for kept, members in found]

    def slide(self, selector: str, value: float) -> None:
        self.run(
            f"const s = document.querySelector('{selector}'); s.value = {value};"
            "s.dispatchEvent(new Event('input', {bubbles: true}))"
        )

    def _address(self) -> str:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            if "BiDi listening on " in line:
                return line.split("listening on ")[1].strip()
        raise RuntimeError("Firefox ended before it could be driven")

    def _call(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("method") == "log.entryAdded":
                self.errors.append(str(message["params"]["text"]))
            elif message.get("id") == number:
                assert message["type"] == "success", message
                return message["result"]
