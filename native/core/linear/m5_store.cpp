#include "m5_store.hpp"

#include <cmath>
#include <numeric>

#include "../grow.hpp"
#include "../route.hpp"

namespace treewright {

namespace {

constexpr double better_by = 1e-6;   // what a later cut or column must gain more
constexpr double equal_by = 1e-6;    // values that differ by no more are not cut apart

struct Side {   // count, sum and sum of squares of the rows of one side
  double n = 0, sum = 0, squares = 0;
  void move(double y, double sign) { n += sign, sum += sign * y, squares += sign * y * y; }
  double variance() const { return n > 0 ? std::fabs(n * squares - sum * sum) / (n * n) : 0.0; }
  double root() const { return std::pow(variance(), 0.2); }
};

}   // namespace

M5Store::M5Store(const M5Table& table, Pool& pool) : table_(table), pool_(pool), order_(table.n_columns + 1) {
  pool_.for_each(order_.size(), [&](std::size_t column) {
    std::vector<RowIndex>& order = order_[column];
    order.resize(table.n_rows);
    std::iota(order.begin(), order.end(), RowIndex{0});
    if (column == table.n_columns) return;
    std::stable_sort(order.begin(), order.end(),
                     [&](RowIndex a, RowIndex b) { return value(a, column) < value(b, column); });
  });
  nodes_.push_back({0, table.n_rows});
}

Summary M5Store::summary(const Node& node) {
  Summary out;
  double mean = 0, squares = 0;
  for (const RowIndex row : rows(table_.n_columns, node)) mean += table_.y[row];
  mean /= static_cast<double>(node.size());
  for (const RowIndex row : rows(table_.n_columns, node)) squares += (table_.y[row] - mean) * (table_.y[row] - mean);
  out.n_rows = static_cast<std::int64_t>(node.size());
  out.weight = static_cast<double>(node.size());
  out.mass = squares;
  out.impurity = squares / out.weight;
  out.value.assign(1, mean);
  out.pure = false;
  return out;
}

// A fifth of the rows at least stays on each side.
Split M5Store::best_cut(std::size_t column, const Node& node) {
  const std::span<const RowIndex> all = rows(column, node);
  const std::size_t n = all.size(), side = n >= 5 ? n / 5 + 1 : 2;
  if (n < 2 * side) return {};
  Side whole, left, right;   // each side is summed for the first cut, and then row after row is moved
  Split best;
  for (std::size_t i = 0; i < n; ++i) {
    whole.move(table_.y[all[i]], 1);
    (i + 1 < side ? left : right).move(table_.y[all[i]], 1);
  }
  for (std::size_t i = side - 1; i + side < n; ++i) {
    const double y = table_.y[all[i]], x = value(all[i], column), next = value(all[i + 1], column);
    left.move(y, 1);
    right.move(y, -1);
    if (!(next - x > equal_by)) continue;
    const double gain = whole.root() - left.n / whole.n * left.root() - right.n / whole.n * right.root();
    if (!(gain > best.gain + (best ? 0.0 : better_by))) continue;
    best.score = 1;
    best.gain = gain;
    best.feature = static_cast<std::int32_t>(column);
    const double middle = (x + next) / 2;
    best.threshold.value = middle < next ? middle : x;   // so that both sides have rows
  }
  return best;
}

void M5Store::best_splits(std::span<const SplitRequest> requests) {
  for (const SplitRequest& request : requests) {
    const Node& node = nodes_[static_cast<std::size_t>(request.node)];
    std::vector<Split> found(table_.n_columns);
    if (node.size() >= 4) pool_.for_each(found.size(), [&](std::size_t f) { found[f] = best_cut(f, node); });
    Split best;
    for (Split& each : found)   // a later column must be clearly better
      if (each && (!best || each.gain > best.gain + better_by)) best = std::move(each);
    *request.split = std::move(best);
  }
}

void M5Store::route(std::span<const Move> moves, std::span<Summary> children) {
  Summary* next = children.data();
  for (const Move& move : moves) {
    const Node node = nodes_[static_cast<std::size_t>(move.node)];
    const auto first = static_cast<std::size_t>(move.first_child);
    nodes_.resize(std::max(nodes_.size(), first + 2));
    const auto tested = static_cast<std::size_t>(move.test->feature);
    std::size_t n_left = 0;
    pool_.for_each(order_.size(), [&](std::size_t column) {
      const std::span<RowIndex> all = rows(column, node);
      std::vector<ChildNumber> child(all.size());
      for (std::size_t i = 0; i < all.size(); ++i) child[i] = value(all[i], tested) > move.test->threshold.value;
      const std::size_t begin = divide(all, child.data(), 2)[1];
      if (column == tested) n_left = begin;
    });
    nodes_[first] = {node.begin, node.begin + n_left};
    nodes_[first + 1] = {node.begin + n_left, node.end};
    for (std::size_t k = first; k < first + 2; ++k) *next++ = summary(nodes_[k]);
  }
}

Grown grow_m5(const M5Table& table, double min_rows, double flat, int n_threads, std::atomic<bool>* cancel) {
  Pool pool(table.n_rows * table.n_columns < 20'000 ? 1 : n_threads, cancel);
  M5Store store(table, pool);
  Growth growth;
  growth.order = Order::breadth;
  growth.min_samples_split = static_cast<std::int64_t>(std::ceil(std::min(std::max(min_rows, 2.0), 1e15)));
  growth.classic.flat = flat * flat;   // of the variance
  Grown grown;
  grown.tree = grow(store, growth);
  return grown;
}

}   // namespace treewright
