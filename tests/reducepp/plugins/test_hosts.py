"""LangChain, LlamaIndex, Haystack and Scrapy: the real packages around the post-processor."""

import asyncio
import copy
import importlib
import json
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reducepp.errors import InputError, MissingExtraError, ReduceppError, UsageError
from tests.programs import run_program
from tests.reducepp.plugins.samples import EDITED, RESULTS, STORY

TEXTS = [STORY + " " + EDITED, RESULTS[1]["snippet"], STORY + " " + EDITED + " More soon."]


@pytest.mark.parametrize(
    ("plugin", "host", "extra"),
    [
        ("langchain", "langchain_core.documents", "langchain"),
        ("llamaindex", "llama_index.core.postprocessor.types", "llamaindex"),
        ("haystack", "haystack", "haystack"),
        ("scrapy", "scrapy.exceptions", "scrapy"),
    ],
)
def test_without_its_host_a_plugin_names_the_install_line(
    plugin: str, host: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, host, None)
    monkeypatch.delitem(sys.modules, f"reducepp.plugins.{plugin}", raising=False)
    with pytest.raises(MissingExtraError, match=rf"reducepp\[{extra}\]") as raised:
        importlib.import_module(f"reducepp.plugins.{plugin}")
    assert isinstance(raised.value, ImportError)


class TestLangChain:
    def documents(self) -> list[Any]:
        from langchain_core.documents import Document

        return [
            Document(
                page_content=text, metadata={"source": f"https://s{i}.example", "n": i}, id=str(i)
            )
            for i, text in enumerate(TEXTS)
        ]

    def test_compress(self) -> None:
        from reducepp.plugins.langchain import ReduceCompressor

        documents = self.documents()
        before = copy.deepcopy(documents)
        first, second = ReduceCompressor().compress_documents(documents, "bees")
        assert second is documents[1]
        assert (first.id, first.page_content) == ("0", TEXTS[0])
        assert {k: v for k, v in first.metadata.items() if k != "reducepp"} == before[0].metadata
        (similar,) = first.metadata["reducepp"]["similar"]
        assert (similar["id"], similar["page_content"]) == ("2", TEXTS[2])
        assert similar["metadata"] == before[2].metadata
        assert json.loads(json.dumps(first.metadata)) == first.metadata
        assert documents == before

    def test_transform_async_and_options(self) -> None:
        from reducepp.plugins.langchain import ReduceCompressor

        documents = self.documents()
        assert len(ReduceCompressor(mode="demote").transform_documents(documents)) == 3
        assert len(ReduceCompressor(min_score=1.0).transform_documents(documents)) == 3
        found = asyncio.run(ReduceCompressor(mode="drop").acompress_documents(documents, "bees"))
        assert [document.id for document in found] == ["0", "1"]
        assert "reducepp" not in found[0].metadata
        with pytest.raises(UsageError, match="mode 'hide'"):
            ReduceCompressor(mode="hide")
        with pytest.raises(ValueError, match="treshold"):
            ReduceCompressor(treshold=0.5)

    @pytest.mark.parametrize(
        ("metadata", "shown"),
        [
            ({}, 1),
            ({"source": float("nan")}, 1),
            ({"title": ["a", "b"], "source": {"a": 1}, "url": None}, 1),
            ({"url": float("nan"), "source": "report.pdf"}, 2),
            ({"file_path": Path("report.pdf")}, 2),
            ({"source": 7}, 2),
        ],
    )
    def test_metadata_of_any_kind(self, metadata: dict[str, Any], shown: int) -> None:
        """NaN and lists are no source, names, paths and numbers are."""
        from langchain_core.documents import Document

        from reducepp.plugins.langchain import ReduceCompressor

        documents = [Document(page_content=text, metadata=metadata) for text in TEXTS[::2]]
        assert len(ReduceCompressor().transform_documents(documents)) == shown

    def test_metadata_of_arrays(self) -> None:
        from langchain_core.documents import Document

        from reducepp.plugins.langchain import ReduceCompressor

        metadata = {"title": np.zeros(2), "source": np.zeros(2)}
        documents = [Document(page_content=text, metadata=metadata) for text in TEXTS]
        assert len(ReduceCompressor().transform_documents(documents)) == 2

    def test_in_a_chain(self) -> None:
        from langchain_core.runnables import RunnableLambda

        from reducepp.plugins.langchain import ReduceCompressor

        chain = RunnableLambda(lambda _: self.documents()) | ReduceCompressor().transform_documents
        assert [document.id for document in chain.invoke("bees")] == ["0", "1"]


