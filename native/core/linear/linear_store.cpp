#include "linear_store.hpp"

#include <algorithm>
#include <cmath>

#include "../grow.hpp"
#include "../recorded.hpp"
#include "../route.hpp"

namespace treewright {

namespace {

// The penalty of a slope, in rows, where eight or more are fitted on both sides of a cut. Few slopes follow little noise, and
// need less: 10 (slopes / 8)^2. An intercept has that of one row, or of as much as a slope.
constexpr double growth_ridge = 10, many_slopes = 8;
constexpr double least_gain = 8;   // of a split, in mean squared errors of the node
// Rows of a node on which cuts are compared: so many of all rows in proportion, within these bounds.
constexpr std::size_t rows_in_all = 16'384, most_rows = 8'192, fewest_rows = 1'024;
constexpr std::size_t rows_of_distinct = 10'000;   // of a table: with more, bins come from a sample
constexpr std::size_t most_in_search = 16;         // design columns, beside the intercept
constexpr std::size_t most_exact = 8;              // columns whose cuts are all solved; half as many of many rows

}   // namespace

LinearStore::LinearStore(const LinearTable& table, const Columns& columns, const Growth& growth, Pool& pool)
    : table_(table), growth_(growth), pool_(pool), columns_(columns) {
  for (Column& column : columns_.columns) {
    if (!column.sparse) continue;
    std::vector<double>& values = dense_.emplace_back(columns.n_rows);
    read_numbers(column, 0, columns.n_rows, values.data());
    column = Column{};
    column.data = reinterpret_cast<const std::byte*>(values.data());
    column.stride = sizeof(double);
  }
  nodes_.resize(1);
  for (std::size_t row = 0; row < table.n_rows; ++row)
    if (table.weight[row] > 0) rows_.push_back(static_cast<RowIndex>(row));
  binned_ = rows_.size() > rows_of_distinct ? bin_columns(columns_, growth.max_bins, pool) : bins_of_distinct();
  row_codes_.resize(table.n_rows * columns_.size());
  for (std::size_t f = 0; f < columns_.size(); ++f)
    for (std::size_t row = 0; row < table.n_rows && !columns_[f].nominal; ++row)
      row_codes_[row * columns_.size() + f] = binned_[f].codes[row];
  nodes_[0].end = rows_.size();
  if (!table.intercept_only) return;
  search_ = {0};
}

// Bins of the distinct values of the rows that count: the same whether rows are repeated or have weights.
BinnedColumns LinearStore::bins_of_distinct() const {
  BinnedColumns binned;
  std::vector<double> all(columns_.n_rows);
  for (const Column& column : columns_.columns) {
    if (column.nominal) {
      binned.push_back(bins_of_levels(column, static_cast<std::size_t>(column.n_levels)));
      continue;
    }
    read_numbers(column, 0, all.size(), all.data());
    std::vector<double> values;
    for (const RowIndex row : rows_)
      if (all[row] == all[row]) values.push_back(all[row]);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    binned.push_back(code_column(column, columns_.n_rows, Coder(std::move(values), growth_.max_bins)));
  }
  return binned;
}

Summary LinearStore::summary(const Node& node) const {
  Summary out;
  out.n_rows = static_cast<std::int64_t>(node.size());
  double weight = 0;
  for (std::size_t i = node.begin; i < node.end; ++i) weight += table_.weight[rows_[i]];
  out.weight = weight * table_.row_weight;
  out.mass = weight * static_cast<double>(table_.n_targets);   // targets are of variance 1 or less
  out.value.assign(table_.n_targets, 0.0);
  out.pure = false;
  return out;
}

void LinearStore::each(std::size_t n, const ModelBlock& block, const std::function<void(std::size_t)>& work) {
  if (block.size() * n >= 4096) return pool_.for_each(n, work);
  for (std::size_t i = 0; i < n; ++i) work(i);
}

// One row of each stretch, so that periodic tables do not mislead.
std::vector<RowIndex> LinearStore::sample(const Node& node) {
  const std::span<const RowIndex> all = rows(node);
  const std::size_t wanted = std::clamp(rows_in_all * all.size() / rows_.size(), fewest_rows, most_rows);
  const std::size_t step = std::max<std::size_t>(all.size() / wanted, 1);
  if (step == 1) return {all.begin(), all.end()};
  std::vector<RowIndex> some(all.size() / step);
  for (std::size_t i = 0; i < some.size(); ++i) some[i] = all[i * step + mix(i) % step];
  return some;
}

double LinearStore::slope_penalty() const {
  const double share = std::min(1.0, static_cast<double>(table_.n_design - 1) / many_slopes);
  return growth_ridge * share * share;
}

Ridge LinearStore::search_ridge(std::size_t n_design) const {
  return {n_design, table_.n_targets, std::vector<double>(n_design, slope_penalty())};
}

void LinearStore::fit_model(Node& node, const ModelBlock& block) {
  Ridge ridge = search_ridge(table_.n_design);
  if (table_.logistic) std::fill(ridge.penalty.begin(), ridge.penalty.end(), slope_penalty() / 4);
  if (table_.intercept_only) std::fill(ridge.penalty.begin(), ridge.penalty.end(), HUGE_VAL);
  ridge.penalty[0] = node.above ? std::min(1.0, slope_penalty()) : table_.logistic ? 1e-6 : 0.0;
  const std::vector<double> zero(table_.n_design * table_.n_targets, 0.0);
  const std::vector<double>& above = node.above ? *node.above : zero;
  const ModelRows rows{block.values.data(), block.weight.data(), block.size(), block.width};
  node.model = std::make_shared<const std::vector<double>>(
      table_.logistic ? logistic_solution(rows, ridge, above, above, 1e-2)
                      : ridge_solution(gram_of(rows, ridge.size()).data(), ridge, above));
}

// The columns of the largest coefficients in the root.
void LinearStore::choose_search_columns(const std::vector<double>& root) {
  std::vector<std::pair<double, std::uint32_t>> size;
  for (std::size_t j = 1; j < table_.n_design; ++j) {
    double most = 0;
    for (std::size_t t = 0; t < table_.n_targets; ++t) most = std::max(most, std::fabs(root[j * table_.n_targets + t]));
    size.emplace_back(-most, static_cast<std::uint32_t>(j));
  }
  std::sort(size.begin(), size.end());
  size.resize(std::min(size.size(), most_in_search));
  search_ = {0};
  for (const auto& [_, column] : size) search_.push_back(column);
  std::sort(search_.begin(), search_.end());
}

// The columns of the search, and what the model of the node leaves of the targets.
ModelBlock LinearStore::residual_block(const Node& node, const ModelBlock& whole) const {
  ModelBlock out{whole.rows, {}, whole.weight, whole_quads(search_.size() + table_.n_targets), whole.total};
  out.values.assign(out.size() * out.width, 0.0);
  const Ridge ridge{table_.n_design, table_.n_targets, {}};
  for (std::size_t i = 0; i < out.size(); ++i) {
    double* to = out.values.data() + i * out.width;
    for (const std::uint32_t column : search_) *to++ = whole.row(i)[column];
    residuals(whole.row(i), ridge, node.model->data(), table_.logistic, to);
  }
  return out;
}

TestDesign LinearStore::design_of(const Tested& test) const {
  TestDesign design{search_ridge(search_.size() + !test.own.empty())};
  design.ridge.penalty[test.own.empty() ? 0 : 1] =
      std::min(1.0, slope_penalty());   // the intercept comes after the tested column
  design.own = test.own.empty() ? nullptr : test.own.data();
  return design;
}

// Every column that divides the rows, or of many those that a cheap scan finds best.
std::vector<LinearStore::Tested> LinearStore::tests(const ModelBlock& block, const Sides& sides) {
  const std::size_t d = search_.size(), m = table_.n_targets;
  std::vector<double> left(m, 0.0);   // of each target
  for (std::size_t i = 0; i < block.size(); ++i)
    for (std::size_t t = 0; t < m; ++t) left[t] += block.weight[i] * block.row(i)[d + t] * block.row(i)[d + t];
  const std::size_t residual = d + static_cast<std::size_t>(std::max_element(left.begin(), left.end()) - left.begin());
  const std::size_t most = block.size() <= most_rows / 2 ? most_exact : most_exact / 2;
  std::vector<Tested> all(columns_.size());
  std::vector<std::vector<std::uint8_t>> codes(all.size(), std::vector<std::uint8_t>(block.size()));
  for (std::size_t i = 0; i < block.size(); ++i)
    for (std::size_t f = 0; f < all.size(); ++f) codes[f][i] = row_codes_[block.rows[i] * all.size() + f];
  const bool rank = all.size() > most && d > 2;
  each(all.size(), block, [&](std::size_t f) {
    Tested& test = all[f];
    test.feature = static_cast<std::int32_t>(f);
    const Column& column = columns_[f];
    const auto n_bins = static_cast<std::size_t>(binned_[f].n_bins);
    test.coded = column.nominal ? code_levels(column.level_codes(), column.n_levels, block, residual)
                                : code_numbers(std::move(codes[f]), n_bins, block);
    if (!test.coded.divides()) return;
    const auto own = static_cast<std::uint32_t>(table_.own[f]);
    const auto found = std::find(search_.begin(), search_.end(), own);
    if (found == search_.end()) {
      test.own.resize(block.size());
      for (std::size_t i = 0; i < block.size(); ++i) test.own[i] = table_.values[block.rows[i] * table_.width() + own];
    }
    if (!rank) return;
    TestDesign design{search_ridge(own == 0 ? 1 : 2), {0}, test.own.empty() ? nullptr : test.own.data()};
    design.ridge.penalty[test.own.empty() ? 0 : 1] = std::min(1.0, slope_penalty());
    if (own != 0 && test.own.empty()) design.columns.push_back(static_cast<std::uint32_t>(found - search_.begin()));
    for (std::size_t t = 0; t < m; ++t) design.columns.push_back(static_cast<std::uint32_t>(d + t));
    test.cut = CutScan(block, test.coded, design).best(sides);
  });
  std::erase_if(all, [](const Tested& test) { return !test.coded.divides(); });
  if (!rank || all.size() <= most) return all;
  std::stable_sort(all.begin(), all.end(), [](const Tested& a, const Tested& b) { return a.cut.loss < b.cut.loss; });
  all.resize(most);
  std::sort(all.begin(), all.end(), [](const Tested& a, const Tested& b) { return a.feature < b.feature; });
  return all;
}

void LinearStore::scan(const ModelBlock& block, const Sides& sides, std::vector<Tested>& tests) {
  each(tests.size(), block, [&](std::size_t k) {
    tests[k].scanned = std::make_shared<const CutScan>(block, tests[k].coded, design_of(tests[k]));
    tests[k].cut = tests[k].scanned->best(sides);
  });
}

// Of the tests with the least losses, the one that leaves least where both of its sides are divided once more.
std::size_t LinearStore::look_ahead(const ModelBlock& block, const Sides& sides, const std::vector<Tested>& tests) {
  std::vector<std::size_t> order(tests.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return tests[a].cut.loss < tests[b].cut.loss; });
  order.resize(std::min(order.size(), std::max<std::size_t>(table_.look_ahead, 1)));
  if (order.size() == 1) return order[0];
  double least = HUGE_VAL;
  std::size_t best = order[0];
  for (const std::size_t candidate : order) {
    const Tested& test = tests[candidate];
    if (std::isinf(test.cut.loss)) continue;
    std::vector<std::uint8_t> side(block.size());
    for (std::size_t i = 0; i < block.size(); ++i)
      side[i] = test.coded.bin[i] == missing_bin ? !test.cut.missing_left : test.coded.bin[i] > test.cut.bin;
    double loss = 0;
    for (const std::uint8_t which : {0, 1}) {
      ModelBlock part{{}, {}, {}, block.width, 0};
      for (std::size_t i = 0; i < block.size(); ++i) {
        if (side[i] != which) continue;
        part.rows.push_back(block.rows[i]);
        part.weight.push_back(block.weight[i]);
        part.total += block.weight[i];
        part.values.insert(part.values.end(), block.row(i), block.row(i) + block.width);
      }
      std::vector<Tested> below(tests.size());
      std::vector<double> whole(tests.size());
      each(tests.size(), part, [&](std::size_t k) {
        Tested& own = below[k];
        own.coded = tests[k].coded.only(side, which);
        for (std::size_t i = 0; !tests[k].own.empty() && i < block.size(); ++i)
          if (side[i] == which) own.own.push_back(tests[k].own[i]);
        const CutScan scanned(part, own.coded, design_of(own));
        own.cut = scanned.best(sides);
        whole[k] = scanned.whole();
      });
      double least_below = whole[candidate];
      for (const Tested& own : below) least_below = std::min(least_below, own.cut.loss);
      loss += least_below;
    }
    if (loss < least) least = loss, best = candidate;
  }
  return best;
}

