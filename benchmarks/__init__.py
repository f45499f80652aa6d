"""Speed and memory beside the rivals, in one run: `make bench`, or `python -m benchmarks --help`."""
