"""How a tree grows: candidate splits with their gains, the steps of growth, and how stable they are."""
