"""How a tree grows: the candidate splits of a node with their gains, the steps of growth, and their stability."""
