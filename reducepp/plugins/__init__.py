"""Post-processors for other people's software, one small file a host."""
