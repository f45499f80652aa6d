#include "../core/predict.hpp"

#include "arrays.hpp"
#include "interrupt.hpp"
#include "views.hpp"

namespace treewright {

namespace {

template <class T>
View1<T> array_of(const nb::dict& arrays, const char* name) {
  if (!arrays.contains(name)) throw std::invalid_argument(std::string("there must be an array ") + name + ".");
  return nb::cast<View1<T>>(arrays[name]);
}

// Arrays that a tree may do without are empty.
template <class T>
void check_length(const View1<T>& array, std::size_t n, bool may_be_empty) {
  if (array.shape(0) != n && !(may_be_empty && array.shape(0) == 0))
    throw std::invalid_argument("every array must have one entry per test.");
}

// Thresholds of nodes or of surrogates: the same names, the same rules.
std::vector<Threshold> thresholds_of(const nb::dict& arrays, std::size_t n) {
  const auto value = array_of<double>(arrays, "threshold");
  const auto whole = array_of<std::int64_t>(arrays, "integer_threshold");
  const auto exact = array_of<std::uint8_t>(arrays, "integer_exact"), strict = array_of<std::uint8_t>(arrays, "strict");
  check_length(value, n, false);
  check_length(whole, n, true);
  check_length(exact, n, true);
  check_length(strict, n, true);
  if (whole.shape(0) != exact.shape(0)) throw std::invalid_argument("every array must have one entry per test.");
  std::vector<Threshold> thresholds(n);
  for (std::size_t i = 0; i < n; ++i) {
    thresholds[i].value = value(i);
    if (exact.shape(0) != 0 && exact(i) != 0) thresholds[i].exact = whole(i), thresholds[i].is_exact_integer = true;
    thresholds[i].strict = strict.shape(0) != 0 && strict(i) != 0;
  }
  return thresholds;
}

// Where the levels of each test begin and end; they are added to the tree's own.
std::vector<std::uint32_t> levels_of(const nb::dict& arrays, std::size_t n, PredictorTree& tree) {
  const auto begin = array_of<std::int64_t>(arrays, "level_begin");
  const auto code = array_of<std::int32_t>(arrays, "level_code"), child = array_of<std::int32_t>(arrays, "level_child");
  const auto base = static_cast<std::uint32_t>(tree.level_code.size());
  std::vector<std::uint32_t> begins(n + 1, base);
  if (begin.shape(0) == 0) return begins;
  check_length(begin, n + 1, false);
  if (child.shape(0) != code.shape(0) || code.shape(0) > 0xfffffff0u)
    throw std::invalid_argument("levels need children.");
  for (std::size_t i = 0; i <= n; ++i) {
    if (begin(i) < 0 || begin(i) > static_cast<std::int64_t>(code.shape(0)) || (i > 0 && begin(i) < begin(i - 1)))
      throw std::invalid_argument("level_begin must be ascending and within level_code.");
    begins[i] = base + static_cast<std::uint32_t>(begin(i));
  }
  tree.level_code.insert(tree.level_code.end(), code.data(), code.data() + code.shape(0));
  tree.level_child.insert(tree.level_child.end(), child.data(), child.data() + child.shape(0));
  return begins;
}

void add_surrogates(const nb::dict& arrays, PredictorTree& tree) {
  const auto node = array_of<std::int64_t>(arrays, "node");
  const auto feature = array_of<std::int32_t>(arrays, "feature");
  const auto reversed = array_of<std::uint8_t>(arrays, "reversed");
  const std::size_t n = node.shape(0);
  check_length(feature, n, false);
  check_length(reversed, n, false);
  const auto thresholds = thresholds_of(arrays, n);
  const auto begins = levels_of(arrays, n, tree);
  for (std::size_t s = 0; s < n; ++s) {
    if (node(s) < 0 || node(s) >= static_cast<std::int64_t>(tree.nodes.size()) || (s > 0 && node(s) < node(s - 1)))
      throw std::invalid_argument("surrogates must be in the order of their nodes.");
    PredictorNode& owner = tree.nodes[static_cast<std::size_t>(node(s))];
    if (owner.n_children != 2) throw std::invalid_argument("only nodes of two children may have surrogates.");
    if (owner.surrogate_begin == owner.surrogate_end) owner.surrogate_begin = static_cast<std::uint32_t>(s);
    owner.surrogate_end = static_cast<std::uint32_t>(s) + 1;
    tree.surrogates.push_back({feature(s), thresholds[s], reversed(s) != 0, begins[s], begins[s + 1]});
  }
}

// The weighted sums that nodes compare, if any: `combination` has the number of each node's own, or -1.
void add_combinations(const nb::dict& arrays, PredictorTree& tree) {
  if (!arrays.contains("combination")) return;
  const auto own = array_of<std::int32_t>(arrays, "combination");
  if (own.shape(0) == 0) return;
  check_length(own, tree.nodes.size(), false);
  const auto begin = array_of<std::int64_t>(arrays, "combination_begin");
  const auto column = array_of<std::int32_t>(arrays, "combination_column");
  const auto coefficient = array_of<double>(arrays, "combination_coefficient");
  std::vector<std::shared_ptr<const Combination>> all;
  if (coefficient.shape(0) != column.shape(0)) throw std::invalid_argument("combined columns need coefficients.");
  for (std::size_t i = 0; i + 1 < begin.shape(0); ++i) {
    if (begin(i) < 0 || begin(i + 1) <= begin(i) || begin(i + 1) > static_cast<std::int64_t>(column.shape(0)))
      throw std::invalid_argument("combination_begin must rise within combination_column.");
    all.push_back(std::make_shared<const Combination>(
        Combination{{column.data() + begin(i), column.data() + begin(i + 1)},
                    {coefficient.data() + begin(i), coefficient.data() + begin(i + 1)}}));
  }
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    if (own(i) < 0 || tree.nodes[i].n_children == 0) continue;
    if (own(i) >= static_cast<std::int64_t>(all.size()))
      throw std::invalid_argument("combination must be a known one.");
    tree.nodes[i].combination = all[static_cast<std::size_t>(own(i))];
    tree.nodes[i].feature = tree.nodes[i].combination->column[0];
  }
}

Predictor make_predictor(const nb::kwargs& arrays) {
  const auto first_child = array_of<std::int32_t>(arrays, "first_child");
  const auto n_children = array_of<std::int32_t>(arrays, "n_children");
  const auto feature = array_of<std::int32_t>(arrays, "feature");
  const auto missing_child = array_of<std::int32_t>(arrays, "missing_child");
  const auto share = array_of<double>(arrays, "share");
  const std::size_t n = first_child.shape(0);
  check_length(n_children, n, false);
  check_length(feature, n, false);
  check_length(missing_child, n, false);
  check_length(share, n, true);
  PredictorTree tree;
  tree.nodes.resize(n);
  const auto thresholds = thresholds_of(arrays, n);
  const auto begins = levels_of(arrays, n, tree);
  for (std::size_t i = 0; i < n; ++i) {
    if (n_children(i) == 0) continue;
    PredictorNode& node = tree.nodes[i];
    node.first_child = first_child(i);
    node.n_children = n_children(i);
    node.feature = feature(i);
    node.threshold = thresholds[i];
    node.missing_child = missing_child(i);
    node.level_begin = begins[i];
    node.level_end = begins[i + 1];
  }
  for (std::size_t i = 0; i < share.shape(0); ++i) tree.nodes[i].share = share(i);
  if (arrays.contains("soft_low")) {
    const auto low = array_of<double>(arrays, "soft_low"), high = array_of<double>(arrays, "soft_high");
    check_length(low, n, true);
    check_length(high, n, true);
    if (low.shape(0) != high.shape(0)) throw std::invalid_argument("every array must have one entry per test.");
    for (std::size_t i = 0; i < low.shape(0); ++i) tree.nodes[i].soft_low = low(i), tree.nodes[i].soft_high = high(i);
  }
  add_combinations(arrays, tree);
  if (arrays.contains("surrogates") && !arrays["surrogates"].is_none())
    add_surrogates(nb::cast<nb::dict>(arrays["surrogates"]), tree);
  return Predictor(std::move(tree));
}

template <class Work>
void run(const ColumnsView& columns, int n_threads, Work&& work) {
  const std::size_t n_rows = columns.columns.n_rows;
  run_interruptibly(n_rows > 2'000'000, [&](std::atomic<bool>* cancel) {
    Pool pool(n_rows < 20'000 ? 1 : n_threads, cancel);
    work(pool);
  });
}

nb::object apply(const Predictor& predictor, const ColumnsView& columns, int n_threads) {
  std::vector<std::int64_t> out(columns.columns.n_rows);
  run(columns, n_threads, [&](Pool& pool) {
    predictor.apply(columns.columns, pool, [&](std::size_t begin, std::span<const std::uint32_t> ends) {
      std::copy(ends.begin(), ends.end(), out.begin() + static_cast<std::ptrdiff_t>(begin));
    });
  });
  return to_array(std::move(out));
}

// None where some row stops at an inner node or is shared out.
nb::object single_ends(const Predictor& predictor, const ColumnsView& columns, int n_threads) {
  std::vector<std::int64_t> out(columns.columns.n_rows);
  std::atomic<bool> all{true};
  run(columns, n_threads, [&](Pool& pool) {
    predictor.single_ends(columns.columns, pool, [&](std::size_t begin, std::span<const std::uint32_t> ends) {
      std::copy(ends.begin(), ends.end(), out.begin() + static_cast<std::ptrdiff_t>(begin));
      for (const std::uint32_t end : ends)
        if (predictor.tree().nodes[end].n_children > 0) all = false;
    });
  });
  return all ? to_array(std::move(out)) : nb::none();
}

nb::object take(const Predictor& predictor, const ColumnsView& columns, View2<double> table, int n_threads) {
  if (table.shape(0) != predictor.n_nodes()) throw std::invalid_argument("table must have one row per node.");
  const std::size_t width = table.shape(1), n_rows = columns.columns.n_rows;
  std::vector<double> out(n_rows * width);
  run(columns, n_threads, [&](Pool& pool) {
    if (predictor.shares_rows()) {
      predictor.apply_shares(columns.columns, pool, [&](std::size_t row, std::uint32_t node, double share) {
        for (std::size_t k = 0; k < width; ++k) out[row * width + k] += share * table.data()[node * width + k];
      });
      return;
    }
    predictor.apply(columns.columns, pool, [&](std::size_t begin, std::span<const std::uint32_t> ends) {
      double* to = out.data() + begin * width;
      for (const std::uint32_t end : ends) {
        for (std::size_t k = 0; k < width; ++k) *to++ = table.data()[end * width + k];
      }
    });
  });
  return to_array(std::move(out), {n_rows, width});
}

nb::tuple shares(const Predictor& predictor, const ColumnsView& columns, int n_threads) {
  struct Ends {   // of a block of rows
    std::vector<std::int64_t> node;
    std::vector<double> share;
  };
  const std::size_t n_rows = columns.columns.n_rows;
  std::vector<std::int64_t> start(n_rows + 1, 0), nodes;
  std::vector<double> share;
  std::vector<Ends> blocks(n_rows / Predictor::block_rows + 1);
  run(columns, n_threads, [&](Pool& pool) {
    predictor.apply_shares(columns.columns, pool, [&](std::size_t row, std::uint32_t node, double part) {
      Ends& ends = blocks[row / Predictor::block_rows];
      ++start[row + 1];
      ends.node.push_back(node);
      ends.share.push_back(part);
    });
  });
  for (std::size_t row = 1; row < start.size(); ++row) start[row] += start[row - 1];
  nodes.reserve(static_cast<std::size_t>(start.back()));
  share.reserve(static_cast<std::size_t>(start.back()));
  for (const Ends& ends : blocks) {
    nodes.insert(nodes.end(), ends.node.begin(), ends.node.end());
    share.insert(share.end(), ends.share.begin(), ends.share.end());
  }
  return nb::make_tuple(to_array(std::move(start)), to_array(std::move(nodes)), to_array(std::move(share)));
}

}   // namespace

}   // namespace treewright

void register_predict(nanobind::module_& module) {
  using namespace treewright;
  namespace nb = nanobind;
  nb::class_<Predictor>(module, "Predictor")
      .def("__init__", [](Predictor* self, const nb::kwargs& arrays) { new (self) Predictor(make_predictor(arrays)); })
      .def("apply", &apply, nb::arg("columns"), nb::arg("n_threads"))
      .def("single_ends", &single_ends, nb::arg("columns"), nb::arg("n_threads"))
      .def("take", &take, nb::arg("columns"), nb::arg("table"), nb::arg("n_threads"))
      .def("shares", &shares, nb::arg("columns"), nb::arg("n_threads"));
}
