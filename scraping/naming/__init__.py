"""The page's own title and its website's."""
