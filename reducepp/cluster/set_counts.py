"""What the pages of a set are counted by, without a task that holds the set.

Every step is a task per block and writes Parquet files whose row groups are for one task of a later
step each, so that a task reads its own rows of every file and no others:

1. `_keys`: codes of what names each page. Its runs go to `_runs` by their codes, those that find
   copies of one text to `_sites` by their sites.
2. `_copies`: pages of one site that are copies of one text.
3. `_census`: from the codes of all pages, the document, the site and the rarity of each page's
   names. One task, and the only one that has a row for every page of the set.
4. `_counts`: how many documents of the set and of the page's site have each run that several pages
   have, by block of pages.
5. `_blocks`: the pages of a block with all of this.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from reducepp.cluster.counted_pages import (
    ADDRESS,
    CELLS,
    CountedSet,
    are_framed,
    coded_subjects,
    join_arrays,
    keyed,
    list_column,
    numbers_of,
)
from reducepp.cluster.part_runs import Dealt, Rows, read_all, read_dealt, read_result, write_result
from reducepp.cluster.set_files import SetFiles, Stage, place_of
from reducepp.index.features import UNITS, are_of_unit, describe_set, word_codes
from reducepp.io.records import dict_to_page
from reducepp.similarity.contents import PageSet
from reducepp.similarity.documents import (
    FULL_TEXT,
    address_parts,
    code_of,
    copies_on_sites,
    digests_of,
    documents_of,
    long_runs,
    parts_of_addresses,
    plain_texts_of,
    sites_of,
    snippets_of,
    title_words,
)
from reducepp.similarity.evidence_candidates import certain_groups
from reducepp.similarity.measures.rare_equality import address_states, name_rarity, title_rarity
from reducepp.similarity.measures.rare_runs import FIVE_WORDS, LETTERS, SCALES
from reducepp.similarity.measures.same_page import bare_texts_of, excerpts_of, results_of
from reducepp.similarity.shingles import coded_membership, distinct
from reducepp.types import Bools, Integers, Page, Profile

PAGES_AT_ONCE = 500
"""Pages of a block that are tokenised at once."""


def describe_block(name: str, *, files: SetFiles) -> tuple[Rows, int]:
    """The keys of a block's pages; their runs are written beside."""
    block, of = place_of(name)
    (start, stop), rows = files.range_of(block), files.read_pages(block)
    steps = range(0, stop - start, PAGES_AT_ONCE)
    made = [_describe(rows.slice(step, PAGES_AT_ONCE), start + step) for step in steps]
    keys = {key: join_arrays([one[key] for one, _ in made]) for key in made[0][0]}
    runs, pages = (np.concatenate([one[i] for _, one in made]) for i in (0, 1))
    del made
    cells = {"run": runs, "page": pages}
    write_result(files.path(Stage.RUNS, name), Dealt(rows=cells, to=_shares(runs, of), of=of))
    long = np.flatnonzero(are_of_unit(runs, FIVE_WORDS))
    sites = keys["site"].to_numpy()[pages[long] - start]
    long, sites = long[sites != 0], sites[sites != 0]
    cells = {"run": runs[long], "page": pages[long], "site": sites}
    write_result(files.path(Stage.SITES, name), Dealt(rows=cells, to=_shares(sites, of), of=of))
    return keys, 0


def _shares(codes: Integers, of: int) -> Integers:
    """Which of so many tasks has each code."""
    return ((codes >> 16) % of).astype(np.int32)


def _describe(rows: Any, start: int) -> tuple[dict[str, Any], tuple[Integers, Any]]:
    """Keys of some pages, the first of which is number `start`; their runs and the runs' pages."""
    page_set = PageSet([dict_to_page(row) for row in rows.to_pylist()])
    described = describe_set(page_set)
    sizes = [len(one.all_runs) for one in described]
    pages = np.repeat(np.arange(start, start + len(sizes), dtype=np.int32), sizes)
    keys = _names(page_set, start)
    for unit in UNITS:
        keys[f"cells {unit}"] = [len(one.runs[unit]) for one in described]
    keys["listed"] = [int((one.runs[FIVE_WORDS] & 1).sum()) for one in described]
    keys["text"] = [one["text"] if one["length"] else 0 for one in described]
    return keys, (np.concatenate([one.all_runs for one in described]), pages)


