"""The HTTP service: limits and guard, a bounded queue in front of worker processes, the page."""
