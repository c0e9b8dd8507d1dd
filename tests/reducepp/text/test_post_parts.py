"""A post's words, tags, names and what they are worth."""

import pytest

from reducepp.text.lexicons import rarity
from reducepp.text.post_items import entities, simple_entities
from reducepp.text.post_parts import Post, read_post


def post(text: str) -> Post:
    return read_post(text, "en")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("U.S. hits $7K", ("us", "hits", "7", "thousand")),
        ("Five people , 1,200 dogs", ("5", "people", "1200", "dogs")),
        (
            "#GoldenGlobes by @realDonaldTrump",
            ("golden", "globes", "by", "real", "donald", "trump"),
        ),
        ("Don't read https://t.co/xyz", ("do", "not", "read")),
        ("for & nbsp ;returns &amp;amp; more", ("for", "returns", "more")),
        ("Trump's 5.3 rise", ("trump", "5.3", "rise")),
        ("5M and 2bn", ("5", "million", "and", "2", "billion")),
    ],
)
def test_words_come_in_one_spelling(text: str, words: tuple[str, ...]) -> None:
    assert post(text).words == words


def test_tags_mentions_and_addresses_are_distinguished() -> None:
    found = post("Snow in #Istanbul by @nytimes, a#b me@mail.example https://t.co/x. ok")
    assert found.hashtags == ("istanbul",)
    assert found.mentions == ("nytimes",)
    assert found.addresses == ("https://t.co/x",)
    assert found.untagged == "Snow in by , a#b me@mail.example ok"


def test_the_core_is_what_a_copy_shares() -> None:
    first = post("Huge New Toyota Recall Includes 245,000 Lexus GS - http://newzfor.me/?cuye")
    second = post("Huge new Toyota recall includes 245,000 Lexus GS - http://bit.ly/ibUoJs #toyota")
    assert first.core == second.core == "huge new toyota recall includes 245 000 lexus gs"
    assert post("#one #two").core == "one two"


def test_names_are_capitals_unless_all_words_have_them() -> None:
    assert post("The mayor met Anna's friend in Oslo").names == ("anna", "oslo")
    assert post("Mayor Meets Anna In Oslo Today").names == ()


def test_lemmas_and_content_words() -> None:
    assert post("The dogs were barking").lemmas == ("the", "dog", "be", "bark")
    assert post("The dogs were barking").content == ("dog", "bark")
    assert read_post("xyzzy plugh", "xx").content == ("xyzzy", "plugh")


def test_simple_entities_and_their_types() -> None:
    found = simple_entities(
        post("We saw Angela Merkel pay $5 or 20% in Rome #EU @bundestag today 7")
    )
    assert found == (
        ("angela merkel", "NAME"),
        ("rome", "NAME"),
        ("eu", "TAG"),
        ("bundestag", "ACCOUNT"),
        ("$5", "MONEY"),
        ("20%", "PERCENT"),
        ("7", "NUMBER"),
    )


def test_spacy_model_finds_entities_where_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    spacy = pytest.importorskip("spacy")
    pipeline = spacy.blank("en")
    pipeline.add_pipe("entity_ruler").add_patterns([{"label": "GPE", "pattern": "New York"}])
    monkeypatch.setattr("reducepp.text.post_items.load_model", lambda language, job: pipeline)
    assert entities(Post("in New York tonight", "en")) == (("new york", "GPE"),)


def test_rarity_is_whole_and_grows_with_rareness() -> None:
    found = [rarity(word) for word in ("the", "president", "insomnia", "qqxxyy")]
    assert found == sorted(found)
    assert found[0] == 4
    assert found[-1] == 120
    assert all(isinstance(value, int) for value in found)
