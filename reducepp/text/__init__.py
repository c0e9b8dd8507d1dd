"""From text to sentences, tokens and lemmas; one file a language."""
