"""Haystack: a component that hands on documents without near-duplicates, and those it removed.

Needs haystack-ai: ``pip install 'reducepp[haystack]'``. Annotations are not postponed here:
Haystack below 2.24 reads them as they are.
"""

from dataclasses import replace
from typing import Any

from reducepp.errors import needs_extra

with needs_extra("the Haystack plugin", "haystack"):
    from haystack import Document, component
    from haystack.core.component.types import Variadic

    from reducepp.plugins.host_documents import DocumentProcessor, attachment, with_record


@component
class ReduceDocuments:
    """Drop documents that are near-duplicates of better-ranked ones.

    The options are those of `reducepp.plugins.host_documents.DocumentProcessor`. Several
    components may be connected to `documents`. Outputs: `documents` in the order given, `removed`
    with the reason in the meta key `reducepp`, and `report`.
    """

    def __init__(
        self,
        profile: str = "auto",
        threshold: float | None = None,
        min_score: float | None = None,
        target_n: int | None = None,
        mode: str = "collapse",
        keep: str = "rank",
        linkage: str = "",
        distinct_by: list[str] | None = None,
        merge_chunks: bool = False,
    ) -> None:
        options = {name: value for name, value in locals().items() if name != "self"}
        vars(self).update(options)  # Haystack writes a component by its arguments' names
        self._processor = DocumentProcessor(
            **{**options, "distinct_by": distinct_by or ()},
            text_of=lambda document: document.content or "",
            metadata_of=lambda document: document.meta,
        )

    @component.output_types(documents=list[Document], removed=list[Document], report=dict[str, Any])
    def run(self, documents: Variadic[list[Document]], query: str | None = None) -> dict[str, Any]:
        """Process one list of documents, or the lists of several components one after another."""
        lists = [[entry] if isinstance(entry, Document) else entry for entry in documents]
        done = self._processor([one for listed in lists for one in listed], query=query or "")
        shown = [(s.result, attachment(s, lambda d: d.to_dict(flatten=False))) for s in done.shown]
        kept = [_with_meta(document, extra) for document, extra in shown]
        dropped = [] if self._processor.mode == "demote" else done.hidden
        removed = [_with_meta(s.result, {"similar_to": s.reason()}) for s in dropped]
        removed += [_with_meta(document, {"cut": True}) for document in done.cut]
        return {"documents": kept, "removed": removed, "report": done.report()}


def _with_meta(document: Document, extra: dict[str, Any]) -> Document:
    return replace(document, meta=with_record(document.meta, extra)) if extra else document
