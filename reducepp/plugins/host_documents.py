"""What the hosts of documents (LangChain, LlamaIndex, Haystack) share.

How a document is read, and the one metadata key that says what was dropped for it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from reducepp.input_kinds import AUTO
from reducepp.io.records import Document
from reducepp.plugins.postprocess import Pairs, PostProcessor, Shown, read_result, unequal
from reducepp.types import Page

T = TypeVar("T")

KEY = "reducepp"
"""The one key we add to a host's metadata; every other key stays as it was."""
HOST_FIELDS = {
    "page_title": ("title", "page_title", "name"),
    "url": ("url", "source", "link", "file_path"),
    "snippet": ("snippet",),
    "language": ("language", "lang"),
    "posted_at": ("date", "published", "posted_at", "publishedDate"),
}
"""Our fields to their usual names in the metadata of a document; a source may be a file."""
SOURCE_ID = "source_id"
"""Key of the document that a chunk was split from: Haystack's splitters set it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentProcessor(PostProcessor):
    """The post-processor for documents that have a text and metadata.

    Texts go to a model, which must not lose any: `min_score` defaults to the threshold, so that
    nothing is dropped through a chain of others, and chunks of one source (the same address, file
    or document in their metadata) that differ in text are not duplicates, unless `merge_chunks`
    says so.
    """

    text_of: Callable[[Any], str]
    metadata_of: Callable[[Any], Mapping[str, Any]]
    merge_chunks: bool = False

    def read(self, result: Any) -> Page | Document:
        """Text and fields of the metadata."""
        return read_result(document_record(self.metadata_of(result), self.text_of(result)), {})

    def default_min_score(self, threshold: float) -> float:
        """The `min_score` of calls that give none: the threshold."""
        return threshold

    def metadata(self, result: Any) -> Mapping[str, Any]:
        """Where the keys of `distinct_by` are looked for."""
        return self.metadata_of(result)

    def never_duplicates(self, results: Sequence[Any]) -> Pairs | None:
        """Pairs that differ in `distinct_by`, and pairs of chunks of one source."""
        apart = PostProcessor.never_duplicates(self, results)
        if self.merge_chunks or not results:
            return apart
        sources = [source_of(self.metadata_of(r)) or place for place, r in enumerate(results)]
        chunks = ~unequal(sources) & unequal([" ".join(self.text_of(r).split()) for r in results])
        return chunks if apart is None else apart | chunks


def document_record(metadata: Mapping[str, Any], text: str) -> dict[str, str]:
    """The record of a host's document: its text and the known fields of its metadata."""
    return {**{name: read_field(metadata, n) for name, n in HOST_FIELDS.items()}, "body": text}


def source_of(metadata: Mapping[str, Any]) -> str:
    """What a document is a chunk of: an address, a file or another document; "" for nothing."""
    return read_field(metadata, (*HOST_FIELDS["url"], SOURCE_ID))


def read_field(metadata: Mapping[str, Any], names: Sequence[str]) -> str:
    """The first of these keys that holds a text, a whole number, a date or a path, as text."""
    return next(filter(None, (_as_text(metadata.get(name)) for name in names)), "")


def _as_text(value: Any) -> str:
    if hasattr(value, "isoformat"):
        return str(value.isoformat()) if value == value else ""
    return str(value).strip() if isinstance(value, str | int | PathLike) else ""


def attachment(shown: Shown[T], describe: Callable[[T], Mapping[str, Any]]) -> dict[str, Any]:
    """What goes under the key: `similar` (collapse) or `similar_to` (demote); {} for nothing."""
    if shown.demoted is not None:
        return {"similar_to": shown.demoted.reason()}
    if not shown.similar:
        return {}
    return {
        "hidden": len(shown.similar),
        "similar": [{**describe(s.result), **s.reason()} for s in shown.similar],
    }


def with_record(metadata: Mapping[str, Any], attached: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata with what goes under the key; what an earlier pass recorded there stays."""
    known = metadata.get(KEY)
    before = known if isinstance(known, Mapping) else {}
    merged = {**before, **attached}
    similar = [*before.get("similar", ()), *attached.get("similar", ())]
    if similar:
        merged |= {"hidden": len(similar), "similar": similar}
    return {**metadata, KEY: merged}


class PluginOptions(BaseModel):
    """What `DocumentProcessor` takes as fields, for hosts whose classes are pydantic models."""

    model_config = ConfigDict(extra="forbid")

    profile: str = AUTO
    threshold: float | None = None
    min_score: float | None = None
    target_n: int | None = None
    mode: str = "collapse"
    keep: str = "rank"
    linkage: str = ""
    distinct_by: list[str] = Field(default_factory=list)
    merge_chunks: bool = False

    @model_validator(mode="after")
    def _check_options(self) -> Self:
        self._processor(str, lambda _: {})
        return self

    def _processor(
        self, text_of: Callable[[Any], str], metadata_of: Callable[[Any], Mapping[str, Any]]
    ) -> DocumentProcessor:
        options = {name: getattr(self, name) for name in PluginOptions.model_fields}
        return DocumentProcessor(text_of=text_of, metadata_of=metadata_of, **options)