def _names(page_set: PageSet, start: int) -> dict[str, Any]:
    """What the keys of each page are, as codes that are the same in every task."""
    texts, values = page_set.texts(FULL_TEXT, "plain"), page_set.values(FULL_TEXT)
    titles = [code_of(title_words(page)) for page in page_set.pages]
    parts = address_parts(page_set)
    plain = plain_texts_of(page_set)
    framed = are_framed(texts.lengths, plain)
    return {
        **{name: [code_of(part[i]) for part in parts] for i, name in enumerate(ADDRESS)},
        "title": titles,
        "content_class": page_set.values("content_class"),
        "named": [
            code_of(own_name(page, place)) for place, page in enumerate(page_set.pages, start + 1)
        ],
        "digest": [code_of(text) for text in values],
        "length": texts.lengths,
        "is_plain": plain,
        "is_snippet": snippets_of(page_set),
        "is_excerpt": excerpts_of(page_set),
        "is_result": results_of(page_set),
        "is_bare_text": bare_texts_of(page_set),
        "wordless": [
            "" if length else text
            for text, length in zip(values, texts.lengths.tolist(), strict=True)
        ],
        "subjects": coded_subjects(texts),
        "frame": list_column(word_codes(texts)[framed], texts.pages[framed], texts.count),
    }


def own_name(page: Page, place: int) -> str:
    """The id that a page has where no page before it has the same (`assign_ids`)."""
    return page.id or page.url or f"page-{place}"


def find_copies(name: str, *, files: SetFiles) -> tuple[Rows, int]:
    """The pages of some sites that are copies of one text, and the number of that text."""
    block, of = place_of(name)
    table = read_dealt(files.every(Stage.SITES), block)
    page, run, site = (table[key].to_numpy() for key in ("page", "run", "site"))
    pages, first, rows = np.unique(page, return_index=True, return_inverse=True)
    matrix, _ = coded_membership(rows, run, len(pages))
    known: dict[Any, Any] = {
        (long_runs, FULL_TEXT): (matrix, None),
        (parts_of_addresses,): (numbers_of(site[first]),) * len(ADDRESS),
    }
    copies = copies_on_sites(CountedSet(range(len(pages)), known))
    found = copies >= 0
    return {"page": pages[found], "copy": copies[found] * of + block}, 0


