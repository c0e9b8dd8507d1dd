"""Renders a URL in Chromium: scripts run, consent banners closed, frames inserted."""

import json
import threading
import time
import tomllib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from selenium.common.exceptions import (
    NoSuchElementException,
    NoSuchFrameException,
    TimeoutException,
    WebDriverException,
)
from urllib3.exceptions import HTTPError

from reducepp.errors import FetchError, GuardError, ReduceppError, first_line
from reducepp.scraping.extract.frames import MARK, MAX_DEPTH, MAX_FRAMES, insert_frames
from reducepp.scraping.fetch.chromium import Chromium, Programs
from reducepp.scraping.fetch.guard import AddressGuard
from reducepp.scraping.fetch.guard_proxy import GuardProxy

_FOLDER = Path(__file__).parent

_NO_DIALOGS = """
window.alert = window.print = () => undefined;
window.confirm = () => false;
window.prompt = () => null;
"""
"""Runs before a page's own scripts: a dialog would block the page."""
_PAGE_STATE = _FOLDER.joinpath("page_state.js").read_text("utf-8")
_SERIALIZE = _FOLDER.joinpath("serialize.js").read_text("utf-8").replace("MARK", MARK)

_STATUS = "return (performance.getEntriesByType('navigation')[0] || {}).responseStatus | 0"
"""HTTP status of the document, 0 where it is not known."""


def _read_consent_script() -> str:
    """`consent.js` with the selectors and patterns of `consent.toml` in it."""
    values = json.dumps(tomllib.loads(_FOLDER.joinpath("consent.toml").read_text("utf-8")))
    return _FOLDER.joinpath("consent.js").read_text("utf-8").replace("CONSENT", values)


