"""Trees of unlabelled rows: the leaves are clusters.

- `estimator`: `ClusteringTree`
- `parameters`: what its parameters may be
- `growth`: the tree, by the core or by a matrix
- `cluster_tree`: a grown tree as a tree of clusters
- `coding`: columns as numbers between which squared distances are the dissimilarity
- `dissimilarity`: the formulas of a matrix of dissimilarities, and its checks
- `matrix_tree`: the best tests by a matrix
- `cluster_number`: how many leaves, by silhouette or by the gap statistic
- `cluster_list`: what each cluster is, in words
"""
