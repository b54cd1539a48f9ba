"""Benchmarks: one module for each subject, each with a `main()` that prints its figures beside a baseline."""
