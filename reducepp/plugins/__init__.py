"""Other people's software: one post-processor, and a small wrapper for each host."""
