#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "../core/dissimilarity_store.hpp"
#include "../core/fit.hpp"
#include "arrays.hpp"
#include "grown.hpp"
#include "interrupt.hpp"
#include "views.hpp"

namespace treewright {

namespace {

// An array of the tree, or an empty one, in a block of all arrays if there is one. Threads fill it.
template <class T>
class Filled {
 public:
  Filled(const std::shared_ptr<NodeMemory>& block, bool used, std::size_t n)
      : n_(used ? n : 0), block_(block), data_(block ? static_cast<T*>(block->take(n_ * sizeof(T))) : new T[n_]) {}
  ~Filled() {
    if (!block_) delete[] data_;
  }
  Filled(const Filled&) = delete;
  T& operator[](std::size_t i) { return data_[i]; }
  explicit operator bool() const { return n_ > 0; }
  nb::object array(std::vector<std::size_t> shape = {}) && {
    if (shape.empty()) shape = {n_};
    T* data = std::exchange(data_, nullptr);
    using Block = std::shared_ptr<NodeMemory>;
    nb::capsule owner = block_ ? nb::capsule(new Block(block_), [](void* p) noexcept { delete static_cast<Block*>(p); })
                               : nb::capsule(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner));
  }

 private:
  std::size_t n_;
  std::shared_ptr<NodeMemory> block_;
  T* data_;
};

// Shares and numbers stay within a monotone node's bounds.
void put_values(std::span<const double> value, const RareParts& rare, std::size_t n_outputs, double* to) {
  double* last = std::copy(value.begin(), value.end(), to) - 1;
  if (value.size() == 1) *last = std::clamp(*last, rare.lower, rare.upper);
  if (value.size() == 2 && n_outputs == 1) {
    const double second = std::clamp(*last, rare.lower, rare.upper);
    if (second != *last) last[-1] = 1 - second, *last = second;
  }
}

// The levels of every test, one after the other; empty where no test is nominal.
void put_levels(const std::vector<const LevelMap*>& maps, nb::dict& dict) {
  std::vector<std::int64_t> begin;
  std::vector<std::int32_t> code, child;
  if (std::any_of(maps.begin(), maps.end(), [](const LevelMap* map) { return map != nullptr; })) {
    begin.push_back(0);
    for (const LevelMap* map : maps) {
      if (map != nullptr) {
        code.insert(code.end(), map->code.begin(), map->code.end());
        child.insert(child.end(), map->child.begin(), map->child.end());
      }
      begin.push_back(static_cast<std::int64_t>(code.size()));
    }
  }
  dict["level_begin"] = to_array(std::move(begin));
  dict["level_code"] = to_array(std::move(code));
  dict["level_child"] = to_array(std::move(child));
}

// The different weighted sums that tests compare, one after the other, and the number of each node's own; empty where no
// test combines columns.
void put_combinations(const GrownTree& tree, const GrownTree::Uses& uses, nb::dict& dict) {
  std::vector<std::int32_t> own, column;
  std::vector<std::int64_t> begin;
  std::vector<double> coefficient;
  std::map<std::pair<std::vector<std::int32_t>, std::vector<double>>, std::int32_t> known;
  if (uses.combinations)
    tree.for_each([&](std::size_t number, const TreeNode& node, auto, const RareParts& rare) {
      if (!rare.combination || node.first_child < 0) return;
      if (own.empty()) own.assign(tree.size(), -1);
      const Combination& each = *rare.combination;
      const auto [at, is_new] =
          known.try_emplace({each.column, each.coefficient}, static_cast<std::int32_t>(known.size()));
      own[number] = at->second;
      if (!is_new) return;
      if (begin.empty()) begin.push_back(0);
      column.insert(column.end(), each.column.begin(), each.column.end());
      coefficient.insert(coefficient.end(), each.coefficient.begin(), each.coefficient.end());
      begin.push_back(static_cast<std::int64_t>(column.size()));
    });
  dict["combination"] = to_array(std::move(own));
  dict["combination_begin"] = to_array(std::move(begin));
  dict["combination_column"] = to_array(std::move(column));
  dict["combination_coefficient"] = to_array(std::move(coefficient));
}

// Statistics and p-values of permutation tests, (nodes, columns); empty where there were none.
void put_tests(const GrownTree& tree, const GrownTree::Uses& uses, nb::dict& dict) {
  if (!uses.tests) return;
  std::size_t n_columns = 0;
  tree.for_each([&](auto, auto&, auto, const RareParts& rare) {
    if (rare.tests) n_columns = rare.tests->statistic.size();
  });
  Filled<double> statistic(nullptr, true, tree.size() * n_columns), p_value(nullptr, true, tree.size() * n_columns);
  tree.for_each([&](std::size_t number, auto&, auto, const RareParts& rare) {
    for (std::size_t f = 0; f < n_columns; ++f) {
      constexpr double none = std::numeric_limits<double>::quiet_NaN();
      statistic[number * n_columns + f] = rare.tests ? rare.tests->statistic[f] : none;
      p_value[number * n_columns + f] = rare.tests ? rare.tests->p_value[f] : none;
    }
  });
  dict["test_statistic"] = std::move(statistic).array({tree.size(), n_columns});
  dict["p_value"] = std::move(p_value).array({tree.size(), n_columns});
}

// One entry per surrogate, node after node, best first; None where there are none.
nb::object surrogates_of(const GrownTree& tree, const GrownTree::Uses& uses) {
  std::vector<std::int64_t> node, whole;
  std::vector<std::int32_t> feature;
  std::vector<double> threshold, agreement, adjusted;
  std::vector<std::uint8_t> exact, strict, reversed;
  std::vector<const LevelMap*> maps;
  if (!uses.surrogates) return nb::none();
  tree.for_each([&](std::size_t number, const TreeNode& from, auto, const RareParts& rare) {
    if (!rare.surrogates || from.first_child < 0) return;
    for (const Surrogate& s : *rare.surrogates) {
      node.push_back(static_cast<std::int64_t>(number));
      feature.push_back(s.feature);
      threshold.push_back(s.threshold.value);
      whole.push_back(s.threshold.exact);
      exact.push_back(s.threshold.is_exact_integer);
      strict.push_back(s.threshold.strict);
      reversed.push_back(s.reversed);
      agreement.push_back(s.agreement);
      adjusted.push_back(s.adjusted);
      maps.push_back(s.levels.get());
    }
  });
  if (node.empty()) return nb::none();
  nb::dict dict;
  put_levels(maps, dict);
  dict["node"] = to_array(std::move(node));
  dict["feature"] = to_array(std::move(feature));
  dict["threshold"] = to_array(std::move(threshold));
  dict["integer_threshold"] = to_array(std::move(whole));
  dict["integer_exact"] = to_array(std::move(exact));
  dict["strict"] = to_array(std::move(strict));
  dict["reversed"] = to_array(std::move(reversed));
  dict["agreement"] = to_array(std::move(agreement));
  dict["adjusted"] = to_array(std::move(adjusted));
  return dict;
}

}   // namespace

