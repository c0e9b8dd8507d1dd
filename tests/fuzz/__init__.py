"""Mutated inputs for every parser: `make fuzz`, or `python -m tests.fuzz --help`."""
