"""A tree as text: in full, or shortened to fit a terminal."""
