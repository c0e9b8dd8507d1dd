"""How much of what each of two texts repeats the other lacks: texts about two subjects do."""

from __future__ import annotations

import numpy as np

from reducepp.similarity.contents import Contents, PageSet, made_once
from reducepp.similarity.documents import FULL_TEXT
from reducepp.similarity.measures.rare_runs import SCALES, pairs_of_scopes, words_by_occurrence
from reducepp.similarity.shingles import distinct, table_of_runs
from reducepp.similarity.sparse import move_columns
from reducepp.types import Array, Bools, Integers, Sparse

Repeats = tuple[Sparse, Sparse]

PRIOR_REPEATS = 2.0
"""Added to what a text repeats: of a text that repeats hardly anything nothing follows."""
MOST_LACKING = 0.3
"""Share from which on two texts are about two subjects. From 0.2 to 0.3 the labelled sets come out
nearly the same."""
DECIMALS = 12


def other_subject(contents: Contents) -> Array:
    """What the texts of a pair repeat and the other one lacks, in [0, 1]: of the text that lacks
    less, over MOST_LACKING of all that it repeats.

    A word that a text has 2, 4, 8 ... times is expected at least half as often in the other one.
    An excerpt and a revision repeat the words of their source; two pages of a template or of a
    reference each repeat a name that the other does not have. It counts where texts are compared
    by words, and less the more they are compared by longer runs. No similarity but a description
    of a pair: NaN for a page with itself, for pages of one site with a title, and for a text
    without words.
    """
    pairs, lengths = contents.pairs, contents.texts("plain").lengths
    repeated, present = subject_words(contents.page_set)
    sizes = np.diff(repeated.indptr).astype(np.float64)
    of_first = pairs.first(sizes) - pairs.products(repeated, present)
    of_second = pairs.second(sizes) - pairs.products(present, repeated)
    of_first /= pairs.first(sizes) + PRIOR_REPEATS
    of_second /= pairs.second(sizes) + PRIOR_REPEATS
    lacking = np.minimum(np.minimum(of_first, of_second) / MOST_LACKING, 1.0)
    shorter = np.minimum(pairs.first(lengths), pairs.second(lengths))
    found = np.full(lacking.shape, np.nan)
    wanted = pairs_of_scopes(contents)
    for scope in ("untitled", "off_site"):
        by_words = 1.0 - SCALES[scope].weight(SCALES[scope].units[-1], shorter)
        found = np.where(wanted[scope], lacking * by_words, found)
    found = found.round(DECIMALS)
    found[pairs.is_own()] = np.nan
    return pairs.blank(found, lengths == 0)


@made_once
def subject_words(page_set: PageSet) -> Repeats:
    """Pages × words by occurrence: those whose next occurrence a page has too, and all. Words that
    no page repeats are left out."""
    matrix, following = words_by_occurrence(page_set.contents(FULL_TEXT))
    repeated = np.flatnonzero(following >= 0)
    numbers, places = np.arange(len(repeated)), np.full((2, len(following)), -1, dtype=np.int32)
    places[0, following[repeated]], places[1, repeated] = numbers, numbers
    return move_columns(matrix, places[0]), move_columns(matrix, places[1])


def table_of_repeats(rows: Integers, codes: Integers, again: Bools, count: int) -> Repeats:
    """`subject_words` from the codes of words by occurrence; `again` marks those whose next
    occurrence the same text has."""
    known = distinct(codes[again])
    columns = np.searchsorted(known, codes)
    kept = np.append(known, 0)[columns] == codes
    kept &= columns < len(known)
    pages = np.concatenate([rows[again], rows[kept] + count])
    made, _ = table_of_runs(pages, np.concatenate([columns[again], columns[kept]]), 2 * count)
    return made[:count], made[count:]
