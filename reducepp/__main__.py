"""`python -m reducepp`: the same as the console script."""

from reducepp.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
