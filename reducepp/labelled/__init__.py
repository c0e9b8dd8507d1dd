"""Labelled pairs: reading them, folds, scoring and intervals."""
