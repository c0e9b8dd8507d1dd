"""What a caller may send, as models: they check requests in the workers and make the OpenAPI."""

import json
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    model_validator,
)

from reducepp.api import CHOICES
from reducepp.clustering.representatives import GREEDY
from reducepp.errors import check_choice, did_you_mean
from reducepp.input_kinds import AUTO
from reducepp.io.search_answers import find_query, find_results
from reducepp.weights.profile import profile_names

NAMES = (AUTO, *profile_names())
MIN_NAME_SIMILARITY = 0.8
"""Similarity of two names (difflib's ratio) from which one is taken for the other, misspelt."""
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


def _records(description: str) -> Any:
    """A field that takes a list of objects, or nothing."""
    kind: dict[str, JsonValue] = {"type": "array", "items": {"type": "object"}}
    return Field(None, description=description, json_schema_extra=kind)


def _share(description: str | None = None, *, least: float = 0) -> Any:
    """A field that takes a number from `least` to 1, or nothing."""
    return Field(None, ge=least, le=1, description=description)


def _example(example: dict[str, JsonValue], **more: JsonValue) -> ConfigDict:
    """The OpenAPI's example of a request, and more of its schema."""
    return ConfigDict(json_schema_extra={**more, "examples": [example]})


OnePage = Annotated[
    dict[str, Any] | str,
    Field(description='A page, of which no more than `{"body"}` is needed, or a bare text.'),
]


class StrictRequest(BaseModel):
    """Names that are not known are refused, so that a misspelt option is noticed."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="after")
    def _check_choices(self) -> Self:
        for name, field in type(self).model_fields.items():
            extra = field.json_schema_extra
            allowed = extra.get("enum") if isinstance(extra, dict) else None
            if isinstance(allowed, list):
                check_choice(f"no {name}", getattr(self, name), cast("list[str]", allowed))
        return self


class Scored(StrictRequest):
    """What goes with everything that scores."""

    profile: str | None = Field(
        None,
        description="Name of a profile the service carries; by default the operator's, or `auto`: "
        "`posts` for posts and short texts, else `default`.",
        json_schema_extra={"enum": [*NAMES, None]},
    )


NOT_READ = frozenset(
    (
        *("number_of_results", "answers", "corrections", "infoboxes", "suggestions"),
        *("unresponsive_engines", "answer", "follow_up_questions", "images", "response_time"),
        *("request_id", "auto_parameters", "usage", "requestId", "resolvedSearchType"),
        *("searchType", "autopromptString", "autoDate", "costDollars", "searchTime", "context"),
        *("output", "statuses"),
    )
)
"""What answers of SearXNG, Tavily and Exa hold beside `query` and `results`: taken, and not looked
at. Their results are a list of our own name, so that other keys may be misspelt options."""


class PageList(Scored):
    """Pages or results, in rank order, and their query."""

    pages: list[dict[str, Any]] | None = _records(
        'Pages in rank order: `{"url", "html"}` or split, `{"url", "page_title", "body", ...}`; '
        "`id` and `rank` are optional."
    )
    results: list[dict[str, Any]] | None = _records(
        'Search results in rank order: `{"title", "url", "snippet"}`.'
    )
    query: str = Field("", description="The query they answer.")
    kind: str = _choice("kind", "What they are; `auto` detects it.")

    @model_validator(mode="before")
    @classmethod
    def _take_answer(cls, value: Any) -> Any:
        """Query and results of another service's whole answer, and what is, or nearly is, ours."""
        if not isinstance(value, dict):
            return value
        if "pages" in value or "results" in value:
            return {name: given for name, given in value.items() if name not in NOT_READ}
        found = find_results(value)
        if found is None:
            return value
        ours = {
            k: v
            for k, v in value.items()
            if get_close_matches(k, cls.model_fields, 1, MIN_NAME_SIMILARITY)
        }
        if ours.get("kind") not in CHOICES["kind"]:  # Google's answers have a kind of their own
            ours.pop("kind", None)
        return {**ours, "query": find_query(value), "results": found}

    @model_validator(mode="after")
    def _check_either(self) -> Self:
        if (self.pages is None) == (self.results is None):
            raise ValueError('give "pages" or "results", one of the two')
        return self

    @property
    def given(self) -> list[dict[str, Any]]:
        return self.pages if self.pages is not None else self.results or []


