"""One address → what the web has for it: manners, encodings, the browser's processes."""
