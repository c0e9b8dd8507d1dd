"""Whether a JSONL file has each query's records together, so that it can be read query by query."""

from pathlib import Path

from reducepp.io.bounded_reading import LONGEST_LINE, parse_json
from reducepp.io.columns import Columns
from reducepp.io.records import find_field
from reducepp.io.search_answers import find_query, is_answer


def is_sorted(source: str, columns: Columns) -> bool:
    """True for a JSONL file with at least one page in which no query comes back after another."""
    path = Path(source)
    if path.suffix.lower() not in (".jsonl", ".ndjson") or not path.is_file():
        return False
    seen: dict[str, None] = {}
    last: str | None = None
    with path.open("rb") as stream:
        while line := stream.readline(LONGEST_LINE):
            query = _query_of(line, columns)
            if query is None or query == last:
                continue
            if query in seen:
                return False
            seen[query] = None
            last = query
    return bool(seen)


def _query_of(line: bytes, columns: Columns) -> str | None:
    """The query that a line names, "" for none; None for a line that is no record."""
    try:
        record = parse_json(line)
    except ValueError:
        return None
    if not isinstance(record, dict):
        return None
    if is_answer(record):
        return find_query(record)
    named = next((theirs for ours, theirs in columns.names.items() if ours == "query"), None)
    for key, value in record.items():
        if key == named or (named is None and find_field(str(key))[0] == "query"):
            return str(value)
    return ""
