"""Requests of the page at /: files to a report's data, labels to a learned profile."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Literal

from pydantic import BaseModel, Field

from reducepp.api import ReduceOptions, compare_query, resolve_profile
from reducepp.demo import read_documents, read_pages_html
from reducepp.errors import InputError, LabelsError
from reducepp.evaluation.report.report_data import report_data
from reducepp.inputs import QueryPages, as_pages, group_reads
from reducepp.io.records import page_to_record
from reducepp.labelled.labelled_pairs import find_pairs
from reducepp.labelled.reading import PairLabel
from reducepp.labelled.signals import PairSignals, measure_pairs
from reducepp.service.kept_labels import Label
from reducepp.service.limits import ServiceSettings
from reducepp.service.requests import Scored
from reducepp.service.uploads import Upload, read_uploads
from reducepp.similarity.compare import drop_empty_signals
from reducepp.types import Profile
from reducepp.weights.learning.learn import FITS, check_labels, fit_profile, learn
from reducepp.weights.profile import dump_profile


class ViewRequest(Scored):
    """Files, or the pages that the package carries."""

    files: list[Upload] = Field(default_factory=list)
    demo: bool = False


class GivenQuery(BaseModel):
    """A query's pages, as an earlier answer gave them."""

    query: str = ""
    pages: list[dict[str, Any]]


class LearnRequest(Scored):
    """Labelled pages to learn from."""

    queries: list[GivenQuery]
    labels: list[Label]
    model: Literal["linear", "logistic", "tree", "rules"] = "linear"


def view_files(request: ViewRequest, settings: ServiceSettings) -> dict[str, Any]:
    """POST /view: the report's data on what was given, and its pages for whatever comes next."""
    demo = chain.from_iterable(map(read_documents, read_pages_html())) if request.demo else ()
    found = group_reads(demo or read_uploads(request.files), jobs=1)
    settings.check_count(sum(len(group.pages) for group in found))
    if not any(group.pages for group in found):
        failures = [failure for group in found for failure in group.failures]
        raise InputError(failures[0].reason if failures else "no page in it")
    profile = _choose(request, settings, found)
    return {
        "report": _report(found, profile),
        "profile": profile.name,
        "queries": [
            {"query": g.query, "pages": [page_to_record(p) for p in g.pages]} for g in found
        ],
    }


def learn_labels(request: LearnRequest, settings: ServiceSettings) -> dict[str, Any]:
    """POST /learn: a profile learned from labels, its figures out of fold, the report under it."""
    settings.check_count(sum(len(query.pages) for query in request.queries))
    found = []
    for one in request.queries:
        given, failures = as_pages(({**page, "query": one.query} for page in one.pages), jobs=1)
        found.append(QueryPages(query=one.query, pages=given, failures=failures))
    pages = [page for group in found for page in group.pages]
    base = drop_empty_signals(_choose(request, settings, found), pages)
    name = f"{base.name}-labelled"
    base = replace(base, name=name, description=f"Signals of {base.name}, learned from labels.")
    labels = [
        PairLabel(query=label.query, a=label.a, b=label.b, grade=float(label.duplicate))
        for label in request.labels
    ]
    pairs = find_pairs([group.pages for group in found], labels)
    profile, figures, why = _learn(measure_pairs(pairs, base), base, request.model)
    return {
        "name": name,
        "toml": dump_profile(profile),
        "threshold": profile.threshold,
        "figures": figures,
        "why": why,
        "skipped": pairs.missing,
        "report": _report(found, profile),
    }


def _learn(
    pairs: PairSignals, base: Profile, model: str
) -> tuple[Profile, dict[str, str] | None, str]:
    """The profile, its figures out of fold, and why there are none where labels are too few."""
    check_labels(pairs)
    try:
        profile, checked = learn(pairs, base, model=model)
    except LabelsError as error:
        text = f"How well they do elsewhere cannot be said: {error}."
        return replace(fit_profile(pairs, base, FITS[model]), provenance=text), None, text
    found = checked.figures
    figures = {"precision": found.precision, "recall": found.recall, "f": found.f1}
    return profile, {name: str(one) for name, one in figures.items()}, ""


def _choose(request: Scored, settings: ServiceSettings, found: Sequence[QueryPages]) -> Profile:
    """One profile for all queries, at the threshold that the page opens with."""
    options = settings.options(request.profile)
    profile = resolve_profile([page for group in found for page in group.pages], options)
    threshold = profile.threshold if options.threshold is None else options.threshold
    return replace(profile, threshold=threshold)


def _report(found: Sequence[QueryPages], profile: Profile) -> dict[str, Any]:
    """With the queries of which no page could be used: their failures are to be seen."""
    how = ReduceOptions(profile=profile)
    compared = [compare_query(g.pages, how, failures=g.failures, query=g.query) for g in found]
    return report_data(compared)