// The nodes as arrays. An array of a field that no node uses is empty.
nb::dict to_dict(const Grown& grown, const Growth& growth) {
  const GrownTree& tree = grown.tree;
  const GrownTree::Uses uses = tree.uses();
  const std::size_t n = tree.size(), n_values = grown.n_outputs * grown.values_per_output;
  constexpr std::size_t many = 20'000, rounding = 1'024;
  const bool bounded = !growth.monotonic.empty(), fractional = growth.missing == Missing::fractional;
  const std::size_t bytes_of_node = 57 + n_values * sizeof(double) + 9 * uses.exact + growth.classic.strict +
                                    16 * bounded + 8 * fractional + 2 * uses.found_otherwise;   // in the arrays below
  std::shared_ptr<NodeMemory> block;
  if (n >= many) block = std::make_shared<NodeMemory>(n * bytes_of_node + rounding);
  const auto numbers = [&](bool used = true, std::size_t per_node = 1) {
    return Filled<double>(block, used, n * per_node);
  };
  const auto small = [&](bool used = true) { return Filled<std::int32_t>(block, used, n); };
  const auto whole = [&](bool used = true) { return Filled<std::int64_t>(block, used, n); };
  const auto flags = [&](bool used = true) { return Filled<std::uint8_t>(block, used, n); };
  auto first_child = small(), n_children = small(), feature = small(), missing_child = small();
  auto threshold = numbers(), weight = numbers(), impurity = numbers(), gain = numbers(),
       value = numbers(true, n_values);
  auto n_rows = whole(), integer_threshold = whole(uses.exact);
  auto missing_seen = flags(), integer_exact = flags(uses.exact), strict = flags(growth.classic.strict);
  auto lower = numbers(bounded), upper = numbers(bounded), share = numbers(fractional);
  auto found_by = flags(uses.found_otherwise), heuristic = flags(uses.found_otherwise);
  std::vector<const LevelMap*> levels(uses.levels ? n : 0);
  constexpr std::int32_t undefined = -2;   // scikit-learn's mark of a leaf
  const auto put = [&](std::size_t i, const TreeNode& node, std::span<const double> values, const RareParts& rare) {
    first_child[i] = node.first_child;
    n_children[i] = node.n_children;
    const bool leaf = node.first_child < 0;
    feature[i] = leaf ? undefined : node.feature;
    missing_child[i] = leaf ? 0 : node.missing_child;
    missing_seen[i] = node.missing_seen;
    threshold[i] = leaf ? undefined : node.threshold;
    n_rows[i] = node.n_rows;
    weight[i] = node.weight;
    impurity[i] = node.impurity;
    gain[i] = node.gain;
    put_values(values, rare, grown.n_outputs, &value[i * n_values]);
    if (integer_threshold) integer_threshold[i] = rare.exact.value_or(0), integer_exact[i] = rare.exact.has_value();
    if (strict) strict[i] = node.strict;
    if (lower) lower[i] = rare.lower, upper[i] = rare.upper;
    if (share) share[i] = rare.share;
    if (found_by) found_by[i] = static_cast<std::uint8_t>(node.found_by), heuristic[i] = node.heuristic;
    if (!levels.empty()) levels[i] = rare.levels.get();
  };
  Pool pool(n < many ? 1 : growth.n_threads);
  pool.for_each(tree.runs().size(), [&](std::size_t run) { tree.for_each(tree.runs()[run], put); });
  nb::dict dict;
  dict["first_child"] = std::move(first_child).array();
  dict["n_children"] = std::move(n_children).array();
  dict["feature"] = std::move(feature).array();
  dict["threshold"] = std::move(threshold).array();
  dict["integer_threshold"] = std::move(integer_threshold).array();
  dict["integer_exact"] = std::move(integer_exact).array();
  if (growth.classic.strict) dict["strict"] = std::move(strict).array();
  dict["missing_child"] = std::move(missing_child).array();
  dict["missing_seen"] = std::move(missing_seen).array();
  dict["n_node_samples"] = std::move(n_rows).array();
  dict["weighted_n_node_samples"] = std::move(weight).array();
  dict["impurity"] = std::move(impurity).array();
  dict["gain"] = std::move(gain).array();
  dict["lower"] = std::move(lower).array();
  dict["upper"] = std::move(upper).array();
  dict["share"] = std::move(share).array();
  dict["found_by"] = std::move(found_by).array();
  dict["heuristic"] = std::move(heuristic).array();
  put_levels(levels, dict);
  put_combinations(tree, uses, dict);
  put_tests(tree, uses, dict);
  dict["surrogates"] = surrogates_of(tree, uses);
  dict["value"] = std::move(value).array({n, grown.n_outputs, grown.values_per_output});
  dict["passes"] = grown.n_passes;
  return dict;
}

