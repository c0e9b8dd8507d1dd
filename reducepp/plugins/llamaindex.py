"""LlamaIndex: a node postprocessor that drops near-duplicates.

Needs llama-index-core alone: ``pip install 'reducepp[llamaindex]'``. What was dropped is listed
under the metadata key `reducepp`, which is kept away from the model and from embeddings.
"""

from typing import Any

from reducepp.errors import needs_extra
from reducepp.plugins.postprocess import Shown

with needs_extra("the LlamaIndex plugin", "llamaindex"):
    from llama_index.core.postprocessor.types import BaseNodePostprocessor
    from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle

    from reducepp.plugins.host_documents import (
        KEY,
        SOURCE_ID,
        PluginOptions,
        attachment,
        with_record,
    )


class ReducePostprocessor(PluginOptions, BaseNodePostprocessor):
    """Drops near-duplicates of better-ranked nodes; options are those of `DocumentProcessor`."""

    @classmethod
    def class_name(cls) -> str:
        """The name under which LlamaIndex stores it."""
        return "ReducePostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        query = query_bundle.query_str if query_bundle else ""
        processor = self._processor(_text_of, _metadata_of)
        return [_with_hidden(shown) for shown in processor(nodes, query=query).shown]


def _text_of(node: NodeWithScore) -> str:
    return node.node.get_content(metadata_mode=MetadataMode.NONE)


def _metadata_of(node: NodeWithScore) -> dict[str, Any]:
    return {SOURCE_ID: node.node.ref_doc_id, **node.node.metadata}


def _with_hidden(shown: Shown[NodeWithScore]) -> NodeWithScore:
    attached = attachment(shown, _describe)
    if not attached:
        return shown.result
    node = shown.result.node.model_copy()
    node.metadata = with_record(node.metadata, attached)
    node.excluded_llm_metadata_keys = sorted({*node.excluded_llm_metadata_keys, KEY})
    node.excluded_embed_metadata_keys = sorted({*node.excluded_embed_metadata_keys, KEY})
    return shown.result.model_copy(update={"node": node})


def _describe(node: NodeWithScore) -> dict[str, Any]:
    return {
        "id": node.node.node_id,
        "text": _text_of(node),
        "metadata": node.node.metadata,
        "retrieval_score": node.score,
    }