class TestLlamaIndex:
    def nodes(self) -> list[Any]:
        from llama_index.core.schema import NodeWithScore, TextNode

        return [
            NodeWithScore(
                node=TextNode(text=text, id_=str(i), metadata={"url": f"https://s{i}.example"}),
                score=0.9 - i / 10,
            )
            for i, text in enumerate(TEXTS)
        ]

    def test_postprocess(self) -> None:
        from llama_index.core.schema import MetadataMode

        from reducepp.plugins.llamaindex import ReducePostprocessor

        nodes = self.nodes()
        first, second = ReducePostprocessor().postprocess_nodes(nodes, query_str="bees")
        assert second is nodes[1]
        assert (first.node.node_id, first.score, first.text) == ("0", 0.9, TEXTS[0])
        (similar,) = first.metadata["reducepp"]["similar"]
        assert (similar["id"], similar["retrieval_score"]) == ("2", pytest.approx(0.7))
        for mode in (MetadataMode.LLM, MetadataMode.EMBED):
            assert "reducepp" not in first.node.get_content(metadata_mode=mode)
            assert "https://s0.example" in first.node.get_content(metadata_mode=mode)
        assert "reducepp" not in nodes[0].metadata
        assert "reducepp" not in nodes[0].node.excluded_llm_metadata_keys

    def test_chunks_of_one_document_are_kept(self) -> None:
        from llama_index.core.schema import NodeRelationship, RelatedNodeInfo

        from reducepp.plugins.llamaindex import ReducePostprocessor

        nodes = self.nodes()[::2]
        for entry in nodes:
            entry.node.metadata = {}
        assert len(ReducePostprocessor().postprocess_nodes(nodes)) == 1
        for entry in nodes:
            source = RelatedNodeInfo(node_id="document")
            entry.node.relationships[NodeRelationship.SOURCE] = source
        assert len(ReducePostprocessor().postprocess_nodes(nodes)) == 2
        assert len(ReducePostprocessor(merge_chunks=True).postprocess_nodes(nodes)) == 1

    def test_stored_and_made_again(self) -> None:
        from reducepp.plugins.llamaindex import ReducePostprocessor

        stored = ReducePostprocessor(target_n=2, mode="drop").to_dict()
        assert stored["class_name"] == "ReducePostprocessor"
        assert len(ReducePostprocessor.from_dict(stored).postprocess_nodes(self.nodes())) == 2
        with pytest.raises(UsageError, match="target_n 0"):
            ReducePostprocessor(target_n=0)


class TestHaystack:
    def documents(self) -> list[Any]:
        from haystack import Document

        return [
            Document(content=text, meta={"url": f"https://s{i}.example"}, score=1 - i / 10)
            for i, text in enumerate(TEXTS)
        ]

    def test_in_a_pipeline_that_was_stored(self) -> None:
        from haystack import Pipeline

        from reducepp.plugins.haystack import ReduceDocuments

        pipeline = Pipeline()
        pipeline.add_component("reduce", ReduceDocuments(min_score=0.5))
        again = Pipeline.loads(pipeline.dumps(), allowed_modules=["reducepp.plugins.haystack"])
        documents = self.documents()
        found = again.run({"reduce": {"documents": documents, "query": "bees"}})["reduce"]
        assert [d.id for d in found["documents"]] == [documents[0].id, documents[1].id]
        assert ReduceDocuments().run(documents)["documents"][1] is documents[1]
        assert found["documents"][0].meta["reducepp"]["similar"][0]["id"] == documents[2].id
        (removed,) = found["removed"]
        assert (removed.id, removed.content, removed.score) == (documents[2].id, TEXTS[2], 0.8)
        assert removed.meta["url"] == "https://s2.example"
        assert removed.meta["reducepp"]["similar_to"]["kept"] == 0
        assert (found["report"]["before"], found["report"]["after"]) == (3, 2)
        assert json.loads(json.dumps(found["report"])) == found["report"]
        assert "reducepp" not in documents[0].meta

    def test_chunks_of_one_document_are_kept(self) -> None:
        from haystack import Document
        from haystack.components.preprocessors import DocumentSplitter

        from reducepp.plugins.haystack import ReduceDocuments

        splitter = DocumentSplitter(split_length=200, split_overlap=190)
        splitter.warm_up()
        words = " ".join(f"word{number}" for number in range(205))
        chunks = splitter.run([Document(content=words)])["documents"]
        assert [len(ReduceDocuments().run(chunks)["documents"]), len(chunks)] == [2, 2]
        assert len(ReduceDocuments(merge_chunks=True).run(chunks)["documents"]) == 1

    def test_demote_removes_nothing(self) -> None:
        from reducepp.plugins.haystack import ReduceDocuments

        found = ReduceDocuments(mode="demote").run(self.documents())
        assert (len(found["documents"]), found["removed"]) == (3, [])


