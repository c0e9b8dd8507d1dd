"""What a caller may send, as models: they check requests in the workers and make the OpenAPI."""

from __future__ import annotations

import json
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, JsonValue, model_validator

from reducepp.api import CHOICES, ReduceOptions
from reducepp.clustering.representatives import GREEDY
from reducepp.input_kinds import AUTO
from reducepp.io.search_answers import find_query, find_results
from reducepp.types import Profile
from reducepp.weights.profile import profile_names

NAMES = tuple(profile_names())
NOT_READ = "Of a whole answer of SearXNG; not read."
NEAR = 0.8
"""How alike two names are of which one is the other misspelt (difflib's ratio)."""
EITHER: dict[str, JsonValue] = {
    "not": {"required": ["pages", "results"]},
    "if": {"not": {"required": ["pages"]}},
    "then": {"required": ["results"]},
}
"""One of the two; in this form, because generators of clients drop the fields beside a `oneOf`."""
_EXAMPLES = json.loads(Path(__file__).with_name("examples.json").read_text("utf-8"))
EXAMPLE_RESULTS: list[JsonValue] = _EXAMPLES["results"]
EXAMPLE_PAGE: dict[str, JsonValue] = _EXAMPLES["page"]


def _whole(value: Any) -> Any:
    """In JSON, 10.0 is a whole number too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _choice(name: str, description: str, *, without: tuple[str, ...] = ()) -> Any:
    """A field that takes one of the front door's choices; the first is the default."""
    allowed: list[JsonValue] = [value for value in CHOICES[name] if value not in without]
    return Field(allowed[0], description=description, json_schema_extra={"enum": allowed})


class Request(BaseModel):
    """Names that are not known are refused, so that a misspelt option is noticed."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="after")
    def _check_choices(self) -> Self:
        for name, field in type(self).model_fields.items():
            extra = field.json_schema_extra
            allowed = extra.get("enum") if isinstance(extra, dict) else None
            if isinstance(allowed, list) and getattr(self, name) not in allowed:
                known = ", ".join(str(value) for value in allowed if value)
                raise ValueError(f"no {name} {getattr(self, name)!r}: use one of {known}")
        return self


class Scored(Request):
    """What goes with everything that scores."""

    profile: str | None = Field(
        None,
        description="Name of a profile the service carries; by default the one for the kind of "
        "input: `posts` for posts and short texts, else `default`.",
        json_schema_extra={"enum": [*NAMES, None]},
    )


class WholeAnswer(BaseModel):
    """What a SearXNG answer holds beside its query and results: taken, and not looked at."""

    number_of_results: Any = Field(None, description=NOT_READ)
    answers: Any = Field(None, description=NOT_READ)
    corrections: Any = Field(None, description=NOT_READ)
    infoboxes: Any = Field(None, description=NOT_READ)
    suggestions: Any = Field(None, description=NOT_READ)
    unresponsive_engines: Any = Field(None, description=NOT_READ)


class PageList(WholeAnswer, Scored):
    """Pages or results, in rank order, and their query."""

    pages: list[dict[str, Any]] | None = Field(
        None,
        description='Pages in rank order: `{"url", "html"}` or split, `{"url", "page_title", '
        '"body", ...}`; `id` and `rank` are optional.',
        json_schema_extra={"type": "array", "items": {"type": "object"}},
    )
    results: list[dict[str, Any]] | None = Field(
        None,
        description='Search results in rank order: `{"title", "url", "snippet"}`.',
        json_schema_extra={"type": "array", "items": {"type": "object"}},
    )
    query: str = Field("", description="The query they answer.")
    kind: str = _choice("kind", "What they are; `auto` detects it.")

    @model_validator(mode="before")
    @classmethod
    def _take_answer(cls, value: Any) -> Any:
        """Query and results of another service's whole answer, and what is, or nearly is, ours."""
        is_ours = not isinstance(value, dict) or "pages" in value or "results" in value
        found = None if is_ours else find_results(value)
        if found is None:
            return value
        ours = {k: v for k, v in value.items() if get_close_matches(k, cls.model_fields, 1, NEAR)}
        if ours.get("kind") not in CHOICES["kind"]:  # Google's answers have a kind of their own
            ours.pop("kind", None)
        return {**ours, "query": find_query(value), "results": found}

    @model_validator(mode="after")
    def _check_either(self) -> PageList:
        if (self.pages is None) == (self.results is None):
            raise ValueError('give "pages" or "results", one of the two')
        return self

    @property
    def given(self) -> list[dict[str, Any]]:
        """Whichever was given."""
        return self.pages if self.pages is not None else self.results or []


