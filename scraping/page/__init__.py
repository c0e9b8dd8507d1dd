"""One HTML document → its content types."""
