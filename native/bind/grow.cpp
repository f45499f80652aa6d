#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "../core/dissimilarity_store.hpp"
#include "../core/fit.hpp"
#include "../core/weakest_link.hpp"
#include "arrays.hpp"
#include "grown.hpp"
#include "interrupt.hpp"
#include "views.hpp"

namespace treewright {

namespace {

// Shares and numbers stay within a monotone node's bounds.
void add_values(const TreeNode& node, std::size_t n_outputs, std::vector<double>& values) {
  const auto& value = node.summary.value;
  values.insert(values.end(), value.begin(), value.end());
  double* last = &values.back();
  if (value.size() == 1) *last = std::clamp(*last, node.lower, node.upper);
  if (value.size() == 2 && n_outputs == 1) {
    const double second = std::clamp(*last, node.lower, node.upper);
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
void put_combinations(const GrownTree& tree, nb::dict& dict) {
  std::vector<std::int32_t> own, column;
  std::vector<std::int64_t> begin;
  std::vector<double> coefficient;
  std::map<std::pair<std::vector<std::int32_t>, std::vector<double>>, std::int32_t> known;
  for (const TreeNode& node : tree) {
    if (!tree.has_combinations()) break;
    own.push_back(-1);
    if (!node.combination || node.first_child < 0) continue;
    const Combination& each = *node.combination;
    const auto [at, is_new] =
        known.try_emplace({each.column, each.coefficient}, static_cast<std::int32_t>(known.size()));
    own.back() = at->second;
    if (!is_new) continue;
    if (begin.empty()) begin.push_back(0);
    column.insert(column.end(), each.column.begin(), each.column.end());
    coefficient.insert(coefficient.end(), each.coefficient.begin(), each.coefficient.end());
    begin.push_back(static_cast<std::int64_t>(column.size()));
  }
  dict["combination"] = to_array(std::move(own));
  dict["combination_begin"] = to_array(std::move(begin));
  dict["combination_column"] = to_array(std::move(column));
  dict["combination_coefficient"] = to_array(std::move(coefficient));
}

// One entry per surrogate, node after node, best first; None where there are none.
nb::object surrogates_of(const GrownTree& tree) {
  std::vector<std::int64_t> node, whole;
  std::vector<std::int32_t> feature;
  std::vector<double> threshold, agreement, adjusted;
  std::vector<std::uint8_t> exact, strict, reversed;
  std::vector<const LevelMap*> maps;
  if (!tree.has_surrogates()) return nb::none();
  std::int64_t number = -1;
  for (const TreeNode& from : tree) {
    ++number;
    if (!from.surrogates || from.first_child < 0) continue;
    for (const Surrogate& s : *from.surrogates) {
      node.push_back(number);
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
  }
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

// The nodes as arrays, in one pass: nodes are large, and lie wherever they were made. An array of a field that no node uses is
// empty.
nb::dict to_dict(const Grown& grown, const Growth& growth) {
  std::vector<std::int32_t> first_child, n_children, feature, missing_child;
  std::vector<double> threshold, weight, impurity, gain, lower, upper, share, value;
  std::vector<std::int64_t> integer_threshold, n_rows;
  std::vector<std::uint8_t> integer_exact, strict, missing_seen, found_by, heuristic;
  std::vector<const LevelMap*> levels;
  const GrownTree& tree = grown.tree;
  const auto reserve = [&](auto&... all) { (all.reserve(tree.size()), ...); };
  reserve(first_child, n_children, feature, missing_child, threshold, weight, impurity, gain, n_rows, missing_seen);
  value.reserve(tree.size() * grown.n_outputs * grown.values_per_output);
  for (const TreeNode& node : tree) {
    first_child.push_back(node.first_child);
    n_children.push_back(node.n_children);
    feature.push_back(node.feature);
    missing_child.push_back(node.first_child < 0 ? 0 : node.missing_child);
    missing_seen.push_back(node.missing_seen);
    threshold.push_back(node.threshold.value);
    if (tree.has_exact()) {
      integer_threshold.push_back(node.threshold.exact);
      integer_exact.push_back(node.threshold.is_exact_integer);
    }
    if (growth.classic.strict) strict.push_back(node.threshold.strict);
    n_rows.push_back(node.summary.n_rows);
    weight.push_back(node.summary.weight);
    impurity.push_back(node.summary.impurity);
    gain.push_back(node.gain);
    if (!growth.monotonic.empty()) lower.push_back(node.lower), upper.push_back(node.upper);
    if (growth.missing == Missing::fractional) share.push_back(node.share);
    if (!tree.is_plain()) {
      found_by.push_back(static_cast<std::uint8_t>(node.found_by));
      heuristic.push_back(node.heuristic);
    }
    if (tree.has_levels()) levels.push_back(node.levels.get());
    add_values(node, grown.n_outputs, value);
  }
  nb::dict dict;
  dict["first_child"] = to_array(std::move(first_child));
  dict["n_children"] = to_array(std::move(n_children));
  dict["feature"] = to_array(std::move(feature));
  dict["threshold"] = to_array(std::move(threshold));
  dict["integer_threshold"] = to_array(std::move(integer_threshold));
  dict["integer_exact"] = to_array(std::move(integer_exact));
  if (growth.classic.strict) dict["strict"] = to_array(std::move(strict));
  dict["missing_child"] = to_array(std::move(missing_child));
  dict["missing_seen"] = to_array(std::move(missing_seen));
  dict["n_node_samples"] = to_array(std::move(n_rows));
  dict["weighted_n_node_samples"] = to_array(std::move(weight));
  dict["impurity"] = to_array(std::move(impurity));
  dict["gain"] = to_array(std::move(gain));
  dict["lower"] = to_array(std::move(lower));
  dict["upper"] = to_array(std::move(upper));
  dict["share"] = to_array(std::move(share));
  dict["found_by"] = to_array(std::move(found_by));
  dict["heuristic"] = to_array(std::move(heuristic));
  put_levels(levels, dict);
  put_combinations(tree, dict);
  dict["surrogates"] = surrogates_of(tree);
  dict["value"] = to_array(std::move(value), {tree.size(), grown.n_outputs, grown.values_per_output});
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
  for (const auto& list : lists) {
    const std::span<const std::int64_t> rows(list.data(), list.shape(0));
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

nb::tuple weakest_link_arrays(View1<std::int32_t> first_child, View1<std::int32_t> n_children, View1<double> risk) {
  if (first_child.shape(0) == 0 || n_children.shape(0) != first_child.shape(0) ||
      risk.shape(0) != first_child.shape(0)) {
    throw std::invalid_argument("first_child, n_children and risk must have one entry per node.");
  }
  const std::size_t n = first_child.shape(0);
  for (std::size_t t = 0; t < n; ++t) {
    const std::int64_t first = first_child(t), last = first + n_children(t);
    if (n_children(t) < 0 ||
        (n_children(t) > 0 && (first <= static_cast<std::int64_t>(t) || last > static_cast<std::int64_t>(n)))) {
      throw std::invalid_argument("children must lie after their parent and within the tree.");
    }
  }
  PruningPath path = weakest_link({first_child.data(), n}, {n_children.data(), n}, {risk.data(), n});
  return nb::make_tuple(to_array(std::move(path.alphas)), to_array(std::move(path.stop_alpha)));
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
  module.def("weakest_link", &weakest_link_arrays, nb::arg("first_child"), nb::arg("n_children"), nb::arg("risk"));
}
