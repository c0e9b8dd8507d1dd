"""Text around a query's words."""

from reducepp.text.query_snippets import query_snippets, query_words

TEXT = "one two three Heron four five six seven eight nine ten heron! eleven twelve sea thirteen"


def test_words_around_as_written_and_joined_where_they_touch() -> None:
    assert query_snippets(TEXT, "heron", around=1) == "three Heron four\nten heron! eleven"
    assert query_snippets(TEXT, "heron", around=3) == (
        "one two three Heron four five six\neight nine ten heron! eleven twelve sea"
    )
    assert "\n" not in query_snippets(TEXT, "heron", around=4)


def test_more_of_the_query_comes_first_when_room_is_short() -> None:
    assert query_snippets(TEXT, "heron sea", around=2, most_words=7) == (
        "nine ten heron! eleven twelve sea thirteen"
    )
    assert query_snippets(TEXT, "heron sea", around=2, most_words=9) == (
        "two three\nnine ten heron! eleven twelve sea thirteen"
    )


def test_nothing_found_is_empty() -> None:
    assert query_snippets(TEXT, "tax") == ""
    assert query_snippets(TEXT, "") == ""
    assert query_snippets("", "heron") == ""


def test_stop_words_count_only_where_nothing_else_is_left() -> None:
    assert query_words("the heron") == {"heron"}
    assert query_words("the") == {"the"}


def test_words_of_other_scripts_are_found_in_one_form() -> None:
    text = "الحيتان في البحرِ"
    assert query_snippets(text, "البحر") == text