class ReduceRequest(PageList):
    """One list of results to reduce."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            **EITHER,
            "examples": [{"query": "rooftop bees", "results": EXAMPLE_RESULTS}],
        },
    )
    threshold: float | None = Field(
        None,
        ge=0,
        le=1,
        description="Score from which two pages are duplicates (default: the profile's).",
    )
    min_score: float | None = Field(
        None,
        ge=0,
        le=1,
        description="No page is dropped for one with which it scores less (default: no such "
        "promise; with target_n the profile's threshold).",
    )
    target_n: Annotated[int | None, BeforeValidator(_whole)] = Field(
        None,
        ge=1,
        description="At most that many results: clusters merge down to min_score, then the lowest "
        "ranked are cut.",
    )
    keep: str = _choice("keep", "Which page of a cluster is shown.")
    mode: str = _choice("mode", "What becomes of dropped pages.")
    linkage: str | None = Field(
        None,
        description="How clusters merge (default: the profile's).",
        json_schema_extra={"enum": [*CHOICES["linkage"][1:], None]},
    )


class SweepRequest(PageList):
    """One list of results at many thresholds."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            **EITHER,
            "examples": [{"results": EXAMPLE_RESULTS, "thresholds": [0.4, 0.5, 0.6]}],
        },
    )
    thresholds: list[float] | None = Field(
        None,
        max_length=1001,
        description="Default: 0 to 1 in steps of 0.05.",
        json_schema_extra={"items": {"type": "number", "minimum": 0, "maximum": 1}},
    )
    keep: str = _choice("keep", "Which page of a cluster is shown.", without=(GREEDY,))

    @model_validator(mode="after")
    def _check_range(self) -> SweepRequest:
        if any(not 0 <= t <= 1 for t in self.thresholds or ()):
            raise ValueError("thresholds: numbers from 0 to 1 are needed")
        return self


class CompareRequest(Scored):
    """Two pages or texts."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"a": {"body": "Rain in Spain"}, "b": {"body": "Rain in Spain today"}}]
        },
    )
    a: dict[str, Any] | str = Field(
        description='A page, of which no more than `{"body"}` is needed, or a bare text.'
    )
    b: dict[str, Any] | str = Field(description="The other one.")
    threshold: float | None = Field(None, ge=0, le=1)


class SeenRequest(Request):
    """One page to look for among those of the service's index."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"page": {"body": "Rain in Spain"}}]}
    )
    page: dict[str, Any] | str = Field(
        description='A page, of which no more than `{"body"}` is needed, or a bare text.'
    )
    threshold: float | None = Field(None, ge=0.3, le=1)


class SplitRequest(Request):
    """One page to split into its content types."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE_PAGE]})
    html: str = Field(description="The page's HTML.")
    url: str = Field("", description="The address it came from; nothing is fetched.")
    links: Literal["content", "all"] = "content"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceDefaults:
    """What the operator set: the most pages of a request, the profile and threshold for requests
    that name none, the file of the index, and the folder of kept labels."""

    pages: int
    profile: Profile | None = None
    threshold: float | None = None
    index: str = ""
    labels: Path | None = None

    def options(
        self, name: str | None, *, threshold: float | None = None, **given: Any
    ) -> ReduceOptions:
        """Options of a request; profile and threshold are the operator's where it names none."""
        if threshold is None and not name:
            threshold = self.threshold
        return ReduceOptions(profile=name or self.profile or AUTO, threshold=threshold, **given)
