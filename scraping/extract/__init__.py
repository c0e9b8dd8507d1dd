"""HTML, PDF, DOCX and MHTML → Page: how the format is detected, and what is extracted."""
