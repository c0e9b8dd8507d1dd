"""The post-processor's options as fields, for hosts whose classes are pydantic models."""

from collections.abc import Callable, Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from reducepp.input_kinds import AUTO
from reducepp.plugins.host_documents import DocumentProcessor


class PluginOptions(BaseModel):
    """What `DocumentProcessor` takes, checked when the host's object is made."""

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
