#include "../core/raising.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "../core/branch_grower.hpp"
#include "../core/predictor_tree.hpp"
#include "grown.hpp"
#include "interrupt.hpp"
#include "views.hpp"

namespace treewright {

namespace {

struct BranchGrowerView {
  BranchGrower grower;
  nb::object columns, target;   // kept alive
};

void make_grower(BranchGrowerView* self, nb::object columns, nb::object target, const Growth& growth,
                 std::vector<double> class_weight, std::vector<std::int64_t> rows, bool recorded) {
  new (self) BranchGrowerView{
      BranchGrower(nb::cast<const ColumnsView&>(columns).columns, nb::cast<const TargetView&>(target).target, growth,
                   {std::move(class_weight), std::move(rows), recorded}),
      columns, target};
}

// What calls Python: the limits of "exact", and a grower that is not the core's.
ErrorLimit::Batch batch_of(nb::object limits) {
  if (limits.is_none()) return {};
  return [limits](std::span<const double> weight, std::span<const double> errors) {
    const HeldGil held;
    const auto array = [](std::span<const double> from) {
      return to_array(std::vector<double>(from.begin(), from.end()));
    };
    return to_vector(nb::cast<View1<double>>(limits(array(weight), array(errors))));
  };
}

// Precondition: the caller holds the GIL now, not when branches are grown.
std::function<GrowBranch(std::atomic<bool>*)> grower_of(const nb::object& grow) {
  if (grow.is_none()) return [](std::atomic<bool>*) { return GrowBranch{}; };
  BranchGrowerView* view = nullptr;
  if (nb::try_cast(grow, view)) {
    return [view](std::atomic<bool>* cancel) {
      return [view, cancel](const HeldRows& rows) {
        return predictor_tree(view->grower.grow(rows.row, rows.weight, cancel).tree);
      };
    };
  }
  return [&grow](std::atomic<bool>*) {
    return [&grow](const HeldRows& rows) {
      const HeldGil held;
      const nb::object tree = grow(to_array(std::vector<std::int64_t>(rows.row.begin(), rows.row.end())),
                                   to_array(std::vector<double>(rows.weight)));
      return nb::cast<const Predictor&>(tree).tree();
    };
  };
}

struct RaisingRowsView {
  RaisingRows rows;
  std::vector<nb::object> held;   // kept alive
};

void make_rows(RaisingRowsView* self, nb::object columns, View2<std::int32_t> labels, std::size_t n_classes,
               View1<double> weight, std::optional<View1<double>> factor, std::optional<View1<double>> divisor,
               std::optional<View2<double>> costs) {
  const Columns& table = nb::cast<const ColumnsView&>(columns).columns;
  const std::size_t n = table.n_rows;
  std::vector<nb::object> held{columns, nb::cast(labels), nb::cast(weight)};
  const auto per_row = [&](const std::optional<View1<double>>& array) -> std::span<const double> {
    if (!array) return {};
    if (array->shape(0) != n) throw std::invalid_argument("every array must have one entry per row.");
    held.push_back(nb::cast(*array));
    return {array->data(), n};
  };
  const RaisingRows rows{table,
                         labels.data(),
                         labels.shape(1),
                         n_classes,
                         per_row(weight),
                         per_row(factor),
                         per_row(divisor),
                         costs ? std::span(costs->data(), costs->size()) : std::span<const double>{}};
  if (labels.shape(0) != n || labels.shape(1) == 0)
    throw std::invalid_argument("every array must have one entry per row.");
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (labels.data()[i] < 0 || static_cast<std::size_t>(labels.data()[i]) >= n_classes)
      throw std::invalid_argument("labels must be from 0 to n_classes - 1.");
  if (costs) {
    if (costs->shape(0) != n_classes || costs->shape(1) != n_classes || labels.shape(1) != 1)
      throw std::invalid_argument("costs must have a row and a column for each class of one output.");
    held.push_back(nb::cast(*costs));
  }
  new (self) RaisingRowsView{rows, std::move(held)};
}

void check(const Predictor& predictor, const Columns& columns, const View1<std::int64_t>& decision) {
  const auto& nodes = predictor.tree().nodes;
  predictor.check(columns);
  if (decision.shape(0) != nodes.size()) throw std::invalid_argument("decision must have one entry per node.");
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (decision(i) < Raising::collapse || decision(i) >= std::max(nodes[i].n_children, 0))
      throw std::invalid_argument("decision must be -1, -2 or the number of a child.");
}

// Where every row ends; nothing if some row stops at an inner node or is shared out, or if nodes are raised already.
std::vector<std::uint32_t> leaves_of(const Predictor& predictor, const Columns& columns,
                                     const View1<std::int64_t>& decision, Pool& pool) {
  for (std::size_t i = 0; i < decision.shape(0); ++i)
    if (decision(i) >= 0) return {};
  std::vector<std::uint32_t> leaves(columns.n_rows);
  std::atomic<bool> all{true};
  predictor.single_ends(columns, pool, [&](std::size_t begin, std::span<const std::uint32_t> ends) {
    std::copy(ends.begin(), ends.end(), leaves.begin() + static_cast<std::ptrdiff_t>(begin));
    if (std::any_of(ends.begin(), ends.end(), [&](auto end) { return predictor.tree().nodes[end].n_children > 0; }))
      all = false;
  });
  return all ? leaves : std::vector<std::uint32_t>{};
}

nb::dict raise_branches(const Predictor& predictor, const RaisingRowsView& view, View1<std::int64_t> decision,
                        const ErrorLimit& limit, double pool, nb::object grow, bool regrows, int n_threads) {
  const RaisingRows& rows = view.rows;
  check(predictor, rows.columns, decision);
  Raising::FinalTree final_tree;
  std::vector<std::int64_t> decided;
  std::size_t n_regrown = 0, n_routed = 0;
  const auto grower = grower_of(grow);
  const bool is_long = rows.columns.n_rows * rows.columns.size() > 200'000;
  run_interruptibly(is_long, [&](std::atomic<bool>* cancel) {
    Pool threads(is_long ? n_threads : 1, cancel);
    const std::vector<std::uint32_t> leaves = leaves_of(predictor, rows.columns, decision, threads);
    Raising raising(predictor.tree(), rows, leaves, {decision.data(), decision.shape(0)}, limit, pool, grower(cancel),
                    regrows);
    raising.decide(cancel);
    final_tree = raising.final_tree();
    decided.assign(raising.decision().begin(),
                   raising.decision().begin() + static_cast<std::ptrdiff_t>(decision.shape(0)));
    n_regrown = raising.n_regrown();
    n_routed = raising.n_routed();
  });
  nb::dict found;
  found["decision"] = to_array(std::move(decided));
  found["node"] = to_array(std::move(final_tree.node));
  found["source"] = to_array(std::move(final_tree.source));
  found["place"] = to_array(std::move(final_tree.place));
  found["inner"] = to_array(std::move(final_tree.inner));
  found["n_raised"] = final_tree.n_raised;
  found["n_regrown"] = n_regrown;
  found["n_routed"] = n_routed;
  return found;
}

nb::object expected_errors(const ErrorLimit& limit, View1<double> weight, View1<double> errors) {
  if (errors.shape(0) != weight.shape(0)) throw std::invalid_argument("errors must have one entry per weight.");
  return to_array(limit({weight.data(), weight.shape(0)}, {errors.data(), errors.shape(0)}));
}

}   // namespace

}   // namespace treewright