Split LinearStore::best_split(Node& node) {
  ModelBlock whole{sample(node), {}, {}, whole_quads(table_.width()), 0};
  whole.values.assign(whole.size() * whole.width, 0.0);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::copy_n(table_.values + whole.rows[i] * table_.width(), table_.width(), whole.values.data() + i * whole.width);
    whole.weight.push_back(table_.weight[whole.rows[i]]);
    whole.total += whole.weight.back();
  }
  fit_model(node, whole);
  if (search_.empty()) choose_search_columns(*node.model);
  const ModelBlock block = residual_block(node, whole);
  whole = {};
  const double share = static_cast<double>(block.size()) / static_cast<double>(node.size());
  const Sides sides{static_cast<std::int64_t>(std::ceil(static_cast<double>(growth_.min_samples_leaf) * share)),
                    growth_.min_weight_leaf / table_.row_weight * share};
  std::vector<Tested> tests = this->tests(block, sides);
  if (tests.empty()) return {};
  scan(block, sides, tests);
  const Tested& test = tests[look_ahead(block, sides, tests)];
  Split split;
  if (std::isinf(test.cut.loss) || !finish(node, block, sides, test, split)) return {};
  double noise = 0;
  for (std::size_t i = 0; i < block.size(); ++i)
    for (std::size_t t = 0; t < table_.n_targets; ++t) {
      const double rest = block.row(i)[search_.size() + t];
      noise += block.weight[i] * rest * rest;
    }
  split.gain /= share;
  if (!(split.gain > least_gain * noise / block.total)) return {};
  split.score = std::max<Score>(Scale(table_.row_weight * block.total / share).score(split.gain), 1);
  return split;
}

