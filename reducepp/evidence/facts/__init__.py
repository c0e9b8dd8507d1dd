"""Facts of texts, and which of them differ between near-duplicates.

A text becomes words and figures (`fact_tokens`), these become facts with normalised values
(`number_words`, `fact_amounts`, `fact_dates`, `fact_values`) unless they belong to the page's
boilerplate (`fact_boilerplate`). Two texts are aligned through their words, facts in the same place
are found (`fact_places`), compared (`aligned_facts`) and described (`fact_comparison`). Many pages
of one template are compared at once (`template_facts`).
"""