_CLOSE_BANNERS = _read_consent_script()
"""Refuses where a cookie or consent banner has a button for it, else agrees; then removes banners
that are still shown."""
_FAILURES = (WebDriverException, HTTPError, OSError, ReduceppError, TypeError, ValueError)
"""What a browser raises that fails, or in which a page has replaced what our scripts call."""
LOAD_SHARE = 0.7
"""Part of the timeout for loading; the rest is for scripts to settle and for reading the result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    url: str
    html: str


@dataclass(eq=False)
class Browser(AbstractContextManager["Browser"]):
    """Renders page after page; a fresh browser after a crash and after every `pages` pages.

    Use as ``with Browser(...) as browser``, from one thread at a time.
    """

    programs: Programs
    guard: AddressGuard
    user_agent: str = ""
    timeout: float = 20.0
    max_bytes: int = 8_000_000
    pages: int = 50

    def __post_init__(self) -> None:
        self._left = 0
        self._aborted = False
        self._running: Chromium | None = None
        self._proxy = GuardProxy(max_bytes=self.max_bytes)

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the browser and its proxy."""
        self._stop()
        self._proxy.stop()

    def render(self, url: str, guard: AddressGuard | None = None) -> Rendered:
        """The page at `url`; FetchError where it is refused, too slow, too large or crashes.

        `guard` replaces the browser's own for this page.
        """
        guard = guard or self.guard
        target = guard.check_url(url)
        for attempt in (1, 2):
            driver = None
            try:
                driver = self._ready_driver()
                with self._loading(guard) as deadline:
                    return self._load(driver, url, guard)
            except FetchError:
                self._stop()
                raise
            except _FAILURES as error:
                self._stop()
                if target in self._proxy.refused:
                    raise GuardError(f"not a public address: {url[:200]}") from None
                if driver and (deadline.is_set() or isinstance(error, TimeoutException)):
                    raise self._too_slow() from None
                if attempt == 2 or "net::" in str(error):  # the site's doing, not the browser's
                    raise FetchError(f"browser failed: {first_line(error)}") from None
        raise AssertionError("the second attempt returns or raises")

    def _too_slow(self) -> FetchError:
        return FetchError(f"too slow: more than {self.timeout:g} s in the browser")

    @contextmanager
    def _loading(self, guard: AddressGuard) -> Iterator[threading.Event]:
        """Opens the proxy for a page; at the deadline, ends the browser and sets the event."""
        deadline = threading.Event()
        running = self._running

        def end() -> None:
            deadline.set()
            if running is not None:
                running.close()

        timer = threading.Timer(self.timeout, end)
        timer.start()
        try:
            with self._proxy.page(guard):
                yield deadline
        finally:
            timer.cancel()

    def start(self) -> None:
        """Start the browser now; ReduceppError where it does not."""
        try:
            self._ready_driver()
            self._left += 1
        except _FAILURES as error:
            self._stop()
            raise ReduceppError(f"the browser does not start: {first_line(error)}") from None

    def kill(self) -> None:
        """Stop a rendering in another thread; this browser cannot be used again."""
        self._aborted = True
        self._stop()

    def _ready_driver(self) -> Any:
        running = self._running
        if running is None or self._left <= 0:
            self._stop()
            self._proxy.start()
            running = self._running = Chromium(self.programs)
            self._check_not_aborted()
            running.connect(proxy_port=self._proxy.port, timeout=self.timeout)
            self._left, driver = self.pages, running.driver
            driver.set_page_load_timeout(LOAD_SHARE * self.timeout)
            driver.set_script_timeout(5)
            plain = driver.execute_script("return navigator.userAgent").replace("Headless", "")
            agent = f"{plain} {self.user_agent}".strip()
            _devtools(driver, "Network.setUserAgentOverride", userAgent=agent)
            _devtools(driver, "Page.addScriptToEvaluateOnNewDocument", source=_NO_DIALOGS)
        self._check_not_aborted()
        self._left -= 1
        return running.driver

    def _check_not_aborted(self) -> None:
        if self._aborted:
            raise FetchError("browser failed: it was stopped")

    def _stop(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            running.close()

    def _load(self, driver: Any, url: str, guard: AddressGuard) -> Rendered:
        complete = True
        try:
            driver.get(url)
            self._settle(driver)
        except TimeoutException:
            complete = False
            driver.execute_script("window.stop()")
        self._check_final_url(driver.current_url, guard)
        if (status := driver.execute_script(_STATUS)) >= 400:
            raise FetchError(f"status {status} in the browser")
        _, removed = driver.execute_script(_CLOSE_BANNERS)
        if removed:
            time.sleep(0.05)
        html = self._document(driver, MAX_DEPTH, [MAX_FRAMES])
        final = driver.current_url
        _clean_up(driver, final)
        if not complete and len(html) < 500:
            raise self._too_slow()
        if not html:
            raise FetchError("the browser shows no document")
        return Rendered(url=final, html=html)

    def _settle(self, driver: Any, seconds: float = 4.0) -> None:
        """Wait until the document stops changing, and for a meta refresh."""
        deadline = time.monotonic() + seconds
        before: list[Any] = []
        quiet = 0
        while time.monotonic() < deadline and quiet < 2:
            state = driver.execute_script(_PAGE_STATE)
            waiting = 0 <= state[4] <= seconds
            quiet = quiet + 1 if state == before and state[1] == "complete" and not waiting else 0
            before = state
            time.sleep(0.15)

    def _check_final_url(self, url: str, guard: AddressGuard) -> None:
        """Checks the final URL: scripts may have navigated elsewhere."""
        if url.startswith(("about:", "data:", "blob:", "chrome-error:")):
            raise FetchError(f"not a web address: the page led to {url[:60]!r}")
        if guard.check_url(url) in self._proxy.refused:
            raise GuardError(f"not a public address: the page led to {url[:200]}")

    def _document(self, driver: Any, depth: int, left: list[int]) -> str:
        """This frame's document with the documents of its visible frames in their places."""
        html, count = driver.execute_script(_SERIALIZE, left[0] if depth else 0, self.max_bytes)
        if not isinstance(html, str):
            raise FetchError(f"too large: more than {self.max_bytes} characters when rendered")
        left[0] -= count
        inner: list[str] = []
        for number in range(count):
            try:
                frame = driver.find_element("css selector", f'[{MARK}="{number}"]')
                driver.switch_to.frame(frame)
            except (NoSuchElementException, NoSuchFrameException):
                inner.append("")
                continue
            inner.append(self._document(driver, depth - 1, left))
            driver.switch_to.parent_frame()
        return insert_frames(html, inner)


def _clean_up(driver: Any, url: str) -> None:
    """Removes what the next page could see: windows, cookies, cache, site storage."""
    first, *others = driver.window_handles
    for handle in others:
        driver.switch_to.window(handle)
        driver.close()
    if others:
        driver.switch_to.window(first)
    _devtools(driver, "Network.clearBrowserCookies")
    _devtools(driver, "Network.clearBrowserCache")
    parts = urlsplit(url)
    origin = f"{parts.scheme}://{parts.netloc}"
    _devtools(driver, "Storage.clearDataForOrigin", origin=origin, storageTypes="all")
    driver.get("about:blank")


def _devtools(driver: Any, command: str, **parameters: Any) -> None:
    driver.execute("executeCdpCommand", {"cmd": command, "params": parameters})
