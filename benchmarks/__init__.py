"""Speed, memory and accuracy beside other libraries: `make bench`, `python -m benchmarks.tables`."""
