"""Arabic: MyThes synonyms, then ISRI roots; letters have one form each before anything else.

The thesaurus lists words, not roots, so synonyms are looked up first.
"""

from collections.abc import Iterable

from reducepp.text.language import Language
from reducepp.text.lexicons import isri_roots, thesaurus_concepts
from reducepp.text.tokenise import normalise

_STOP_WORDS = """
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


def _root_of_concept(vocabulary: Iterable[str]) -> dict[str, str]:
    words = list(vocabulary)
    concepts = thesaurus_concepts("th_ar_EG_v2", "mythes-ar", words)
    named = {word: concepts.get(word, word) for word in words}
    roots = isri_roots(set(named.values()))
    return {word: roots.get(concept, concept) for word, concept in named.items()}


ARABIC = Language(
    code="ar",
    name="Arabic",
    stop_words=frozenset(normalise(_STOP_WORDS).split()),
    lemmas=_root_of_concept,
    synonyms=lambda words: {},
)
