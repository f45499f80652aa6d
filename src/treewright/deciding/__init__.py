"""From a grown tree to probabilities, rankings and decisions."""
