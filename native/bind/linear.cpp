#include <nanobind/stl/vector.h>

#include "../core/linear/gram_scan.hpp"
#include "../core/linear/linear_predict.hpp"
#include "arrays.hpp"
#include "interrupt.hpp"
#include "views.hpp"

namespace treewright {

namespace {

GramRows rows_of(const View2<double>& values, const View1<double>& weight) {
  if (weight.shape(0) != values.shape(0)) throw std::invalid_argument("weight must have one entry per row.");
  return {values.data(), weight.data(), values.shape(0), values.shape(1)};
}

void check_columns(const View2<std::int32_t>& columns, const GramRows& rows) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns.data()[i] < 0 || columns.data()[i] >= static_cast<std::int32_t>(rows.width))
      throw std::invalid_argument("columns must be columns of the rows.");
  }
}

void check_codes(const std::uint8_t* code, std::size_t n, std::int64_t n_bins) {
  for (std::size_t i = 0; i < n; ++i) {
    if (code[i] != missing_bin && code[i] >= n_bins) throw std::invalid_argument("codes must be below n_bins, or 255.");
  }
}

// (tests, 2, most bins): see scan_grams. `code` has one row per test, `columns` the columns of each.
nb::object scan(View2<double> values, View1<double> weight, View2<std::uint8_t> code, View1<std::int64_t> n_bins,
                View2<std::int32_t> columns, View1<double> ridge, std::size_t n_targets, std::int64_t min_rows,
                double min_weight, int n_threads) {
  const GramRows rows = rows_of(values, weight);
  const std::size_t n_tests = code.shape(0);
  check_columns(columns, rows);
  if (n_bins.shape(0) != n_tests || columns.shape(0) != n_tests || code.shape(1) != rows.n_rows)
    throw std::invalid_argument("code, n_bins and columns must have one entry per test.");
  if (ridge.shape(0) != rows.width || n_targets < 1 || columns.shape(1) < n_targets)
    throw std::invalid_argument("ridge must have one entry per column, and columns the targets last.");
  std::size_t most = 1;
  for (std::size_t t = 0; t < n_tests; ++t) {
    if (n_bins(t) < 0 || n_bins(t) > 255) throw std::invalid_argument("n_bins must be at most 255.");
    check_codes(code.data() + t * rows.n_rows, rows.n_rows, n_bins(t));
    most = std::max(most, static_cast<std::size_t>(n_bins(t)));
  }
  std::vector<double> out(n_tests * 2 * most, std::numeric_limits<double>::infinity());
  run_interruptibly(rows.n_rows * n_tests * columns.shape(1) > 20'000'000, [&](std::atomic<bool>* cancel) {
    Pool pool(rows.n_rows * n_tests < 20'000 ? 1 : n_threads, cancel);
    const GramScan how{n_targets, {ridge.data(), ridge.shape(0)}, min_rows, min_weight};
    pool.for_each(n_tests, [&](std::size_t t) {
      const auto bins = static_cast<std::size_t>(n_bins(t));
      std::vector<double> losses(2 * bins);
      const std::span own(columns.data() + t * columns.shape(1), columns.shape(1));
      scan_grams(rows, code.data() + t * rows.n_rows, bins, own, how, losses.data());
      std::copy_n(losses.begin(), bins, out.begin() + static_cast<std::ptrdiff_t>(t * 2 * most));
      std::copy_n(losses.begin() + static_cast<std::ptrdiff_t>(bins), bins,
                  out.begin() + static_cast<std::ptrdiff_t>((t * 2 + 1) * most));
    });
  });
  return to_array(std::move(out), {n_tests, 2, most});
}

// (bins, columns, columns): the Gram matrices of the rows of each code.
nb::object grams(View2<double> values, View1<double> weight, View1<std::uint8_t> code, std::int64_t n_bins) {
  const GramRows rows = rows_of(values, weight);
  if (code.shape(0) != rows.n_rows || n_bins < 1 || n_bins > 255)
    throw std::invalid_argument("code must have one entry per row, and n_bins must be in 1..255.");
  check_codes(code.data(), rows.n_rows, n_bins);
  std::vector<std::int32_t> columns(rows.width);
  for (std::size_t k = 0; k < rows.width; ++k) columns[k] = static_cast<std::int32_t>(k);
  const std::size_t size = rows.width, bins = static_cast<std::size_t>(n_bins);
  std::vector<double> out(bins * size * size);
  run_interruptibly(rows.n_rows * size * size > 100'000'000, [&](std::atomic<bool>*) {
    const std::vector<double> packed = bin_grams(rows, code.data(), bins, columns);
    const double* from = packed.data();
    for (std::size_t bin = 0; bin < bins; ++bin) {
      double* to = out.data() + bin * size * size;
      for (std::size_t i = 0; i < size; ++i)
        for (std::size_t j = 0; j <= i; ++j) to[i * size + j] = to[j * size + i] = *from++;
    }
  });
  return to_array(std::move(out), {bins, size, size});
}

template <class T>
std::vector<T> copied(const View1<T>& from, std::size_t length) {
  if (from.shape(0) != length) throw std::invalid_argument("the arrays of linear leaves must fit together.");
  return {from.data(), from.data() + length};
}

LinearLeaves make_leaves(View1<std::int64_t> begin, View1<std::int32_t> feature, View1<std::int32_t> level,
                         View1<double> centre, View1<double> coefficient, View1<double> constant, View1<double> lower,
                         View1<double> upper, int link) {
  if (begin.shape(0) < 2 || link < 0 || link > 2) throw std::invalid_argument("linear leaves need nodes and a link.");
  const std::size_t n_nodes = begin.shape(0) - 1, n_terms = feature.shape(0), width = constant.shape(0) / n_nodes;
  if (width < 1 || (link == 1 && width != 1)) throw std::invalid_argument("linear leaves need a constant per node.");
  for (std::size_t i = 0; i <= n_nodes; ++i) {
    const std::int64_t before = i == 0 ? 0 : begin(i - 1);
    if (begin(i) < before || begin(i) > static_cast<std::int64_t>(n_terms) ||
        (i == n_nodes && begin(i) != static_cast<std::int64_t>(n_terms)))
      throw std::invalid_argument("begin must be ascending and within the terms.");
  }
  for (std::size_t t = 0; t < n_terms; ++t)
    if (feature(t) < 0) throw std::invalid_argument("feature must be the number of a column.");
  return {copied(begin, n_nodes + 1),
          copied(feature, n_terms),
          copied(level, n_terms),
          copied(centre, n_terms),
          copied(coefficient, n_terms * width),
          copied(constant, n_nodes * width),
          copied(lower, n_nodes * width),
          copied(upper, n_nodes * width),
          width,
          static_cast<Link>(link)};
}

nb::object predict(const LinearLeaves& leaves, const Predictor& predictor, const ColumnsView& columns, int n_threads) {
  if (predictor.n_nodes() + 1 != leaves.begin.size()) throw std::invalid_argument("leaves must be those of the tree.");
  const std::size_t n_rows = columns.columns.n_rows;
  std::vector<double> out;
  run_interruptibly(n_rows > 2'000'000, [&](std::atomic<bool>* cancel) {
    Pool pool(n_rows < 20'000 ? 1 : n_threads, cancel);
    out = predict_linear(predictor, leaves, columns.columns, pool);
  });
  return to_array(std::move(out), {n_rows, leaves.n_outputs()});
}

}   // namespace

}   // namespace treewright

