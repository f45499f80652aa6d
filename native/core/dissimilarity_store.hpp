// DissimilarityStore: rows without a target, of which each two are as unlike as a matrix says. With S the sum over all
// pairs of a set of rows and W its weight, the mass of a node is S / W; a split leaves S(L)/W(L) + S(R)/W(R).
#pragma once
#include "fit.hpp"
#include "pair_sums.hpp"
#include "store.hpp"

namespace treewright {

class DissimilarityStore final : public Store {
 public:
  DissimilarityStore(const Columns& columns, const Growth& growth, DissimilarityMatrix matrix, const Weights& weights,
                     Pool& pool);

  double user_mass(double mass) const override { return mass * sums_.unit() / weights_.unit; }
  void check() const override { pool_.check(); }
  void close(NodeIndex node) override { at(node) = {}; }
  Summary root() override;
  void best_splits(std::span<const SplitRequest> requests) override;
  void route(std::span<const Move> moves, std::span<Summary> children) override;

 private:
  struct Node {
    std::vector<RowIndex> rows;
    Wide sum = 0, left = 0, right = 0;   // S of its rows; of its children, once its split is known
  };
  struct Found {   // the best split of a column
    Split split;
    Wide left = 0, right = 0;
  };
  struct Searched;   // a node while its columns are searched
  struct Side;       // the first child of a split that is tried

  Node& at(NodeIndex node) { return nodes_[static_cast<std::size_t>(node)]; }
  Summary summary(const Node& node) const;
  Split best_split(Node& node);
  Found search_numbers(const Searched& node, std::size_t feature, const PairColumn& column) const;
  Found search_levels(const Searched& node, std::size_t feature, const PairColumn& column) const;
  bool offer(const Searched& node, const Side& left, Split split, Found& best) const;

  const Columns& columns_;
  const Growth& growth_;
  const Weights& weights_;
  Pool& pool_;
  Pool alone_{1};
  PairSums sums_;
  std::vector<Node> nodes_;
};

// The tree of least dissimilarity; weights: one per row, or none.
Grown fit_by_dissimilarity(const Columns& columns, DissimilarityMatrix matrix, const double* weights,
                           const Growth& growth, std::atomic<bool>* cancel);

}   // namespace treewright
