"""The tree: read-only arrays, what must hold of them, and how they are walked and written as text.

- `tree`, `arrays`, `invariants`: `Tree`, its arrays, and the checks of a tree that was not grown here
- `sklearn_names`: the same arrays under the names of scikit-learn
- `split_test`, `surrogates`: the test of a node as plain values, and the tests that replace it
- `walks`: sums over branches and paths, without recursion
- `tree_text`, `value_text`: names, numbers and tests as text, the same in every output
- `nested/`: the tree as nested dictionaries, and back
"""
