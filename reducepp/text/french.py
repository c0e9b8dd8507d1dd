"""French: spaCy's lookup lemmas, MyThes synonyms; elided articles are stop words."""

from reducepp.text.language import Language
from reducepp.text.lexicons import lookup_lemmas, thesaurus_concepts

_STOP_WORDS = """
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

FRENCH = Language(
    code="fr",
    name="French",
    stop_words=frozenset(_STOP_WORDS.split()),
    lemmas=lambda words: lookup_lemmas("fr", words),
    synonyms=lambda words: thesaurus_concepts("thes_fr", "mythes-fr", words),
)
