#include "cubist_store.hpp"

#include <cmath>
#include <numeric>
#include <set>

#include "../grow.hpp"
#include "../route.hpp"

namespace treewright {

namespace {

constexpr double smallest = 3, largest = 20,
                 share = 0.01;         // the least rows of a leaf: a share of the table's, within limits
constexpr std::size_t too_few = 3;     // times as many: a smaller node is divided as in a small table
constexpr double significant = 1.96;   // Fisher's z of a line, artanh(r) √(n - 3): above, it is used,
constexpr double least_of_line = 6;    // on a side of so many rows
constexpr double nearly = 0.999;       // of the best gain: then signs decide
constexpr double least_left = 1e-6;    // of the target's spread: what is less is rounding, and not split
constexpr double same = 1e-10;         // of a column's squares: values of a side that count as equal
constexpr double test_size = 4, small_test_size = 3;   // the second of two levels

struct Sums {   // of one side: w, u, v and their products, u being the column and v what is left of the target
  double rows = 0, n = 0, u = 0, v = 0, uu = 0, uv = 0, vv = 0;

  void add(double w, double x, double y) {
    rows += 1, n += w, u += w * x, v += w * y, uu += w * x * x, uv += w * x * y, vv += w * y * y;
  }
  Sums operator-(const Sums& o) const {
    return {rows - o.rows, n - o.n, u - o.u, v - o.v, uu - o.uu, uv - o.uv, vv - o.vv};
  }
  // n * standard deviation of what is left.
  double plain() const { return scaled(std::max(vv - v * v / n, 0.0)); }
  double by_line(double scale) const {
    const double xx = uu - u * u / n, xy = uv - u * v / n, yy = std::max(vv - v * v / n, 0.0);
    const double line = xx > same * scale ? std::min(xy * xy / xx, yy) : 0.0;
    const double least = std::tanh(significant / std::sqrt(std::max(rows - 3, 1.0)));
    return scaled(rows >= least_of_line && line > least * least * yy ? yy - line : yy);
  }
  double scaled(double squares) const { return rows > 1 ? n * std::sqrt(squares / n * rows / (rows - 1)) : 0.0; }
};

std::vector<std::uint32_t> with(std::vector<std::uint32_t> columns, std::uint32_t column) {
  const auto place = std::lower_bound(columns.begin(), columns.end(), column);
  if (place == columns.end() || *place != column) columns.insert(place, column);
  return columns;
}

}   // namespace

CubistStore::CubistStore(const RuleTable& table, Pool& pool)
    : table_(table),
      pool_(pool),
      order_(table.n_columns + 1),
      known_(table.n_columns),
      rest_(table.n_rows),
      least_rows_(static_cast<std::size_t>(std::clamp(share * static_cast<double>(table.n_rows), smallest, largest))) {
  pool_.for_each(order_.size(), [&](std::size_t column) {
    std::vector<RowIndex>& order = order_[column];
    const bool target = column == table.n_columns, levels = !target && table.n_levels[column] > 0;
    if (levels) return;
    order.resize(table.n_rows);
    std::iota(order.begin(), order.end(), RowIndex{0});
    if (target) return;
    const auto at = [&](RowIndex row) { return table.value(row, column); };
    std::stable_sort(order.begin(), order.end(), [&](RowIndex a, RowIndex b) { return at(a) < at(b); });
    for (const RowIndex row : order)
      if (known_[column].empty() || at(row) > known_[column].back()) known_[column].push_back(at(row));
  });
  nodes_.push_back({0, table.n_rows, -1, {}, {}, 0});
  const auto rows = static_cast<double>(table.n_rows);
  least_loss_ = least_left * std::sqrt(root().impurity * rows / std::max(rows - 1, 1.0));
  for (std::size_t column = 0; column < table.n_columns; ++column) same_sign_.push_back(same_sign(column));
}

std::size_t CubistStore::least_rows(const RuleNode& node) const {
  return node.size() < too_few * least_rows_ ? static_cast<std::size_t>(smallest) : least_rows_;
}

Summary CubistStore::summary(const RuleNode& node) {
  Sums sums;
  const double first = table_.y[rows(node)[0]];
  for (const RowIndex row : rows(node)) sums.add(table_.weight[row], 0, table_.y[row] - first);
  Summary out;
  out.n_rows = static_cast<std::int64_t>(node.size());
  out.weight = sums.n;
  out.mass = std::max(sums.vv - sums.v * sums.v / sums.n, 0.0);
  out.impurity = out.mass / out.weight;
  out.value.assign(1, first + sums.v / sums.n);
  out.pure = false;
  return out;
}

// The largest value of the table that is not above the middle of a gap, in single precision.
double CubistStore::threshold(std::size_t column, double low, double high) const {
  const float middle = (static_cast<float>(low) + static_cast<float>(high)) / 2.0F;
  const auto above = [](float x, double value) { return x < static_cast<float>(value); };
  const std::vector<double>& known = known_[column];
  return std::max(low, *(std::upper_bound(known.begin() + 1, known.end(), middle, above) - 1));
}

// The weight of the rows in which a column of numbers and the target are on the same sides of their means, or on other sides.
double CubistStore::same_sign(std::size_t column) const {
  if (table_.n_levels[column] > 0) return 0;
  double n = 0, x = 0, y = 0, same = 0;
  for (RowIndex row = 0; row < table_.n_rows; ++row) {
    const double w = table_.weight[row];
    n += w, x += w * table_.value(row, column), y += w * table_.y[row];
  }
  for (RowIndex row = 0; row < table_.n_rows; ++row)
    if ((table_.value(row, column) > x / n) == (table_.y[row] > y / n)) same += table_.weight[row];
  return std::max(same, n - same);
}

Split CubistStore::best_threshold(std::size_t column, const RuleNode& node) {
  const std::span<const RowIndex> all = rows(column, node);
  const std::size_t least = least_rows(node);
  const auto x = [&](std::size_t i) { return table_.value(all[i], column); };
  double n = 0, mean = 0;
  for (std::size_t i = 0; i < all.size(); ++i) n += table_.weight[all[i]], mean += table_.weight[all[i]] * x(i);
  mean /= n;
  Sums whole, left;
  for (std::size_t i = 0; i < all.size(); ++i) whole.add(table_.weight[all[i]], x(i) - mean, rest_[all[i]]);
  Split best;
  for (std::size_t i = 0; i + least < all.size(); ++i) {
    left.add(table_.weight[all[i]], x(i) - mean, rest_[all[i]]);
    if (i + 1 < least || !(x(i) < x(i + 1))) continue;
    const double loss = left.by_line(whole.uu) + (whole - left).by_line(whole.uu);
    if (best && !(-loss > best.gain)) continue;
    best.score = 1;
    best.gain = -loss;
    const double cut = threshold(column, x(i), x(i + 1));
    best.threshold.value = cut < x(all.size() - 1) ? cut : x(i);   // values may be equal in single precision
  }
  return best;
}

// Levels are divided in the order of their means.
Split CubistStore::best_levels(std::size_t column, const RuleNode& node) {
  const auto n_levels = static_cast<std::size_t>(table_.n_levels[column]);
  std::vector<Sums> of(n_levels);
  Sums whole, left;
  const auto least = static_cast<double>(least_rows(node));
  for (const RowIndex row : rows(node)) {
    const auto level = static_cast<std::size_t>(table_.value(row, column));
    of[level].add(table_.weight[row], 0, rest_[row]);
    whole.add(table_.weight[row], 0, rest_[row]);
  }
  std::vector<std::size_t> order;
  for (std::size_t level = 0; level < n_levels; ++level)
    if (of[level].rows > 0) order.push_back(level);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return of[a].v / of[a].n < of[b].v / of[b].n; });
  Split best;
  std::size_t cut = 0;
  for (std::size_t k = 0; k + 1 < order.size(); ++k) {
    const Sums& one = of[order[k]];
    left = {left.rows + one.rows, left.n + one.n, 0, left.v + one.v, 0, 0, left.vv + one.vv};
    if (left.rows < least || whole.rows - left.rows < least) continue;
    const double loss = left.plain() + (whole - left).plain();
    if (best && !(-loss > best.gain)) continue;
    best.score = 1;
    best.gain = -loss;
    cut = k;
  }
  if (!best) return best;
  LevelMap map;   // levels without rows go right
  for (std::size_t level = 0; level < n_levels; ++level) {
    map.code.push_back(static_cast<std::int32_t>(level));
    map.child.push_back(std::find(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(cut) + 1, level) >
                        order.begin() + static_cast<std::ptrdiff_t>(cut));
  }
  best.levels = std::make_shared<const LevelMap>(std::move(map));
  return best;
}

