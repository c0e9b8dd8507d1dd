"""Labelled pairs: reading, looking up their pages, folds, scores against labels, intervals."""
