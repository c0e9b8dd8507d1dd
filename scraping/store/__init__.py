"""Behind the store: its file, its forms in and out, hits merged."""
