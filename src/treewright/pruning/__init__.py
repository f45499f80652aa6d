"""The shelf of pruning methods: each decides which nodes become leaves; `Tree.collapse` rebuilds."""

from .cost_complexity import prune, pruning_path

__all__ = ["prune", "pruning_path"]