Split CubistStore::best_split(const RuleNode& node) {
  if (node.size() < 2 * least_rows(node)) return {};
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t column : node.tested)
    if (table_.n_levels[column] == 0) numbers.push_back(column);
  const RuleFit fit = fit_rule(table_, rows(node), numbers);
  Sums whole;
  for (const RowIndex row : rows(node)) {
    rest_[row] = fit.rest(table_, row);
    whole.add(table_.weight[row], 0, rest_[row]);
  }
  const double loss = whole.plain();
  if (!(loss > least_loss_ * whole.n)) return {};
  Split best;
  float most = 0;   // in single precision equal splits gain the same
  for (std::size_t column = 0; column < table_.n_columns; ++column) {
    Split found = table_.n_levels[column] > 0 ? best_levels(column, node) : best_threshold(column, node);
    if (!found) continue;
    const auto gained = static_cast<float>((found.gain + loss) / loss);
    const bool near = best && gained >= nearly * most;
    if (!(gained > most) && !(near && same_sign_[column] > same_sign_[static_cast<std::size_t>(best.feature)]))
      continue;
    most = gained;
    best = std::move(found);
    best.feature = static_cast<std::int32_t>(column);
  }
  best.gain += loss;
  return best;
}

void CubistStore::best_splits(std::span<const SplitRequest> requests) {
  pool_.for_each(requests.size(), [&](std::size_t i) {
    *requests[i].split = best_split(nodes_[static_cast<std::size_t>(requests[i].node)]);
  });
}

