#include "../core/cut_gains.hpp"

#include "arrays.hpp"
#include "interrupt.hpp"
#include "views.hpp"

namespace treewright {

namespace {

nb::list cut_gains_of(const ColumnsView& columns, const TargetView& target, const Growth& growth,
                      View1<std::int64_t> rows) {
  std::vector<RowIndex> some;
  for (std::size_t i = 0; i < rows.shape(0); ++i) {
    if (rows(i) < 0 || rows(i) >= static_cast<std::int64_t>(columns.columns.n_rows))
      throw std::invalid_argument("rows must be rows of the table.");
    some.push_back(static_cast<RowIndex>(rows(i)));
  }
  std::vector<CutGains> found;
  run_interruptibly(some.size() * columns.columns.size() > 200'000,
                    [&](std::atomic<bool>*) { found = cut_gains(columns.columns, target.target, growth, some); });
  nb::list out;
  for (CutGains& each : found) {
    nb::dict cuts;
    cuts["threshold"] = to_array(std::move(each.threshold));
    cuts["gain"] = to_array(std::move(each.gain));
    cuts["left_weight"] = to_array(std::move(each.left_weight));
    cuts["n_left"] = to_array(std::move(each.n_left));
    cuts["missing_left"] = to_array(std::move(each.missing_left));
    cuts["allowed"] = to_array(std::move(each.allowed));
    out.append(cuts);
  }
  return out;
}

}   // namespace

}   // namespace treewright

void register_cut_gains(nanobind::module_& module) {
  using namespace treewright;
  module.def("cut_gains", &cut_gains_of, nb::arg("columns"), nb::arg("target"), nb::arg("growth"), nb::arg("rows"));
}