void register_raising(nanobind::module_& module) {
  using namespace treewright;
  namespace nb = nanobind;
  nb::class_<BranchGrowerView>(module, "BranchGrower")
      .def("__init__", &make_grower, nb::arg("columns"), nb::arg("target"), nb::arg("growth"), nb::arg("class_weight"),
           nb::arg("rows"), nb::arg("recorded"))
      .def("sizes",
           [](const BranchGrowerView& view) {
             std::vector<std::int64_t> sizes;
             for (const Grown& grown : view.grower.grown())
               sizes.push_back(static_cast<std::int64_t>(grown.tree.size()));
             return to_array(std::move(sizes));
           })
      .def("grown", [](const BranchGrowerView& view, std::size_t number) {
        return to_dict(view.grower.grown().at(number), view.grower.growth());
      });
  nb::class_<ErrorLimit>(module, "ErrorLimit")
      .def(
          "__init__",
          [](ErrorLimit* self, const std::string& bound, double CF, double z, nb::object batch) {
            new (self) ErrorLimit(bound, CF, z, batch_of(batch));
          },
          nb::arg("bound"), nb::arg("CF"), nb::arg("z"), nb::arg("batch") = nb::none())
      .def("expected_errors", &expected_errors, nb::arg("weight"), nb::arg("errors"));
  nb::class_<RaisingRowsView>(module, "RaisingRows")
      .def("__init__", &make_rows, nb::arg("columns"), nb::arg("labels"), nb::arg("n_classes"), nb::arg("weight"),
           nb::arg("factor") = nb::none(), nb::arg("divisor") = nb::none(), nb::arg("costs") = nb::none());
  module.def("raise_branches", &raise_branches, nb::arg("predictor"), nb::arg("rows"), nb::arg("decision"),
             nb::arg("limit"), nb::arg("pool"), nb::arg("grow") = nb::none(), nb::arg("regrows") = true,
             nb::arg("n_threads") = 1);
}
