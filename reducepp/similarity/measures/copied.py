"""Whether two texts are copies, tags, mentions and addresses aside."""

from reducepp.similarity.contents import Contents
from reducepp.similarity.measures.feature_sets import equal_texts, read_posts
from reducepp.types import Array


def copied(contents: Contents) -> Array:
    """1 where two texts have the same words in the same order, else 0; NaN for no words.

    Tao et al. (2013), 5.5: the first step of the cascade, Levenshtein distance zero before or
    after removing mentions, URLs and hashtags. A text of nothing else is compared as it is.
    """
    return equal_texts(contents.pairs, [post.core for post in read_posts(contents)])