class ReduceRequest(PageList):
    """One list of results to reduce."""

    model_config = _example({"query": "rooftop bees", "results": EXAMPLE_RESULTS}, **EITHER)
    threshold: float | None = _share(
        "Score from which two pages are duplicates (default: the profile's)."
    )
    min_score: float | None = _share(
        "No page is dropped for one with which it scores less (default: no such promise; with "
        "target_n the lower of threshold and the profile's own)."
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

    model_config = _example({"results": EXAMPLE_RESULTS, "thresholds": [0.4, 0.5, 0.6]}, **EITHER)
    thresholds: list[Annotated[float, Field(ge=0, le=1)]] | None = Field(
        None, max_length=1001, description="Default: 0 to 1 in steps of 0.05."
    )
    keep: str = _choice("keep", "Which page of a cluster is shown.", without=(GREEDY,))


class CompareRequest(Scored):
    """Two pages or texts."""

    model_config = _example({"a": {"body": "Rain in Spain"}, "b": {"body": "Rain in Spain today"}})
    a: OnePage
    b: dict[str, Any] | str = Field(description="The other one.")
    threshold: float | None = _share()


class SeenRequest(StrictRequest):
    """One page to look for among those of the service's index."""

    model_config = _example({"page": {"body": "Rain in Spain"}})
    page: OnePage
    threshold: float | None = _share(least=0.3)


class SplitRequest(StrictRequest):
    """One page to split into its content types."""

    model_config = _example(EXAMPLE_PAGE)
    html: str = Field(description="The page's HTML.")
    url: str = Field("", description="The address it came from; nothing is fetched.")
    links: Literal["content", "all"] = "content"


NOUNS = {
    "object": ("an object", "objects"),
    "string": ("a text", "texts"),
    "number": ("a number", "numbers"),
    "integer": ("a whole number", "whole numbers"),
    "boolean": ("true or false", "true or false"),
    "array": ("a list", "lists"),
}
"""The types of JSON in messages: one, and many."""
MAX_SHOWN_CHARS = 60
"""A value that was given is named in a message up to this length."""
Schema = dict[str, Any]


def explain_refusal(error: ValidationError, model: type[BaseModel]) -> str:
    """One line: the first field of a request that is wrong, and what it may be by its schema."""
    first = error.errors(include_url=False, include_context=False)[0]
    schema = model.model_json_schema()
    path, allowed = _locate(schema, first["loc"])
    where = ".".join(map(str, path))
    if first["type"] == "extra_forbidden":
        known = [name for one in _branches(allowed, schema) for name in one["properties"]]
        unknown = str(first["loc"][-1])
        within = f"{where}: " if where else ""
        near = did_you_mean(unknown, known)
        return f"{within}no field {unknown!r}: use one of {', '.join(known)}{near}"
    if first["type"] == "value_error":
        return f"{where}: " * bool(where) + first["msg"].removeprefix("Value error, ")
    needed = " or ".join(_describe(one, schema) for one in _branches(allowed, schema))
    if first["type"] == "missing":
        return f"{where}: {needed} is needed, and is missing"
    given = json.dumps(first["input"])
    shown = f", not {given}" if len(given) <= MAX_SHOWN_CHARS else ""
    return f"{where}: {needed} is needed{shown}"


def _locate(schema: Schema, steps: tuple[int | str, ...]) -> tuple[list[int | str], Schema]:
    """The path to a field without pydantic's names of union members, and the field's schema."""
    path: list[int | str] = []
    at = schema
    for step in steps:
        for one in _branches(at, schema):
            inner = (
                one.get("items") if isinstance(step, int) else one.get("properties", {}).get(step)
            )
            if inner is not None:
                path, at = [*path, step], inner
                break
    return path, at


def _branches(schema: Schema, root: Schema) -> list[Schema]:
    """What a schema allows besides null, references resolved."""
    members = [one for one in schema.get("anyOf", [{}]) if one.get("type") != "null"]
    found = [{**one, **schema} for one in members]
    return [
        root["$defs"][one["$ref"].rpartition("/")[2]] if "$ref" in one else one for one in found
    ]


def _describe(schema: Schema, root: Schema, *, many: bool = False) -> str:
    """What a value may be, in words: "a number from 0 to 1"."""
    if "enum" in schema:
        return "one of " + ", ".join(name for name in schema["enum"] if name)
    noun = NOUNS[schema["type"]][many]
    if schema["type"] == "array":
        items = (_describe(one, root, many=True) for one in _branches(schema["items"], root))
        most = f"at most {schema['maxItems']} " if "maxItems" in schema else ""
        return f"{noun} of {most}{' or '.join(items)}"
    least, largest = schema.get("minimum"), schema.get("maximum")
    if least is not None:
        noun += f" from {least} on" if largest is None else f" from {least} to {largest}"
    if "maxLength" in schema:
        noun += f" of at most {schema['maxLength']} characters"
    return noun + (f" like {schema['pattern']}" if "pattern" in schema else "")
