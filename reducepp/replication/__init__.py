"""What each of the five papers prints, on any data, beside the published numbers."""
