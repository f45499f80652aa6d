// What a test that combines columns is worth: the one scan over the column of its sums, and the log-likelihood of the
// split that it finds.
#pragma once
#include <numeric>

#include "../route.hpp"
#include "oblique.hpp"

namespace treewright {

// Rows of a node with a criterion of their own, numbered 0, 1, ...
struct NodeSample {
  std::vector<RowIndex> rows;
  std::vector<RowIndex> ids;
  std::unique_ptr<AnyCriterion> criterion;
  Summary summary;
  double share = 1;   // of the node's rows

  NodeSample(const AnyCriterion& of_table, std::vector<RowIndex> some, std::size_t n_node)
      : rows(std::move(some)), ids(rows.size()), criterion(of_table.gather(rows)) {
    std::iota(ids.begin(), ids.end(), RowIndex{0});
    summary = criterion->summary(ids);
    share = static_cast<double>(rows.size()) / static_cast<double>(n_node);
  }
};

struct Scored {
  Combination combination;
  Split split;
  double likelihood = 0;
  std::size_t size() const { return combination.column.size(); }
};

class CombinationScore {
 public:
  explicit CombinationScore(const CombinationInput& input);

  // Whether likelihoods are those of class counts.
  bool counts_classes() const { return in_.criterion.sums_are_counts() && in_.criterion.n_outputs() == 1; }
  double price() const { return price_; }   // of every coefficient after the first
  double most_possible(const NodeSample& all) const;
  // What a split gains in log-likelihood.
  double likelihood(const NodeSample& some, const Split& split, std::size_t n_columns) const;
  // The best split of these sums.
  Scored score(const NodeSample& some, Combination combination) const;
  // What it is worth once its coefficients are paid for.
  double worth(const Scored& scored) const {
    if (!scored.split) return -std::numeric_limits<double>::infinity();
    return scored.likelihood - static_cast<double>(scored.size() - 1) * price_;
  }
  std::vector<ChildNumber> children(const NodeSample& some, const Split& split) const;

 private:
  double per_row(const NodeSample& some) const {   // weights have a mean of 1, and a sample stands for its node
    return n_ / (some.summary.weight / some.criterion->user_mass(1));
  }

  const CombinationInput& in_;
  double n_, price_;
};

}   // namespace treewright
