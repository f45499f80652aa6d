"""The classic programs (ID3, C4.5, C5.0, CART, J48, ...), each as a function that returns an estimator."""

from .learn.classics import Triple, c45, c50, cart, id3, j48, like, m5p, rep_tree, rpart, stump, triple

__all__ = [
    "Triple",
    "c45",
    "c50",
    "cart",
    "id3",
    "j48",
    "like",
    "m5p",
    "rep_tree",
    "rpart",
    "stump",
    "triple",
]
