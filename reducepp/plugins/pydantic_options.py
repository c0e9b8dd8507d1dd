"""The post-processor's options as fields, for hosts whose classes are pydantic models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import BaseModel, model_validator

from reducepp.plugins.accessors import Accessor
from reducepp.plugins.postprocess import PostProcessor


class ReduceOptions(BaseModel):
    """What `PostProcessor` takes, checked when the host's object is made."""

    profile: str = "auto"
    min_score: float | None = None
    target_n: int | None = None
    mode: str = "collapse"
    keep: str = "rank"

    @model_validator(mode="after")
    def _check_options(self) -> Self:
        self._processor({})
        return self

    def _processor(self, fields: Mapping[str, Accessor]) -> PostProcessor:
        return PostProcessor(
            profile=self.profile,
            min_score=self.min_score,
            target_n=self.target_n,
            mode=self.mode,
            keep=self.keep,
            fields=fields,
        )