void CubistStore::route(std::span<const Move> moves, std::span<Summary> children) {
  Summary* next = children.data();
  for (const Move& move : moves) {
    const auto number = static_cast<std::size_t>(move.node), first = static_cast<std::size_t>(move.first_child);
    nodes_.resize(std::max(nodes_.size(), first + 2));
    RuleNode& node = nodes_[number];
    const Test& test = *move.test;
    const auto tested = static_cast<std::size_t>(test.feature);
    node.first_child = move.first_child;
    node.test_size = table_.n_levels[tested] == 2 ? small_test_size : test_size;
    std::size_t n_left = 0;
    for (std::size_t column = 0; column <= table_.n_columns; ++column) {
      if (order_[column].empty()) continue;
      const std::span<RowIndex> all = rows(column, node);
      std::vector<ChildNumber> child(all.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        const double x = table_.value(all[i], tested);
        child[i] = test.levels ? test.levels->child[static_cast<std::size_t>(x)] : x > test.threshold.value;
      }
      n_left = divide(all, child.data(), 2)[1];
    }
    const std::vector<std::uint32_t> above = with(node.tested, static_cast<std::uint32_t>(tested));
    const std::size_t begin = node.begin, middle = begin + n_left, end = node.end;
    nodes_[first] = {begin, middle, -1, above, {}, 0};
    nodes_[first + 1] = {middle, end, -1, above, {}, 0};
    for (std::size_t k = first; k < first + 2; ++k) *next++ = summary(nodes_[k]);
  }
}

void CubistStore::fit_models() {
  std::vector<std::vector<std::uint32_t>> columns(nodes_.size());   // tested above, here or below
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    columns[i] = nodes_[i].tested;
    if (nodes_[i].first_child < 0) continue;
    for (std::size_t k = 0; k < 2; ++k)
      for (const std::uint32_t column : columns[static_cast<std::size_t>(nodes_[i].first_child) + k])
        columns[i] = with(std::move(columns[i]), column);
  }
  pool_.for_each(nodes_.size(), [&](std::size_t i) {
    std::erase_if(columns[i], [&](std::uint32_t column) { return table_.n_levels[column] > 0; });
    RuleNode& node = nodes_[i];
    node.fit = fit_rule(table_, rows(node), columns[i]);
  });
}

RuleTree grow_rules(const RuleTable& table, int n_threads, std::atomic<bool>* cancel) {
  Pool pool(table.n_rows * table.n_columns < 20'000 ? 1 : n_threads, cancel);
  CubistStore store(table, pool);
  Growth growth;
  growth.order = Order::breadth;
  RuleTree found;
  found.grown.tree = grow(store, growth);
  store.fit_models();
  std::vector<std::size_t> number(found.grown.tree.size(), 0);   // of each node of the tree, in the store
  found.grown.tree.for_each([&](std::size_t i, const TreeNode& node, const auto&, const auto&) {
    found.nodes.push_back(store.nodes()[number[i]]);
    for (std::size_t k = 0; node.first_child >= 0 && k < 2; ++k)
      number[static_cast<std::size_t>(node.first_child) + k] =
          static_cast<std::size_t>(store.nodes()[number[i]].first_child) + k;
  });
  found.rows = store.rows();
  found.least_rows = store.least_rows();
  return found;
}

}   // namespace treewright
