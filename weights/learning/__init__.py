"""Weights and models learned from labelled pairs, or from the pages alone."""
