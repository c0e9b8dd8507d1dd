"""Languages of semantic preparation: stop words, lemmas and synonyms of each.

English and French: spaCy's lookup lemmas and MyThes thesauri (the English one is made from
WordNet); elided French articles are stop words. Arabic: MyThes synonyms, then ISRI roots, because
the thesaurus lists words, not roots.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from reducepp.text.lexicons import isri_roots, lookup_lemmas, thesaurus_concepts
from reducepp.text.tokenise import normalise

Mapping = Callable[[Iterable[str]], dict[str, str]]

_ENGLISH_STOP_WORDS = """
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

_FRENCH_STOP_WORDS = """
a afin ai aie ainsi ait alors après as assez au aucun aucune aujourd auquel aura aurait aussi
autre autres aux auxquelles auxquels avaient avais avait avant avec avez avoir avons ayant bien c
car ce ceci cela celle celles celui cependant certain certaine certaines certains ces cet cette
ceux chaque chez ci comme comment d dans de dehors delà depuis des desquelles desquels dessous
dessus deux devant doit doivent donc dont du duquel durant elle elles en encore enfin entre envers
es est et étaient étais était étant été être eu eux fait faire fois font furent fut hors hui ici
il ils j je jusqu jusque l la là laquelle le lequel les lesquelles lesquels leur leurs lors lorsqu
lorsque lui m ma mais malgré me même mêmes mes mien mienne mieux moi moins mon n ne ni non nos
notre nous on ont or ou où outre par parce parmi pas pendant peu peut peuvent plus plusieurs
plutôt pour pourquoi pourtant près presque puis puisqu puisque qu quand que quel quelle quelles
quels quelqu quelque quelques qui quoi quoiqu quoique s sa sans sauf se selon sera serait seront
ses si sien sienne sinon soi soit sommes son sont sous suis sur t ta tandis tant te tel telle
telles tels tes toi ton toujours tous tout toute toutes très tu un une vers voici voilà vos votre
vous y
"""

_ARABIC_STOP_WORDS = """
من في على إلى عن مع هذا هذه ذلك تلك هؤلاء أولئك الذي التي الذين اللذين اللتين اللاتي اللواتي ما
ماذا متى أين كيف لماذا لم لن لا ليس ليست إن أن أنه أنها إنه إنها أنهم كان كانت كانوا يكون تكون
يكونوا سيكون ستكون وكان وكانت هو هي هم هن أنا أنت أنتم نحن كل بعض غير سوى قد لقد وقد فقد ثم أو أم
بل لكن ولكن لكنه لكنها حتى إذا إذ لو لولا لما عند عندما عندها بين قبل بعد خلال منذ حول تحت فوق
أمام خلف دون ضد نحو لدى لديه لديها له لها لهم لنا لي لك به بها بهم بنا بي بك فيه فيها فيهم منه
منها منهم عليه عليها عليهم إليه إليها إليهم عنه عنها عنهم معه معها معهم كما أي أيضا فقط جدا هنا
هناك حيث مثل مما فيما بما كذلك وهو وهي وفي ومن وعلى وإلى ولا وما وأن وإن والتي والذي وهذا وهذه
وذلك وتلك ومع وعن ولم ولن بأن لأن لأنه لأنها كي لكي أما إما إلا ألا هل نعم كلا يا أيها أيتها بينما
حين حينما كلما أحد إحدى ذات ذو عبر ضمن
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Stop words of a language, and functions that map words to lemmas and concepts.

    `lemmas` and `synonyms` take a vocabulary and return word to base form; words that they do
    not know are left out. All words are in the form that `tokenise.normalise` returns.
    """

    code: str
    name: str
    stop_words: frozenset[str]
    lemmas: Mapping
    synonyms: Mapping


def _arabic_lemmas(vocabulary: Iterable[str]) -> dict[str, str]:
    """The root of each word's concept."""
    words = list(vocabulary)
    concepts = thesaurus_concepts("th_ar_EG_v2", "mythes-ar", words)
    named = {word: concepts.get(word, word) for word in words}
    roots = isri_roots(set(named.values()))
    return {word: roots.get(concept, concept) for word, concept in named.items()}


ENGLISH = Language(
    code="en",
    name="English",
    stop_words=frozenset(_ENGLISH_STOP_WORDS.split()),
    lemmas=lambda words: lookup_lemmas("en", words),
    synonyms=lambda words: thesaurus_concepts("th_en_US_v2", "mythes-en-us", words),
)

FRENCH = Language(
    code="fr",
    name="French",
    stop_words=frozenset(_FRENCH_STOP_WORDS.split()),
    lemmas=lambda words: lookup_lemmas("fr", words),
    synonyms=lambda words: thesaurus_concepts("thes_fr", "mythes-fr", words),
)

ARABIC = Language(
    code="ar",
    name="Arabic",
    stop_words=frozenset(normalise(_ARABIC_STOP_WORDS).split()),
    lemmas=_arabic_lemmas,
    synonyms=lambda words: {},
)

LANGUAGES: dict[str, Language] = {language.code: language for language in (ENGLISH, FRENCH, ARABIC)}
"""ISO 639-1 code to language."""
