"""Contents of n pages in, n×n similarities in [0, 1] out; one file a measure."""
