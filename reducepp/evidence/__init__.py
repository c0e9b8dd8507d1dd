"""Why a page was dropped: shared passages, clicks, and what was lost."""
