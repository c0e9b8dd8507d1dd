"""Result lists written for these tests: copies of one story, others on the same subject."""

from typing import Any

STORY = (
    "Beekeepers on the roofs of the old town harvested more honey this summer than their "
    "colleagues in the fields, the association counted in its yearly survey of forty hives."
)
EDITED = (
    "Beekeepers on the roofs of the old town harvested more honey this summer than their "
    "colleagues in the fields, the association said."
)
RESULTS: list[dict[str, Any]] = [
    {
        "title": "Rooftop bees beat field bees | Dale Herald",
        "url": "https://herald.example/bees",
        "snippet": STORY,
    },
    {
        "title": "How to keep bees on a roof",
        "url": "https://guide.example/roof",
        "snippet": "Choose a roof with morning sun, ask the neighbours, and start with two hives.",
    },
    {
        "title": "Rooftop bees beat field bees",
        "url": "https://mirror.example/n/77",
        "snippet": EDITED,
    },
    {
        "title": "Honey cake with rosemary",
        "url": "https://kitchen.example/cake",
        "snippet": "Beat eggs and honey until pale, fold in the flour and bake for an hour.",
    },
    {
        "title": "Rooftop bees beat field bees",
        "url": "https://www.herald.example/bees/?utm_source=feed",
        "snippet": "All news of the region, every morning.",
    },
]
"""Places 2 and 4 are copies of place 0: one text on another host, one page under two addresses."""

FRENCH: list[dict[str, Any]] = [
    {
        "title": "Les abeilles des toits battent celles des champs",
        "url": "https://gazette.example/abeilles",
        "snippet": "Sur les toits de la vieille ville, les apiculteurs ont récolté plus de miel.",
    },
    {
        "title": "Installer une ruche sur un toit",
        "url": "https://jardin.example/ruche",
        "snippet": "Choisissez un toit ensoleillé le matin et prévenez les voisins.",
    },
    {
        "title": "Les abeilles des toits battent celles des champs - Filinfo",
        "url": "https://filinfo.example/1",
        "snippet": "Sur les toits de la vieille ville, les apiculteurs ont récolté plus de miel.",
    },
]

ARABIC: list[dict[str, Any]] = [
    {
        "title": "نحل السطوح يتفوق على نحل الحقول",
        "url": "https://nahl.example/1",
        "snippet": "جمع مربو النحل على سطوح المدينة القديمة عسلا أكثر من زملائهم في الحقول.",
    },
    {
        "title": "كيف تربي النحل على السطح",
        "url": "https://dalil.example/2",
        "snippet": "اختر سطحا تصله شمس الصباح واسأل الجيران وابدأ بخليتين.",
    },
    {
        "title": "نحل السطوح يتفوّق على نحل الحقول",
        "url": "https://sahifa.example/3",
        "snippet": "جمع مربّو النحل على سطوح المدينة القديمة عسلاً أكثر من زملائهم في الحقول.",
    },
]
