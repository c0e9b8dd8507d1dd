"""A report in a real Chromium, as a test drives it."""

import json
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.expected_conditions import visibility_of_element_located
from selenium.webdriver.support.wait import WebDriverWait

from reducepp.scraping.fetch.chromium import Programs


class Screen:
    """One browser window; `open` shows a report and forgets the one before."""

    def __init__(self, programs: Programs, *more: str) -> None:
        options = webdriver.ChromeOptions()
        options.binary_location = programs.browser
        for word in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", *more):
            options.add_argument(f"--{word}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = webdriver.ChromeService(programs.driver)
        self.driver = webdriver.Chrome(options=options, service=service)
        self.resize(1280, 900)

    def close(self) -> None:
        self.driver.quit()

    def open(self, path: Path) -> None:
        self.console()
        self.driver.get(path.as_uri())

    def console(self) -> list[str]:
        """What the browser complained about since the last call."""
        return [f"{entry['level']} {entry['message']}" for entry in self.driver.get_log("browser")]

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element("css selector", selector)

    def wait_for(self, selector: str) -> WebElement:
        """An element that is drawn a moment later, as inside a fold that was just opened."""
        return WebDriverWait(self.driver, 60).until(
            visibility_of_element_located(("css selector", selector))
        )

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements("css selector", selector)

    def slide(self, selector: str, value: float) -> None:
        """Move a slider as a hand would: the page hears `input`."""
        self.run(
            "const s = document.querySelector(arguments[0]); s.value = arguments[1];"
            "s.dispatchEvent(new Event('input', {bubbles: true}))",
            selector,
            value,
        )

    def type_threshold(self, value: float) -> None:
        """Type a threshold with all its digits."""
        box = self.find(".threshold-number")
        box.send_keys(Keys.CONTROL, "a")
        box.send_keys(repr(value), Keys.ENTER)

    def clusters(self) -> list[tuple[int, list[int]]]:
        """What the page shows: number of the kept page, numbers of all members."""
        found = self.run(
            "return [...document.querySelectorAll('li.result')]"
            ".map(li => [+li.dataset.page, li.dataset.members.split(' ').map(Number)])"
        )
        return [(kept, members) for kept, members in found]

    def work_out(self, script: str, *arguments: Any) -> Any:
        """Run a script with `query`, the opened first query of the page, and `R`, the component."""
        start = (
            "const R = ReduceReport, data = JSON.parse(document.getElementById('report-data')"
            ".textContent), query = R.openQuery(data.queries[0], data.profile);"
        )
        found = self.run(
            f"{start} return JSON.stringify((() => {{ {script} }}).apply(null, arguments))",
            *arguments,
        )
        return json.loads(found) if found is not None else None

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)

    def prefer(self, scheme: str) -> None:
        feature = {"name": "prefers-color-scheme", "value": scheme}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