void register_linear(nanobind::module_& module) {
  using namespace treewright;
  namespace nb = nanobind;
  module.def("scan_grams", &scan, nb::arg("values"), nb::arg("weight"), nb::arg("code"), nb::arg("n_bins"),
             nb::arg("columns"), nb::arg("ridge"), nb::arg("n_targets"), nb::arg("min_rows"), nb::arg("min_weight"),
             nb::arg("n_threads"));
  module.def("bin_grams", &grams, nb::arg("values"), nb::arg("weight"), nb::arg("code"), nb::arg("n_bins"));
  nb::class_<LinearLeaves>(module, "LinearLeaves")
      .def(
          "__init__",
          [](LinearLeaves* self, View1<std::int64_t> begin, View1<std::int32_t> feature, View1<std::int32_t> level,
             View1<double> centre, View1<double> coefficient, View1<double> constant, View1<double> lower,
             View1<double> upper, int link) {
            new (self)
                LinearLeaves(make_leaves(begin, feature, level, centre, coefficient, constant, lower, upper, link));
          },
          nb::arg("begin"), nb::arg("feature"), nb::arg("level"), nb::arg("centre"), nb::arg("coefficient"),
          nb::arg("constant"), nb::arg("lower"), nb::arg("upper"), nb::arg("link"))
      .def("predict", &predict, nb::arg("predictor"), nb::arg("columns"), nb::arg("n_threads"));
}