// The split as it is written, and the child of each row. False where a side of the whole node is too small.
bool LinearStore::finish(Node& node, const ModelBlock& block, const Sides& sides, const Tested& test, Split& split) {
  split.feature = test.feature;
  split.missing_left = test.cut.missing_left;
  split.heuristic = true;
  const auto f = static_cast<std::size_t>(test.feature);
  if (!(columns_[f].nominal ? put_levels(node, test, split) : put_threshold(node, block, sides, test, split)))
    return false;
  if (columns_[f].nominal) split.gain = test.scanned->whole() - test.cut.loss;
  node.child.resize(node.size());
  const std::span<const RowIndex> all = rows(node);
  children_by_bin(columns_, binned_[f], all, split, node.child.data());
  std::int64_t n[2] = {0, 0};
  double weight[2] = {0, 0};
  for (std::size_t i = 0; i < all.size(); ++i) {
    ++n[node.child[i]];
    weight[node.child[i]] += table_.weight[all[i]];
  }
  const double least = growth_.min_weight_leaf / table_.row_weight * (1 - 1e-12);
  return std::min(n[0], n[1]) >= std::max<std::int64_t>(growth_.min_samples_leaf, 1) &&
         std::min(weight[0], weight[1]) >= least;
}

bool LinearStore::put_levels(Node& node, const Tested& test, Split& split) {
  const Column& column = columns_[static_cast<std::size_t>(test.feature)];
  LevelMap map;
  std::vector<std::uint8_t> present(static_cast<std::size_t>(column.n_levels), 0);
  for (const RowIndex row : rows(node)) {
    const std::int32_t code = column.level_codes()[row];
    if (code >= 0 && code < column.n_levels) present[static_cast<std::size_t>(code)] = 1;
    else split.missing_seen = true;
  }
  for (std::size_t level = 0; level < present.size(); ++level) {
    if (present[level] == 0) continue;
    map.code.push_back(static_cast<std::int32_t>(level));
    map.child.push_back(test.coded.level_bin[level] > test.cut.bin);   // a level that the sample lacks goes right
  }
  split.levels = std::make_shared<const LevelMap>(std::move(map));
  return true;
}

