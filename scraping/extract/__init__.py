"""What a page may be other than HTML: how it is told, and read."""