SPIDER = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess

class Results(scrapy.Spider):
    name = "results"
    start_urls = [sys.argv[1]]
    def parse(self, response):
        for query in ("bees", "honey"):
            for line in response.text.splitlines():
                yield {"query": query, **json.loads(line)}

process = CrawlerProcess({
    "ITEM_PIPELINES": {"reducepp.plugins.scrapy.ReducePipeline": 900},
    "REDUCEPP_FILE": sys.argv[2],
    "FEEDS": {sys.argv[3]: {"format": "jsonlines"}},
    "LOG_LEVEL": "WARNING", "TELNETCONSOLE_ENABLED": False,
})
crawler = process.create_crawler(Results)
process.crawl(crawler)
process.start()
print(json.dumps({k: v for k, v in crawler.stats.get_stats().items() if "reducepp" in k}))
"""


DROPPING = """
import json, sys
import scrapy
from scrapy.crawler import CrawlerProcess

class Pages(scrapy.Spider):
    name = "pages"
    start_urls = [sys.argv[1]]
    def parse(self, response):
        for line in response.text.splitlines():
            yield json.loads(line)

process = CrawlerProcess({
    "ITEM_PIPELINES": {"reducepp.plugins.scrapy.DropPipeline": 300},
    "REDUCEPP_DROP": True, "REDUCEPP_INDEX": sys.argv[2],
    "FEEDS": {sys.argv[3]: {"format": "jsonlines"}}, "ROBOTSTXT_OBEY": False,
    "LOG_LEVEL": "WARNING", "TELNETCONSOLE_ENABLED": False,
})
crawler = process.create_crawler(Pages)
process.crawl(crawler)
process.start()
print(json.dumps({k: v for k, v in crawler.stats.get_stats().items() if "reducepp" in k}))
"""


class TestScrapy:
    def test_duplicates_are_dropped_while_a_real_crawl_runs(self, tmp_path: Path) -> None:
        from functools import partial
        from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
        from threading import Thread

        lines = [*RESULTS, {**RESULTS[1], "url": "", "snippet": "No oven is needed, says a baker."}]
        text = "\n".join(json.dumps(line) for line in lines)
        (tmp_path / "results.jsonl").write_text(text, "utf-8")
        handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
        found = []
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_address[1]}/results.jsonl"
            for crawl in range(2):
                feed, index = tmp_path / f"feed{crawl}.jl", tmp_path / "seen.idx"
                run = run_program(sys.executable, "-c", DROPPING, address, index, feed)
                assert run.returncode == 0, run.stderr
                assert "Traceback" not in run.stderr
                kept = [json.loads(line)["url"] for line in feed.read_text("utf-8").splitlines()]
                found.append((kept, json.loads(run.stdout.strip().splitlines()[-1])))
            server.shutdown()
        assert "near-duplicate of" in run.stderr
        assert found[0][0] == [*(RESULTS[i]["url"] for i in (0, 1, 3)), ""]
        assert found[0][1] == {"reducepp/dropped": 2, "reducepp/indexed": 4}
        assert found[1] == ([], {"reducepp/dropped": 6, "reducepp/indexed": 4})

    def test_a_real_crawl(self, tmp_path: Path) -> None:

        source, out, feed = tmp_path / "results.jsonl", tmp_path / "out.jsonl", tmp_path / "feed.jl"
        source.write_text("\n".join(json.dumps(r) for r in RESULTS), "utf-8")
        run = run_program(sys.executable, "-c", SPIDER, source.as_uri(), out, feed)
        assert run.returncode == 0, run.stderr
        assert "Traceback" not in run.stderr
        reductions = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
        assert [(r["query"], r["before"], r["after"]) for r in reductions] == [
            ("bees", 5, 3),
            ("honey", 5, 3),
        ]
        assert [d["id"] for d in reductions[0]["dropped"]] == [RESULTS[2]["url"], RESULTS[4]["url"]]
        assert len(feed.read_text("utf-8").splitlines()) == 10
        stats = json.loads(run.stdout.strip().splitlines()[-1])
        assert stats == {"reducepp/queries": 2, "reducepp/items": 10, "reducepp/shown": 6}

    def stats(self) -> Any:
        from scrapy.statscollectors import MemoryStatsCollector

        stats: Any = MemoryStatsCollector.__new__(MemoryStatsCollector)
        stats._stats = {}
        return stats

    @pytest.mark.parametrize(
        ("name", "value", "says"),
        [
            ("REDUCEPP_FILE", "no/such/file", "there is no folder no/such"),
            ("REDUCEPP_TRESHOLD", 0.5, "did you mean REDUCEPP_THRESHOLD?"),
            ("REDUCEPP_THRESHOLD", "half", "REDUCEPP_THRESHOLD 'half': a number is needed"),
            ("REDUCEPP_TARGET_N", "1.5", "REDUCEPP_TARGET_N '1.5': a number is needed"),
        ],
    )
    def test_a_wrong_setting_stops_the_crawl_at_its_start(
        self, tmp_path: Path, name: str, value: object, says: str
    ) -> None:
        from scrapy.settings import Settings

        from reducepp.plugins.scrapy import ReducePipeline

        settings = Settings({"REDUCEPP_FILE": str(tmp_path / "out.jsonl"), name: value})
        with pytest.raises(ReduceppError, match=re.escape(says)):
            ReducePipeline(settings, self.stats())

    def test_items_pass_where_the_index_fails(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from scrapy.settings import Settings

        from reducepp.plugins.scrapy import DropPipeline

        def fail(*_: object, **more: object) -> None:
            raise InputError("seen.idx: the disk is full")

        settings = {"REDUCEPP_DROP": True, "REDUCEPP_INDEX": str(tmp_path / "seen.idx")}
        pipeline = DropPipeline(Settings(settings), self.stats())
        pipeline.open_spider()
        monkeypatch.setattr(pipeline.index, "add", fail)
        items = [{"title": "Bees"}, {"title": "Honey"}]
        assert [pipeline.process_item(item) for item in items] == items
        assert pipeline.stats.get_value("reducepp/not_compared") == 2
        assert [record.getMessage() for record in caplog.records] == [
            "items pass without comparison: seen.idx: the disk is full"
        ]
        pipeline.close_spider()

    def test_many_items_of_one_page_pass_and_their_copies_do_not(self) -> None:
        from scrapy.exceptions import DropItem
        from scrapy.settings import Settings

        from reducepp.plugins.scrapy import DropPipeline

        pipeline = DropPipeline(Settings({"REDUCEPP_DROP": True}), self.stats())
        pipeline.open_spider()
        items = [{"url": "https://quotes.example/1", "text": r["snippet"]} for r in RESULTS[:4:3]]
        for item in items:
            assert pipeline.process_item(item) is item
        collected = [{name: [text] for name, text in item.items()} for item in items]
        for item in [*items, *collected]:
            with pytest.raises(DropItem, match="near-duplicate of https:"):
                pipeline.process_item(item)
        assert len(pipeline.index) == 2
        pipeline.close_spider()

    def test_items_without_a_known_field_are_counted(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        from scrapy.settings import Settings

        from reducepp.plugins.scrapy import ReducePipeline

        pipeline = ReducePipeline(Settings({"REDUCEPP_FILE": str(tmp_path / "o")}), self.stats())
        for item in ({"heading": "Bees"}, {"heading": "Honey"}, {"title": "Wax"}):
            pipeline.process_item(item)
        assert pipeline.stats.get_value("reducepp/empty") == 2
        assert [record.getMessage() for record in caplog.records] == [
            "nothing to compare in an item (heading): name its REDUCEPP_FIELDS"
        ]

    def test_off_without_a_file_and_bounded(self, tmp_path: Path) -> None:
        from scrapy.exceptions import NotConfigured
        from scrapy.settings import Settings

        from reducepp.plugins.scrapy import ReducePipeline

        stats = self.stats()
        with pytest.raises(NotConfigured):
            ReducePipeline(Settings(), stats)
        settings = Settings(
            {
                "REDUCEPP_FILE": str(tmp_path / "out.jsonl"),
                "REDUCEPP_MAX_ITEMS": 3,
                "REDUCEPP_FIELDS": {"title": "headline"},
            }
        )
        pipeline = ReducePipeline(settings, stats)
        items = [{"headline": r["title"], **r} for r in RESULTS]
        assert [pipeline.process_item(item) is item for item in items] == [True] * 5
        pipeline.close_spider()
        assert stats.get_value("reducepp/not_compared") == 2
        assert json.loads((tmp_path / "out.jsonl").read_text("utf-8"))["before"] == 3