bool LinearStore::put_threshold(Node& node, const ModelBlock& block, const Sides& sides, const Tested& test,
                                Split& split) {
  const auto f = static_cast<std::size_t>(test.feature);
  const Column& column = columns_[f];
  const BinnedColumn& binned = binned_[f];
  std::vector<Key> keys(block.size());
  read_keys(column, block.rows, keys.data());
  const CutScan::Placed placed = test.scanned->place(test.cut, sides, keys);
  if (std::isinf(placed.loss)) return false;
  split.gain = test.scanned->whole() - placed.loss;
  const std::span<const RowIndex> all = rows(node);
  std::array<std::uint8_t, 256> filled{};
  for (const RowIndex row : all) filled[binned.codes[row]] = 1;
  split.missing_seen = binned.n_bins < 256 && filled[static_cast<std::size_t>(binned.n_bins)] != 0;
  split.missing_alone = placed.all_left;
  if (placed.all_left) {
    set_threshold(split, column, growth_, {});
    return true;
  }
  // Where the neighbours are in two bins, the cut is at the edge of the first, as rows of the node are sent by bins.
  int low = 0, high = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i] == placed.low) low = binned.codes[block.rows[i]];
    if (keys[i] == placed.high) high = binned.codes[block.rows[i]];
  }
  split.low = placed.low, split.high = placed.high;
  split.place.bin = low;
  if (low != high) {
    int next = low + 1;
    while (filled[static_cast<std::size_t>(next)] == 0) ++next;
    std::tie(split.low, split.high) = neighbours(column, binned, all, low, next);
  }
  set_threshold(split, column, growth_, {});
  if (low == high) split.place.key = last_key_left(key_kind(column.type), split.threshold);
  return true;
}

