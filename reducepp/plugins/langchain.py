"""LangChain: a document compressor and a document transformer that drop near-duplicates.

Needs langchain-core alone: ``pip install 'reducepp[langchain]'``. A document that others are
dropped for comes back as a copy with one more metadata key, `reducepp`; all others are the very
objects that were given.
"""

from collections.abc import Sequence
from typing import Any

from reducepp.errors import needs_extra
from reducepp.plugins.postprocess import Shown

with needs_extra("the LangChain plugin", "langchain"):
    from langchain_core.callbacks import Callbacks
    from langchain_core.documents import BaseDocumentCompressor, BaseDocumentTransformer, Document

    from reducepp.plugins.host_documents import PluginOptions, attachment, with_record


class ReduceCompressor(PluginOptions, BaseDocumentCompressor, BaseDocumentTransformer):
    """Drop documents that are near-duplicates of better-ranked ones.

    The options are those of `reducepp.plugins.host_documents.DocumentProcessor`.
    """

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """Documents in the order given, without near-duplicates of earlier ones."""
        processor = self._processor(lambda d: d.page_content, lambda d: d.metadata)
        return [_with_hidden(shown) for shown in processor(documents, query=query).shown]

    def transform_documents(
        self, documents: Sequence[Document], **kwargs: Any
    ) -> Sequence[Document]:
        """The same for a list without a query."""
        return self.compress_documents(documents, query=str(kwargs.get("query", "")))


def _with_hidden(shown: Shown[Document]) -> Document:
    names = ("id", "page_content", "metadata")
    attached = attachment(shown, lambda d: {name: getattr(d, name) for name in names})
    if not attached:
        return shown.result
    metadata = with_record(shown.result.metadata, attached)
    return shown.result.model_copy(update={"metadata": metadata})
