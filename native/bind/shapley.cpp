#include "../core/shapley.hpp"

#include "arrays.hpp"
#include "interrupt.hpp"
#include "views.hpp"

namespace treewright {

namespace {

constexpr std::size_t long_rows = 2'000, many_rows = 1'000;

nb::tuple shapley(const Predictor& predictor, const ColumnsView& columns, View1<double> cover, View1<double> stopped,
                  View2<double> values, const ColumnsView* background, int n_threads) {
  const std::size_t n_rows = columns.columns.n_rows, n_features = columns.columns.size(), width = values.shape(1);
  ShapleyGame game{to_vector(cover), to_vector(stopped), {values.data(), values.data() + values.size()}, width};
  std::vector<double> out(n_rows * n_features * width, 0.0), base;
  const std::size_t others = background == nullptr ? 0 : background->columns.n_rows;
  run_interruptibly(n_rows + others > long_rows, [&](std::atomic<bool>* cancel) {
    Pool pool(n_rows + others < many_rows ? 1 : n_threads, cancel);
    Shapley found(predictor, std::move(game));
    if (background != nullptr) found.set_background(background->columns, pool);
    found.make_tables(n_rows, pool);
    base = found.base();
    found.explain(columns.columns, pool, n_features, out.data());
  });
  return nb::make_tuple(to_array(std::move(out), {n_rows, n_features, width}), to_array(std::move(base)));
}

}   // namespace

}   // namespace treewright

void register_shapley(nanobind::module_& module) {
  using namespace treewright;
  namespace nb = nanobind;
  module.def("shapley", &shapley, nb::arg("predictor"), nb::arg("columns"), nb::arg("cover"), nb::arg("stopped"),
             nb::arg("values"), nb::arg("background").none(), nb::arg("n_threads"));
}
