// One tree for each of many samples, side by side, and what each predicts for the same rows.
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "../core/fit.hpp"
#include "../core/predictor_tree.hpp"
#include "arrays.hpp"
#include "interrupt.hpp"
#include "views.hpp"

namespace treewright {

namespace {

// What each node predicts: its number, or the place of its class, of equals the first.
std::vector<double> node_values(const Grown& grown) {
  std::vector<double> values;
  values.reserve(grown.tree.size());
  grown.tree.for_each([&](std::size_t, const TreeNode&, std::span<const double> value, const RareParts&) {
    const bool number = value.size() == 1;
    values.push_back(number ? value[0]
                            : static_cast<double>(std::max_element(value.begin(), value.end()) - value.begin()));
  });
  return values;
}

// tables: one for each target, or one for all. The result has a row for each target, and a column for each row of `at`.
nb::object predict_repeats(const std::vector<const ColumnsView*>& tables, const std::vector<const TargetView*>& targets,
                           const Growth& growth, const ColumnsView& at) {
  if (targets.empty() || (tables.size() != 1 && tables.size() != targets.size()))
    throw std::invalid_argument("there must be one table for each target, or one for all.");
  for (const TargetView* target : targets) {
    const std::size_t n_values = target->target.n_classes.empty() ? 1 : target->target.n_classes[0];
    if (target->target.n_outputs != 1 || !growth.monotonic.empty() || n_values == 0)
      throw std::invalid_argument("repeats need one output, and no monotonic constraints.");
  }
  const std::size_t n_points = at.columns.n_rows;
  std::vector<double> out(targets.size() * n_points);
  Growth alone = growth;   // one thread for each tree
  alone.n_threads = 1;
  run_interruptibly(true, [&](std::atomic<bool>* cancel) {
    Pool pool(growth.n_threads, cancel);
    pool.for_each(targets.size(), [&](std::size_t k) {
      const Columns& columns = tables[tables.size() == 1 ? 0 : k]->columns;
      const Grown grown = std::move(fit(columns, targets[k]->target, alone, Trains{}, cancel)[0]);
      const std::vector<double> values = node_values(grown);
      Pool own(1, cancel);
      double* to = out.data() + k * n_points;
      const auto use = [&](std::size_t begin, std::span<const std::uint32_t> ends) {
        for (std::size_t i = 0; i < ends.size(); ++i) to[begin + i] = values[ends[i]];
      };
      if (!Predictor::apply_grown(grown.tree, at.columns, own, use))
        Predictor(predictor_tree(grown.tree)).apply(at.columns, own, use);
    });
  });
  return to_array(std::move(out), {targets.size(), n_points});
}

}   // namespace

}   // namespace treewright

void register_repeats(nanobind::module_& module) {
  using namespace treewright;
  namespace nb = nanobind;
  module.def("predict_repeats", &predict_repeats, nb::arg("tables"), nb::arg("targets"), nb::arg("growth"),
             nb::arg("at"));
}
