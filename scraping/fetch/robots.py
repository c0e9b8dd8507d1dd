"""robots.txt: whether it allows a URL, in time that a hostile file cannot stretch.

Call `check_robots` in a sandboxed worker: the patterns of a file are wildcards that can backtrack.
"""

import re
from functools import lru_cache
from typing import Any

AGENT_LINE = re.compile(r"user[ -]?agent\s*[: ]\s*(.+)", re.IGNORECASE)
OTHER_AGENT = "some-other-agent"
CACHED_FILES = 128
"""Parsed files that a worker keeps; a run fetches from few hosts at a time."""


def check_robots(text: str, url: str, agents: tuple[str, ...]) -> tuple[bool, float]:
    """Whether every one of the user agents may fetch `url`, and the Crawl-delay of the first."""
    rules = _parse(text, agents)
    allowed = all(rules.can_fetch(url, agent) for agent in agents)
    return allowed, float(rules.crawl_delay(agents[0]) or 0.0)


@lru_cache(maxsize=CACHED_FILES)
def _parse(text: str, agents: tuple[str, ...]) -> Any:
    from protego import Protego

    return Protego.parse(relevant_groups(text, agents))


def relevant_groups(text: str, agents: tuple[str, ...]) -> str:
    """A file in which the user agents that are not ours have become one.

    A parser stores every rule of a group once per agent of the group, which takes gigabytes for
    5,000 agents with 5,000 rules.
    """
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    names = {_agent_name(line) for line in lines} - {""}
    wanted = {_best_name(names, agent) for agent in agents} | {"*"}
    kept: list[str] = []
    for line in filter(None, lines):
        name = _agent_name(line)
        renamed = f"User-agent: {name if name in wanted else OTHER_AGENT}" if name else line
        if not kept or renamed != kept[-1] or not name:
            kept.append(renamed)
    return "\n".join(kept)


def _agent_name(line: str) -> str:
    """The name in a User-agent line, in lower case without wildcards; "" for any other line."""
    found = AGENT_LINE.match(line)
    name = found[1].strip().lower() if found else ""
    return name if name == "*" else name.replace("*", "")


def _best_name(names: set[str], agent: str) -> str:
    """The most specific name in the file that is part of a user agent; `*` where none is."""
    agent = agent.lower()
    return max((name for name in names if name in agent), key=len, default="*")
