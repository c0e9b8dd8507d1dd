"""Pages to similarities and scores: contents, measures, weights and models."""
