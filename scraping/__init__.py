"""From a query to Pages: search engines, fetching, rendering, splitting, storing."""
