"""Constructed columns: conjunctions of conditions that a greedy tree misses.

- `estimator`: `Conjunctions`
- `conditions`: single conditions on columns, and their names
- `search`: the conjunctions that say most about a target
"""
