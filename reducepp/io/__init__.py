"""Files to pages and labelled pairs, and reductions to files."""