void LinearStore::best_splits(std::span<const SplitRequest> requests, std::vector<Split>& splits) {
  for (const SplitRequest& request : requests) {
    pool_.check();
    splits.push_back(best_split(at(request.node)));
  }
}

void LinearStore::route(std::span<const Move> moves, std::vector<Summary>& children) {
  for (const Move& move : moves) {
    nodes_.resize(std::max(nodes_.size(), static_cast<std::size_t>(move.first_child) + 2));
    Node& node = at(move.node);
    const auto begin = divide(rows(node), node.child.data(), 2);
    for (std::size_t k = 0; k < 2; ++k) {
      Node& child = at(move.first_child + static_cast<NodeIndex>(k));
      child.begin = node.begin + begin[k];
      child.end = node.begin + begin[k + 1];
      child.above = node.model;
      children.push_back(summary(child));
    }
    node.child = {};
    node.above = node.model = {};
  }
}

Grown grow_linear(const LinearTable& table, const Columns& columns, const Growth& growth, std::atomic<bool>* cancel) {
  Pool pool(growth.n_threads, cancel);
  LinearStore store(table, columns, growth, pool);
  Grown grown;
  grown.n_outputs = table.n_targets;
  grown.tree = grow(store, growth);
  return grown;
}

}   // namespace treewright