namespace {

// The allocator keeps what was freed, in a heap for each thread: with large tables and trees that is much.
void give_memory_back() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

nb::list grow_trees(const ColumnsView& columns, const TargetView& target, const Growth& growth,
                    const std::vector<View1<std::int64_t>>& lists, bool all_rows) {
  Trains trains{all_rows};
  std::vector<View1<std::int64_t>> kept;
  for (const auto& list : lists) {
    kept.push_back(aligned(list));
    const std::span<const std::int64_t> rows(kept.back().data(), list.shape(0));
    if (std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>{}) != rows.end())
      throw std::invalid_argument("the rows of a fold must be ascending rows of the table.");
    trains.lists.push_back(rows);
  }
  std::vector<Grown> grown;
  const std::size_t n_cells = columns.columns.n_rows * columns.columns.size() * trains.size();
  const bool is_large = n_cells > 50'000'000;
  if (is_large) give_memory_back();
  run_interruptibly(n_cells > 200'000, [&](std::atomic<bool>* cancel) {
    grown = fit(columns.columns, target.target, growth, trains, cancel);
  });
  nb::list trees;
  for (Grown& each : grown) {
    trees.append(to_dict(each, growth));
    each = {};   // both would need twice the memory
  }
  if (is_large) give_memory_back();
  return trees;
}

nb::object grow_tree(const ColumnsView& columns, const TargetView& target, const Growth& growth) {
  return grow_trees(columns, target, growth, {}, true)[0];
}

// matrix: of float32 or float64.
nb::object grow_by_dissimilarity(const ColumnsView& columns, nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig> matrix,
                                 std::optional<View1<double>> weights, const Growth& growth) {
  const bool single = matrix.dtype() == nb::dtype<float>();
  if ((!single && matrix.dtype() != nb::dtype<double>()) || matrix.shape(0) != matrix.shape(1))
    throw std::invalid_argument("the matrix must be square, of float32 or float64.");
  if (weights && weights->shape(0) != columns.columns.n_rows)
    throw std::invalid_argument("weights must have one entry per row.");
  const DissimilarityMatrix view{matrix.data(), matrix.shape(0), single};
  Grown grown;
  run_interruptibly(view.n_rows > 500, [&](std::atomic<bool>* cancel) {
    grown = fit_by_dissimilarity(columns.columns, view, weights ? weights->data() : nullptr, growth, cancel);
  });
  return to_dict(grown, growth);
}

}   // namespace

}   // namespace treewright

void register_grow(nanobind::module_& module) {
  using namespace treewright;
  namespace nb = nanobind;
  module.def("criteria", &criteria);
  module.def("found_by", [] { return std::vector<std::string>(found_by_words.begin(), found_by_words.end()); });
  module.def("grow", &grow_tree, nb::arg("columns"), nb::arg("target"), nb::arg("growth"));
  module.def("grow_folds", &grow_trees, nb::arg("columns"), nb::arg("target"), nb::arg("growth"), nb::arg("trains"),
             nb::arg("all_rows"));
  module.def("grow_by_dissimilarity", &grow_by_dissimilarity, nb::arg("columns"), nb::arg("matrix"),
             nb::arg("weights").none(), nb::arg("growth"));
}
