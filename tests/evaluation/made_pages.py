"""Result sets made by a seed: originals, near-copies of them, and chains of edits."""

from random import Random

from reducepp.types import Page, Profile, Signal

ENGLISH = (
    "harbour tide lantern keeper storm coast signal tower granite fog vessel captain channel "
    "council record winter repair lens beacon village museum visitor letter archive engineer "
    "stone island ferry morning evening crew rescue chart map reef current wind sail market "
    "school festival bridge river valley farmer orchard cider recipe weather station report "
    "measure sample study result city garden roof bee honey hive plan budget vote member "
    "public"
)
ARABIC = (
    "البحر المنارة السفينة الميناء العاصفة الشاطئ الضوء البرج الحجر الضباب القبطان القناة "
    "المجلس السجل الشتاء الإصلاح العدسة القرية المتحف الزائر الرسالة الأرشيف المهندس الجزيرة "
    "الصباح المساء الطاقم الإنقاذ الخريطة التيار الريح الشراع السوق المدرسة المهرجان الجسر "
    "النهر الوادي المزارع البستان المحطة التقرير العينة الدراسة النتيجة المدينة الحديقة السطح "
    "النحل العسل الخلية الخطة"
)
POOLS = {"en": ENGLISH.split(), "ar": ARABIC.split()}

PROFILE = Profile(
    name="made",
    threshold=0.5,
    missing="left out",
    signals=(
        Signal(name="page_title", content="page_title", measure="cosine", weight=0.1),
        Signal(name="body_cosine", content="body", measure="cosine", weight=0.3),
        Signal(
            name="body_graph",
            content="body",
            measure="edges",
            weight=0.6,
            options={"window": 3, "against": "mean"},
        ),
    ),
)
"""Of its own, so that tests do not move with the profiles of the package."""


def made_pages(
    count: int, *, query: str = "lighthouse", language: str = "en", seed: int = 1
) -> list[Page]:
    """Pages in rank order; about four in ten are copies, edited more or less."""
    random = Random(seed)
    bodies: list[list[str]] = []
    for _ in range(count):
        if bodies and random.random() < 0.4:
            bodies.append(_edit(random, random.choice(bodies[-12:]), POOLS[language]))
        else:
            bodies.append(
                [_sentence(random, POOLS[language]) for _ in range(random.randint(8, 30))]
            )
    return [_page(random, body, rank, query, language, seed) for rank, body in enumerate(bodies, 1)]


def _sentence(random: Random, pool: list[str]) -> str:
    return " ".join([random.choice(pool) for _ in range(random.randint(6, 16))]).capitalize() + "."


def _edit(random: Random, body: list[str], pool: list[str]) -> list[str]:
    """A copy: as it is, or with some of its sentences replaced."""
    share = random.choice((0.0, 0.05, 0.15, 0.3, 0.45))
    return [_sentence(random, pool) if random.random() < share else line for line in body]


def _page(random: Random, body: list[str], rank: int, query: str, language: str, seed: int) -> Page:
    site = random.choice(("herald", "gazette", "almanac", "notebook", "observer"))
    return Page(
        id=f"{language}{seed}-{rank}",
        query=query,
        rank=rank,
        url=f"https://{site}.example/{language}/{rank}",
        language=language,
        site_title="" if rank % 5 == 0 else site,
        page_title=" ".join(body[0].split()[:5]).strip("."),
        subtitles=tuple(line.split()[0] for line in body[1:4]) if rank % 3 else (),
        links=tuple(f"https://{site}.example/{k}" for k in range(rank % 4)),
        body="\n".join(" ".join(body[i : i + 3]) for i in range(0, len(body), 3)),
        posted_at=f"2026-0{1 + rank % 9}-11" if rank % 2 else "",
    )
