#include "../core/predict.hpp"

#include "arrays.hpp"
#include "interrupt.hpp"
#include "views.hpp"

namespace treewright {

namespace {

Predictor make_predictor(View1<std::int32_t> first_child, View1<std::int32_t> n_children, View1<std::int32_t> feature,
                         View1<double> threshold, View1<std::int64_t> integer_threshold,
                         View1<std::uint8_t> integer_exact, View1<std::uint8_t> missing_child) {
  const std::size_t n = first_child.shape(0);
  if (n_children.shape(0) != n || feature.shape(0) != n || threshold.shape(0) != n || missing_child.shape(0) != n ||
      (integer_exact.shape(0) != 0 && (integer_exact.shape(0) != n || integer_threshold.shape(0) != n))) {
    throw std::invalid_argument("every array must have one entry per node.");
  }
  std::vector<PredictorNode> nodes(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (n_children(i) == 0) continue;
    if (n_children(i) != 2) throw std::invalid_argument("every inner node must have two children.");
    nodes[i] = {first_child(i), feature(i), {threshold(i), 0, false}, missing_child(i) == 0};
    if (integer_exact.shape(0) != 0 && integer_exact(i) != 0) {
      nodes[i].threshold.exact = integer_threshold(i);
      nodes[i].threshold.is_exact_integer = true;
    }
  }
  return Predictor(std::move(nodes));
}

void run(const Predictor& predictor, const ColumnsView& columns, int n_threads, const Predictor::Use& use) {
  const std::size_t n_rows = columns.columns.n_rows;
  run_interruptibly(n_rows > 2'000'000, [&](std::atomic<bool>* cancel) {
    Pool pool(n_rows < 20'000 ? 1 : n_threads, cancel);
    predictor.apply(columns.columns, pool, use);
  });
}

nb::object apply(const Predictor& predictor, const ColumnsView& columns, int n_threads) {
  std::vector<std::int64_t> out(columns.columns.n_rows);
  run(predictor, columns, n_threads, [&](std::size_t begin, std::span<const std::uint32_t> leaves) {
    std::copy(leaves.begin(), leaves.end(), out.begin() + static_cast<std::ptrdiff_t>(begin));
  });
  return to_array(std::move(out));
}

nb::object take(const Predictor& predictor, const ColumnsView& columns, View2<double> table, int n_threads) {
  if (table.shape(0) != predictor.n_nodes()) throw std::invalid_argument("table must have one row per node.");
  const std::size_t width = table.shape(1), n_rows = columns.columns.n_rows;
  std::vector<double> out(n_rows * width);
  run(predictor, columns, n_threads, [&](std::size_t begin, std::span<const std::uint32_t> leaves) {
    double* to = out.data() + begin * width;
    for (const std::uint32_t leaf : leaves) {
      for (std::size_t k = 0; k < width; ++k) *to++ = table.data()[leaf * width + k];
    }
  });
  return to_array(std::move(out), {n_rows, width});
}

}   // namespace

}   // namespace treewright

void register_predict(nanobind::module_& module) {
  using namespace treewright;
  namespace nb = nanobind;
  nb::class_<Predictor>(module, "Predictor")
      .def(
          "__init__",
          [](Predictor* self, View1<std::int32_t> first_child, View1<std::int32_t> n_children,
             View1<std::int32_t> feature, View1<double> threshold, View1<std::int64_t> integer_threshold,
             View1<std::uint8_t> integer_exact, View1<std::uint8_t> missing_child) {
            new (self) Predictor(make_predictor(first_child, n_children, feature, threshold, integer_threshold,
                                                integer_exact, missing_child));
          },
          nb::arg("first_child"), nb::arg("n_children"), nb::arg("feature"), nb::arg("threshold"),
          nb::arg("integer_threshold"), nb::arg("integer_exact"), nb::arg("missing_child"))
      .def("apply", &apply, nb::arg("columns"), nb::arg("n_threads"))
      .def("take", &take, nb::arg("columns"), nb::arg("table"), nb::arg("n_threads"));
}
