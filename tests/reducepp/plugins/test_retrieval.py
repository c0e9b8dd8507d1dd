"""What retrieval relies on, the same in LangChain, LlamaIndex and Haystack: no text is lost."""

from collections.abc import Callable
from typing import Any

import pytest

from reducepp.plugins.postprocess import postprocess
from tests.reducepp.plugins.samples import EDITED, RESULTS, STORY

Texts = list[tuple[str, dict[str, Any]]]
Host = Callable[..., list[tuple[str, dict[str, Any]]]]
"""Texts with metadata, and options → those that are shown, with their metadata."""


def by_langchain(texts: Texts, **options: Any) -> list[tuple[str, dict[str, Any]]]:
    from langchain_core.documents import Document

    from reducepp.plugins.langchain import ReduceCompressor

    documents = [Document(page_content=text, metadata=metadata) for text, metadata in texts]
    shown = ReduceCompressor(**options).compress_documents(documents, "bees")
    return [(document.page_content, document.metadata) for document in shown]


def by_llamaindex(texts: Texts, **options: Any) -> list[tuple[str, dict[str, Any]]]:
    from llama_index.core.schema import NodeWithScore, TextNode

    from reducepp.plugins.llamaindex import ReducePostprocessor

    nodes = [NodeWithScore(node=TextNode(text=text, metadata=more)) for text, more in texts]
    shown = ReducePostprocessor(**options).postprocess_nodes(nodes)
    return [(node.text, node.metadata) for node in shown]


def by_haystack(texts: Texts, **options: Any) -> list[tuple[str, dict[str, Any]]]:
    from haystack import Document

    from reducepp.plugins.haystack import ReduceDocuments

    documents = [Document(content=text, meta=metadata) for text, metadata in texts]
    shown = ReduceDocuments(**options).run(documents)["documents"]
    return [(document.content, document.meta) for document in shown]


HOSTS = [by_langchain, by_llamaindex, by_haystack]
WORDS = [f"{word}{number}" for number in range(40) for word in STORY.lower().rstrip(".").split()]


def chunks(count: int, sources: Callable[[int], str]) -> Texts:
    """Runs of 60 words, each of which shares 45 with the next."""
    texts = [" ".join(WORDS[15 * i : 15 * i + 60]) for i in range(count)]
    return [(text, {"source": sources(i)}) for i, text in enumerate(texts)]


@pytest.mark.parametrize("host", HOSTS)
def test_overlapping_chunks_of_one_source_are_kept_by_default(host: Host) -> None:
    of_one = chunks(20, lambda _: "https://a.example/book")
    assert host(of_one) == of_one
    assert len(host([*of_one, of_one[3]])) == 20  # the same chunk twice is one
    assert len(host(of_one, merge_chunks=True, threshold=0.1)) < 20


@pytest.mark.parametrize("host", HOSTS)
def test_nothing_is_dropped_for_a_text_it_resembles_less_than_the_threshold(host: Host) -> None:
    texts = chunks(20, lambda i: f"https://s{i}.example")
    shown = host(texts, linkage="single", threshold=0.3)
    scores = [s["score"] for _, more in shown for s in more.get("reducepp", {}).get("similar", ())]
    assert scores
    assert min(scores) >= 0.3
    assert len(host(texts, linkage="single", threshold=0.3, min_score=0.9)) > len(shown)


@pytest.mark.parametrize("host", HOSTS)
def test_the_same_text_with_other_metadata_is_kept_on_request(host: Host) -> None:
    texts = [(f"{STORY} {EDITED}", {"edition": edition}) for edition in ("uk", "us", "uk")]
    assert len(host(texts)) == 1
    assert [more["edition"] for _, more in host(texts, distinct_by=["edition"])] == ["uk", "us"]


@pytest.mark.parametrize("host", HOSTS)
def test_an_empty_document_changes_nothing_for_the_others(host: Host) -> None:
    texts = [(f"{r['snippet']} {STORY if i == 2 else ''}", {}) for i, r in enumerate(RESULTS)]
    alone = [text for text, _ in host(texts)]
    assert [text for text, _ in host([*texts, ("", {})])] == [*alone, ""]


@pytest.mark.parametrize("host", HOSTS)
def test_a_second_pass_keeps_what_the_first_recorded(host: Host) -> None:
    text = f"{STORY} {EDITED}"
    first = host([(text, {"n": 0}), (f"{text} More soon.", {"n": 1})])
    assert host(first) == first
    ((_, metadata),) = host([*first, (f"{text} And more.", {"n": 2})])
    assert metadata["n"] == 0
    assert metadata["reducepp"]["hidden"] == len(metadata["reducepp"]["similar"]) == 2


def test_target_n_cuts_the_lowest_ranks_and_calls_none_of_them_similar() -> None:
    results = [
        {**r, "url": f"https://{i}.example"} for i, r in enumerate((*RESULTS[:2], RESULTS[3]))
    ]
    done = postprocess(results, target_n=2)
    assert (done.results, list(done.cut), done.hidden) == (results[:2], results[2:], ())
