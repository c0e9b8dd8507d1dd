"""Haystack: a component that hands on documents without near-duplicates, and those it removed.

Needs haystack-ai: ``pip install 'reducepp[haystack]'``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reducepp.errors import MissingExtraError
from reducepp.plugins.metadata_key import KEY, attachment, metadata_fields, removal
from reducepp.plugins.postprocess import PostProcessor

try:
    from haystack import Document, component
except ImportError:
    raise MissingExtraError("the Haystack plugin", "haystack") from None

FIELDS = metadata_fields(lambda document: document.meta) | {
    "text": lambda document: document.content or ""
}


@component
class ReduceDocuments:
    """Hide documents that are near-duplicates of better-ranked ones.

    The options are those of `reducepp.plugins.postprocess.PostProcessor`. Outputs: `documents`
    in the order given, `removed` with the reason in the meta key `reducepp`, and `report`.
    """

    def __init__(
        self,
        profile: str = "auto",
        min_score: float | None = None,
        target_n: int | None = None,
        mode: str = "collapse",
        keep: str = "rank",
    ) -> None:
        self.profile = profile
        self.min_score = min_score
        self.target_n = target_n
        self.mode = mode
        self.keep = keep
        self._processor = PostProcessor(
            profile=profile,
            min_score=min_score,
            target_n=target_n,
            mode=mode,
            keep=keep,
            fields=FIELDS,
        )

    @component.output_types(documents=list[Document], removed=list[Document], report=dict[str, Any])
    def run(self, documents: list[Document], query: str | None = None) -> dict[str, Any]:
        """Process one list of documents."""
        done = self._processor(documents, query=query or "")
        shown = [(s.result, attachment(s, lambda d: d.to_dict(flatten=False))) for s in done.shown]
        hidden = [] if self.mode == "demote" else done.hidden
        return {
            "documents": [_with_meta(document, extra) for document, extra in shown],
            "removed": [_with_meta(similar.result, removal(similar)) for similar in hidden],
            "report": done.report(),
        }


def _with_meta(document: Document, extra: dict[str, Any]) -> Document:
    return replace(document, meta={**document.meta, KEY: extra}) if extra else document
