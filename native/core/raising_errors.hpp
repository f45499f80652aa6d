// The errors to expect of leaves and of siblings, from the rows that they hold: what raising compares.
#pragma once
#include <vector>

#include "columns.hpp"
#include "error_limit.hpp"

namespace treewright {

struct HeldRows {   // rows, and the weight of each
  std::vector<RowIndex> row;
  std::vector<double> weight;
  void add(RowIndex r, double w) { row.push_back(r), weight.push_back(w); }
  void set(std::size_t i, RowIndex r, double w) { row[i] = r, weight[i] = w; }
  void reserve(std::size_t n) { row.reserve(n), weight.reserve(n); }
  void resize(std::size_t n) { row.resize(n), weight.resize(n); }
  bool empty() const { return row.empty(); }
};

struct RaisingRows {   // views; the caller keeps the arrays alive
  const Columns& columns;
  const std::int32_t* labels;   // [row][output]
  std::size_t n_outputs, n_classes;
  std::span<const double> weight;
  std::span<const double> factor;    // multiplies weights where shares of missing values are measured; or empty
  std::span<const double> divisor;   // of each row what its class weighs more: weights are divided by it before shares
                                     // are measured and branches are grown; or empty
  std::span<const double> costs;     // true class x predicted class; or empty
};

class ExpectedErrors {
 public:
  static constexpr double equal = 1e-6;   // errors or weights this close are equal

  // pool: siblings of less weight count as one leaf.
  ExpectedErrors(const RaisingRows& rows, const ErrorLimit& limit, double pool);

  // counts: the weight of every class of every output, `width` numbers per node.
  void count(const HeldRows& rows, double* counts) const;
  double weight(const double* counts) const;
  std::vector<double> of_leaves(std::span<const double> counts) const;
  double of_siblings(std::span<const double> expected, std::span<const double> counts) const;
  double wrong(const double* counts) const;

 private:
  std::size_t label(const double* counts) const;
  std::vector<double> of_weighed_leaves(std::span<const double> counts) const;

  const RaisingRows& rows_;
  const ErrorLimit& limit_;
  double pool_;
  std::size_t width_;
  std::vector<double> factor_;   // of each class: what its rows weigh more than they are; or empty
};

}   // namespace treewright