def take_census(name: str, *, files: SetFiles, profile: Profile) -> tuple[Rows, int]:
    """Documents, sites and rarities of all pages."""
    columns = [*ADDRESS, "title", "text", "named", "digest", "length", "is_snippet"]
    columns += ["content_class"]
    keys = read_all(files.every(Stage.KEYS), columns)
    copies = np.full(files.count, -1, dtype=np.int64)
    found = read_all(files.every(Stage.COPIES), ["page", "copy"])
    copies[found["page"].to_numpy()] = found["copy"].to_numpy()
    known = keyed(keys) | {
        (copies_on_sites,): copies,
        (digests_of,): keys["digest"].to_numpy().tolist().__getitem__,
        (snippets_of,): keys["is_snippet"].to_numpy(),
        ("derived", "content_class"): keys["content_class"].to_pylist(),
    }
    lengths = keys["length"].to_numpy()
    page_set = CountedSet(range(files.count), known, lengths=lengths)
    documents, sites = documents_of(page_set), sites_of(page_set)
    brief = max(scale.longest(LETTERS) for scale in SCALES.values())
    rows = {
        "document": documents,
        "site_number": sites,
        "documents": np.full(len(documents), documents.max(initial=-1) + 1),
        "site_documents": np.bincount(
            distinct((sites + 1) * len(documents) + documents) // max(len(documents), 1)
        )[sites + 1],
        "title_rarity": title_rarity(page_set),
        "name_rarity": name_rarity(page_set),
        "states": address_states(page_set),
        "times": _occurrences(keys["named"].to_numpy()),
        "certain": certain_groups(page_set, profile),
        "letters": np.full(len(sites), bool(((lengths > 0) & (lengths < brief)).any())),
    }
    return Dealt(rows=rows, to=np.arange(files.count) // files.size, of=files.of), 0


def _occurrences(codes: Integers) -> Integers:
    """Number of each code among its equals, in order, from 1 on."""
    order = np.argsort(codes, kind="stable")
    is_first = np.diff(codes[order], prepend=codes[order][:1] - 1) != 0
    starts = np.flatnonzero(is_first)
    found = np.empty(len(codes), dtype=np.int64)
    found[order] = np.arange(len(codes)) - starts[np.cumsum(is_first) - 1] + 1
    return found


def count_runs(name: str, *, files: SetFiles) -> tuple[Rows, int]:
    """Documents that contain each of some runs, for every page that has it, by block of pages.

    Only runs that two pages have or more: of the others a block knows how many there are.
    """
    block, of = place_of(name)
    table = read_dealt(files.every(Stage.RUNS), block)
    run, page = table["run"].to_numpy(), table["page"].to_numpy()
    del table
    census = read_result(files.path(Stage.CENSUS), ["document", "site_number", "letters"])
    document, site = census["document"].to_numpy(), census["site_number"].to_numpy()
    with_letters = len(census) > 0 and census["letters"][0].as_py()
    found = []
    numbered = 0
    for number, unit in enumerate(UNITS):
        if unit == LETTERS and not with_letters:
            continue
        of_unit = are_of_unit(run, unit)
        codes, pages = _shared_alone(run[of_unit], page[of_unit])
        known, runs = np.unique(codes, return_inverse=True)
        runs = runs.astype(np.int64)
        documents = document[pages]
        on_site = np.unique(runs * (len(site) + 1) + site[pages] + 1, return_inverse=True)[1]
        found.append(
            {
                "unit": np.full(len(runs), number, dtype=np.int8),
                "run": (((runs + numbered) * of + block) << 1) | (codes & 1),
                "page": pages,
                "documents": _distinct_documents(runs, documents)[runs],
                "on_site": _distinct_documents(on_site, documents)[on_site],
            }
        )
        numbered += len(known)
    rows = {key: np.concatenate([one[key] for one in found]) for key in found[0]}
    return Dealt(rows=rows, to=rows["page"] // files.size, of=of), 0


def _shared_alone(codes: Integers, pages: Integers) -> tuple[Integers, Integers]:
    """The cells of runs that several pages have."""
    order = np.argsort(codes, kind="stable")
    codes, pages = codes[order], pages[order]
    same = codes[1:] == codes[:-1]
    kept: Bools = np.append(same, False) | np.concatenate([[False], same])[: len(codes)]
    return codes[kept[: len(codes)]], pages[kept[: len(codes)]]


def _distinct_documents(runs: Integers, documents: Integers) -> Integers:
    """Documents among the cells of each run."""
    width = int(documents.max(initial=0)) + 1
    return np.bincount(distinct(runs * width + documents) // width).astype(np.int32)


def join_block(name: str, *, files: SetFiles) -> tuple[Rows, int]:
    """The pages of a block with their keys and counts."""
    block, _ = place_of(name)
    start, stop = files.range_of(block)
    rows = files.read_pages(block)
    keys = read_result(files.path(Stage.KEYS, name))
    census = read_dealt([files.path(Stage.CENSUS)], block)
    counts = read_dealt(files.every(Stage.COUNTS), block)
    columns = {key: table[key] for table in (rows, keys, census) for key in table.column_names}
    units = counts["unit"].to_numpy()
    for number, unit in enumerate(UNITS):
        mine = np.flatnonzero(units == number)
        runs, pages = counts["run"].to_numpy()[mine], counts["page"].to_numpy()[mine] - start
        order = np.lexsort((runs, pages))
        for key in CELLS:
            values = counts[key].to_numpy()[mine[order]]
            columns[f"{key} {unit}"] = list_column(values, pages[order], stop - start)
    numbered = zip(rows.select(["id", "url"]).to_pylist(), census["times"].to_pylist(), strict=True)
    columns["id"] = [
        own_name(dict_to_page(row), place) + (f"#{times}" if times > 1 else "")
        for place, (row, times) in enumerate(numbered, start + 1)
    ]
    columns["rank"] = np.arange(start, stop) + 1
    columns["query"] = [""] * (stop - start)
    return columns, 0
