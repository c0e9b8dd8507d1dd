"""English: spaCy's lookup lemmas, MyThes synonyms (made from WordNet)."""

from reducepp.text.language import Language
from reducepp.text.lexicons import lookup_lemmas, thesaurus_concepts

_STOP_WORDS = """
a about above after again against all also am an and any are aren as at be because been before
being below between both but by can cannot could couldn d did didn do does doesn doing don down
during each either else ever few for from further had hadn has hasn have haven having he her here
hers herself him himself his how however i if in into is isn it its itself just ll m may me might
mightn mine more most much must mustn my myself neither no nor not now of off often on once one
only onto or other others ought our ours ourselves out over own per rather re s same shall shan she
should shouldn since so some such t than that the their theirs them themselves then there these
they this those though through thus to too toward towards under until up upon us ve very via was
wasn we were weren what whatever when where whether which while who whoever whom whose why will
with within without won would wouldn y yet you your yours yourself yourselves
"""

ENGLISH = Language(
    code="en",
    name="English",
    stop_words=frozenset(_STOP_WORDS.split()),
    lemmas=lambda words: lookup_lemmas("en", words),
    synonyms=lambda words: thesaurus_concepts("th_en_US_v2", "mythes-en-us", words),
)
