// One tree for each of many samples, one after another, and what each predicts for the same rows. Several threads may call it.
#include <algorithm>

#include "../core/fit.hpp"
#include "../core/predictor_tree.hpp"
#include "arrays.hpp"
#include "interrupt.hpp"
#include "views.hpp"

namespace treewright {

namespace {

// What each node predicts: its number, or the place of its class, of equals the first.
std::vector<double> node_values(const Grown& grown, bool classes) {
  std::vector<double> values;
  values.reserve(grown.tree.size());
  grown.tree.for_each([&](std::size_t, const TreeNode&, std::span<const double> value, const RareParts&) {
    values.push_back(classes ? static_cast<double>(std::max_element(value.begin(), value.end()) - value.begin())
                             : value[0]);
  });
  return values;
}

Target slice(Target target, std::size_t first, std::size_t n) {
  target.n_rows = n;
  if (target.labels != nullptr) target.labels += first;
  if (target.numbers != nullptr) target.numbers += first;
  return target;
}

// Samples of n_rows rows each. target: of all samples, one after another; table: as well, or the rows that all of them have.
// The result has a row for each sample, and a column for each row of `at`.
nb::object predict_repeats(const ColumnsView& table, const TargetView& target, std::size_t n_rows, const Growth& growth,
                           const ColumnsView& at) {
  const std::size_t n_all = target.target.n_rows, n_table = table.columns.n_rows;
  if (n_rows == 0 || n_all == 0 || n_all % n_rows != 0 || (n_table != n_all && n_table != n_rows))
    throw std::invalid_argument("there must be a target for each row of every sample.");
  const std::size_t n_values = target.target.n_classes.empty() ? 1 : target.target.n_classes[0];
  if (target.target.n_outputs != 1 || target.target.weights != nullptr || !growth.monotonic.empty() || n_values == 0)
    throw std::invalid_argument("repeats need one output, no weights, and no monotonic constraints.");
  const std::size_t n_points = at.columns.n_rows, n_samples = n_all / n_rows;
  std::vector<double> out(n_samples * n_points);
  Growth alone = growth;
  alone.n_threads = 1;
  run_interruptibly(n_all * table.columns.size() > 200'000, [&](std::atomic<bool>* cancel) {
    Pool own(1, cancel);
    const bool any_missing = has_missing(at.columns);
    own.for_each(n_samples, [&](std::size_t k) {
      const Columns columns = table.columns.slice(n_table == n_rows ? 0 : k * n_rows, n_rows);
      const Target own_target = slice(target.target, k * n_rows, n_rows);
      const Grown grown = std::move(fit(columns, own_target, alone, Trains{}, cancel)[0]);
      const std::vector<double> values = node_values(grown, !target.target.n_classes.empty());
      double* to = out.data() + k * n_points;
      const auto use = [&](std::size_t begin, std::span<const std::uint32_t> ends) {
        for (std::size_t i = 0; i < ends.size(); ++i) to[begin + i] = values[ends[i]];
      };
      if (!Predictor::apply_grown(grown.tree, at.columns, any_missing, own, use))
        Predictor(predictor_tree(grown.tree)).apply(at.columns, own, use);
    });
  });
  return to_array(std::move(out), {n_samples, n_points});
}

}   // namespace

}   // namespace treewright

void register_repeats(nanobind::module_& module) {
  using namespace treewright;
  namespace nb = nanobind;
  module.def("predict_repeats", &predict_repeats, nb::arg("table"), nb::arg("target"), nb::arg("n_rows"),
             nb::arg("growth"), nb::arg("at"));
}
