// M5Store: rows for the trees of M5' (Wang and Witten 1997). A split lowers the fifth root of the variance; columns are
// numbers without missing values. Sums are plain doubles in the order of the values, since rounding decides between equals.
#pragma once
#include "../fit.hpp"
#include "../store.hpp"

namespace treewright {

struct M5Table {                    // views; the caller keeps the arrays alive
  const double* values = nullptr;   // row-major
  const double* y = nullptr;
  std::size_t n_rows = 0, n_columns = 0;
};

class M5Store final : public Store {
 public:
  M5Store(const M5Table& table, Pool& pool);

  double user_mass(double mass) const override { return mass; }
  Summary root() override { return summary(nodes_[0]); }
  void check() const override { pool_.check(); }
  void best_splits(std::span<const SplitRequest> requests) override;
  void route(std::span<const Move> moves, std::span<Summary> children) override;

 private:
  struct Node {
    std::size_t begin = 0, end = 0;   // of each column's order_
    std::size_t size() const { return end - begin; }
  };
  double value(RowIndex row, std::size_t column) const { return table_.values[row * table_.n_columns + column]; }
  std::span<RowIndex> rows(std::size_t column, const Node& node) {
    return std::span(order_[column]).subspan(node.begin, node.size());
  }
  Summary summary(const Node& node);
  Split best_cut(std::size_t column, const Node& node);

  const M5Table& table_;
  Pool& pool_;
  std::vector<std::vector<RowIndex>> order_;   // per column: rows node after node, by value; the last: as they come
  std::vector<Node> nodes_;
};

// In nodes of fewer than `min_rows` rows, or of less than `flat` times the standard deviation of all, nothing is split.
Grown grow_m5(const M5Table& table, double min_rows, double flat, int n_threads, std::atomic<bool>* cancel);

}   // namespace treewright
