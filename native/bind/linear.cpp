#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "../core/linear/cubist_store.hpp"
#include "../core/linear/design.hpp"
#include "../core/linear/linear_predict.hpp"
#include "../core/linear/linear_store.hpp"
#include "../core/linear/m5_store.hpp"
#include "../core/linear/neighbors.hpp"
#include "arrays.hpp"
#include "grown.hpp"
#include "interrupt.hpp"
#include "views.hpp"

namespace treewright {

namespace {

using Matrix = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void must_fit(bool fits) {
  if (!fits) throw std::invalid_argument("the arrays of linear leaves must fit together.");
}

// Per column: weight of known and of missing values, mean, scale, and whether a value is infinite. And a hash per row.
nb::tuple moments(const ColumnsView& columns, View1<double> weight, int n_threads) {
  must_fit(weight.shape(0) == columns.columns.n_rows);
  std::vector<ColumnMoments> found;
  std::vector<std::uint64_t> hashes;
  run_interruptibly(columns.columns.n_rows > 2'000'000, [&](std::atomic<bool>* cancel) {
    Pool pool(columns.columns.n_rows < 20'000 ? 1 : n_threads, cancel);
    found = column_moments(columns.columns, weight.data(), hashes, pool);
  });
  std::vector<double> out;
  for (const ColumnMoments& each : found)
    out.insert(out.end(), {each.known, each.missing, each.mean, each.scale, each.infinite ? 1.0 : 0.0});
  return nb::make_tuple(to_array(std::move(out), {found.size(), 5}), to_array(std::move(hashes)));
}

void design(const ColumnsView& columns, View1<std::int32_t> feature, View1<std::int32_t> level, View1<double> mean,
            View1<double> scale, Matrix to, int n_threads) {
  const std::size_t n = feature.shape(0);
  must_fit(level.shape(0) == n && mean.shape(0) == n && scale.shape(0) == n && to.shape(1) > n &&
           to.shape(0) == columns.columns.n_rows);
  std::vector<DesignTerm> terms;
  for (std::size_t t = 0; t < n; ++t) {
    must_fit(feature(t) >= 0 && feature(t) < static_cast<std::int32_t>(columns.columns.size()));
    terms.push_back({feature(t), level(t), mean(t), scale(t)});
  }
  run_interruptibly(columns.columns.n_rows > 2'000'000, [&](std::atomic<bool>* cancel) {
    Pool pool(columns.columns.n_rows < 20'000 ? 1 : n_threads, cancel);
    write_design(columns.columns, terms, to.data(), to.shape(1), pool);
  });
}

// Gram matrices by leaf and fold, and the least and the greatest target of every leaf.
nb::tuple sums(View2<double> values, View1<double> weight, View1<std::int64_t> leaf, View1<std::uint8_t> fold,
               std::size_t n_targets, std::size_t n_leaves, std::size_t n_folds, int n_threads) {
  const std::size_t n = values.shape(0), width = values.shape(1);
  must_fit(weight.shape(0) == n && leaf.shape(0) == n && fold.shape(0) == n && n_targets < width);
  for (std::size_t i = 0; i < n; ++i)
    must_fit(leaf(i) >= 0 && static_cast<std::size_t>(leaf(i)) < n_leaves && fold(i) < n_folds);
  LeafSums found;
  run_interruptibly(n * width * width > 100'000'000, [&](std::atomic<bool>* cancel) {
    Pool pool(n < 5'000 ? 1 : n_threads, cancel);
    found = leaf_sums({values.data(), weight.data(), leaf.data(), fold.data(), n, width, n_targets, n_leaves, n_folds},
                      pool);
  });
  return nb::make_tuple(to_array(std::move(found.grams), {n_leaves, n_folds, width, width}),
                        to_array(std::move(found.least), {n_leaves, n_targets}),
                        to_array(std::move(found.most), {n_leaves, n_targets}));
}

nb::object solutions(View3<double> grams, View3<double> start, View1<double> penalty,
                     std::optional<View2<std::uint8_t>> allowed) {
  const std::size_t n_problems = grams.shape(0), n = start.shape(1), m = start.shape(2);
  must_fit(start.shape(0) == n_problems && penalty.shape(0) == n && grams.shape(1) == n + m && grams.shape(2) == n + m);
  must_fit(!allowed || (allowed->shape(0) == n_problems && allowed->shape(1) == n));
  std::vector<double> found(n_problems * n * m);
  {
    const ReleasedGil released;
    ridge_solutions({n_problems, grams.data(), start.data(), allowed ? allowed->data() : nullptr},
                    {n, m, {penalty.data(), penalty.data() + n}}, found.data());
  }
  return to_array(std::move(found), {n_problems, n, m});
}

struct LinearSettings {
  std::size_t n_targets = 1, look_ahead = 1;
  bool logistic = false, intercept_only = false;
  double row_weight = 1, user_unit = 1;
};

nb::dict grow(const ColumnsView& columns, View2<double> values, View1<double> weight, View1<std::int32_t> own,
              const LinearSettings& settings, const Growth& growth) {
  const std::size_t n = values.shape(0), width = values.shape(1);
  must_fit(weight.shape(0) == n && columns.columns.n_rows == n && own.shape(0) == columns.columns.size() &&
           settings.n_targets < width && settings.n_targets > 0);
  LinearTable table{values.data(),
                    weight.data(),
                    n,
                    width - settings.n_targets,
                    settings.n_targets,
                    to_vector(own),
                    settings.logistic,
                    settings.intercept_only,
                    settings.look_ahead,
                    settings.row_weight,
                    settings.user_unit};
  for (const std::int32_t column : table.own)
    must_fit(column >= 0 && static_cast<std::size_t>(column) < table.n_design);
  Grown grown;
  run_interruptibly(n * width > 20'000,
                    [&](std::atomic<bool>* cancel) { grown = grow_linear(table, columns.columns, growth, cancel); });
  return to_dict(grown, growth);
}

nb::dict grow_as_m5(View2<double> values, View1<double> y, double min_rows, double flat, int n_threads) {
  must_fit(y.shape(0) == values.shape(0) && y.shape(0) > 0);
  const M5Table table{values.data(), y.data(), values.shape(0), values.shape(1)};
  Grown grown;
  run_interruptibly(values.size() > 20'000,
                    [&](std::atomic<bool>* cancel) { grown = grow_m5(table, min_rows, flat, n_threads, cancel); });
  return to_dict(grown, Growth());
}

// The tree, and of every node its model, what its test counts as, and its rows.
nb::dict grow_as_cubist(View2<double> values, View1<double> y, View1<double> weight, View1<std::int32_t> n_levels,
                        View1<double> bounds, int n_threads) {
  must_fit(bounds.shape(0) == 2 && bounds(0) <= bounds(1) && y.shape(0) == values.shape(0) && y.shape(0) > 0 &&
           weight.shape(0) == y.shape(0) && n_levels.shape(0) == values.shape(1));
  for (std::size_t i = 0; i < values.shape(0); ++i)
    for (std::size_t j = 0; j < values.shape(1); ++j)
      must_fit(n_levels(j) == 0 || (values(i, j) >= 0 && values(i, j) < n_levels(j)));
  const RuleTable table{values.data(),   y.data(),        weight.data(), n_levels.data(),
                        values.shape(0), values.shape(1), bounds(0),     bounds(1)};
  RuleTree tree;
  run_interruptibly(values.size() > 20'000,
                    [&](std::atomic<bool>* cancel) { tree = grow_rules(table, n_threads, cancel); });
  std::vector<std::int64_t> begin{0}, column, row_begin, row_end;
  std::vector<double> coefficient, intercept, test_size;
  for (const RuleNode& node : tree.nodes) {
    for (const RuleTerm& term : node.fit.terms) {
      column.push_back(term.column);
      coefficient.push_back(term.coefficient);
    }
    begin.push_back(static_cast<std::int64_t>(column.size()));
    intercept.push_back(node.fit.intercept);
    test_size.push_back(node.test_size);
    row_begin.push_back(static_cast<std::int64_t>(node.begin));
    row_end.push_back(static_cast<std::int64_t>(node.end));
  }
  nb::dict found = to_dict(tree.grown, Growth());
  found["term_begin"] = to_array(std::move(begin));
  found["term_column"] = to_array(std::move(column));
  found["coefficient"] = to_array(std::move(coefficient));
  found["intercept"] = to_array(std::move(intercept));
  found["test_size"] = to_array(std::move(test_size));
  found["row_begin"] = to_array(std::move(row_begin));
  found["row_end"] = to_array(std::move(row_end));
  found["rows"] = to_array(std::vector<std::int64_t>(tree.rows.begin(), tree.rows.end()));
  found["least_rows"] = tree.least_rows;
  return found;
}

// What rows are predicted, once their nearest training rows have corrected it; see neighbors.hpp.
nb::object corrected_by_neighbors(View2<double> training, View1<double> off, View1<double> scale,
                                  View1<std::uint8_t> is_level, double far, std::size_t k, View2<double> values,
                                  View1<double> predicted, double low, double high, int n_threads) {
  const std::size_t n = training.shape(0), width = training.shape(1);
  must_fit(n > 0 && k > 0 && off.shape(0) == n && scale.shape(0) == width && is_level.shape(0) == width &&
           values.shape(1) == width && predicted.shape(0) == values.shape(0) && low <= high);
  std::vector<double> found;
  run_interruptibly(n * values.size() > 10'000'000, [&](std::atomic<bool>* cancel) {
    Pool pool(n * values.size() < 1'000'000 ? 1 : n_threads, cancel);
    found = corrected({training.data(), off.data(), scale.data(), is_level.data(), n, width, far}, k, values.data(),
                      predicted.data(), values.shape(0), low, high, pool);
  });
  return to_array(std::move(found));
}

// The coefficients of a logistic regression of some rows; see logistic_solution.
nb::object logistic(View2<double> values, View1<double> weight, View1<std::int64_t> rows, View1<double> penalty,
                    View2<double> prior, View2<double> start, double tolerance) {
  const std::size_t n = penalty.shape(0), m = prior.shape(1), width = values.shape(1), padded = whole_quads(width);
  must_fit(n + m == width && prior.shape(0) == n && start.shape(0) == n && start.shape(1) == m &&
           weight.shape(0) == values.shape(0));
  for (std::size_t i = 0; i < rows.shape(0); ++i)
    must_fit(rows(i) >= 0 && static_cast<std::size_t>(rows(i)) < values.shape(0));
  std::vector<double> found;
  run_interruptibly(rows.shape(0) * width * width > 10'000'000, [&](std::atomic<bool>*) {
    std::vector<double> some(rows.shape(0) * padded, 0.0), own;
    for (std::size_t i = 0; i < rows.shape(0); ++i) {
      const auto row = static_cast<std::size_t>(rows(i));
      std::copy_n(values.data() + row * width, width, some.data() + i * padded);
      own.push_back(weight(row));
    }
    const Ridge ridge{n, m, {penalty.data(), penalty.data() + n}};
    found = logistic_solution({some.data(), own.data(), own.size(), padded}, ridge, {prior.data(), n * m},
                              {start.data(), n * m}, tolerance);
  });
  return to_array(std::move(found), {n, m});
}

template <class T>
std::vector<T> copied(const View1<T>& from, std::size_t length) {
  must_fit(from.shape(0) == length);
  return to_vector(from);
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
  must_fit(level.shape(0) == n_terms && centre.shape(0) == n_terms);
  std::vector<LeafTerm> terms;
  for (std::size_t t = 0; t < n_terms; ++t) {
    if (feature(t) < 0) throw std::invalid_argument("feature must be the number of a column.");
    terms.push_back({centre(t), feature(t), level(t)});
  }
  return {copied(begin, n_nodes + 1),
          std::move(terms),
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
  nb::class_<LinearSettings>(module, "LinearSettings")
      .def(nb::init<>())
      .def_rw("n_targets", &LinearSettings::n_targets)
      .def_rw("look_ahead", &LinearSettings::look_ahead)
      .def_rw("logistic", &LinearSettings::logistic)
      .def_rw("intercept_only", &LinearSettings::intercept_only)
      .def_rw("row_weight", &LinearSettings::row_weight)
      .def_rw("user_unit", &LinearSettings::user_unit);
  module.def("column_moments", &moments, nb::arg("columns"), nb::arg("weight"), nb::arg("n_threads"));
  module.def("write_design", &design, nb::arg("columns"), nb::arg("feature"), nb::arg("level"), nb::arg("mean"),
             nb::arg("scale"), nb::arg("to"), nb::arg("n_threads"));
  module.def("leaf_sums", &sums, nb::arg("values"), nb::arg("weight"), nb::arg("leaf"), nb::arg("fold"),
             nb::arg("n_targets"), nb::arg("n_leaves"), nb::arg("n_folds"), nb::arg("n_threads"));
  module.def("ridge_solutions", &solutions, nb::arg("grams"), nb::arg("start"), nb::arg("penalty"),
             nb::arg("allowed").none() = nb::none());
  module.def("grow_linear", &grow, nb::arg("columns"), nb::arg("values"), nb::arg("weight"), nb::arg("own"),
             nb::arg("settings"), nb::arg("growth"));
  module.def("corrected_by_neighbors", &corrected_by_neighbors, nb::arg("training"), nb::arg("off"), nb::arg("scale"),
             nb::arg("is_level"), nb::arg("far"), nb::arg("k"), nb::arg("values"), nb::arg("predicted"), nb::arg("low"),
             nb::arg("high"), nb::arg("n_threads"));
  module.def("grow_cubist", &grow_as_cubist, nb::arg("values"), nb::arg("y"), nb::arg("weight"), nb::arg("n_levels"),
             nb::arg("bounds"), nb::arg("n_threads"));
  module.def("grow_m5", &grow_as_m5, nb::arg("values"), nb::arg("y"), nb::arg("min_rows"), nb::arg("flat"),
             nb::arg("n_threads"));
  module.def("logistic_solution", &logistic, nb::arg("values"), nb::arg("weight"), nb::arg("rows"), nb::arg("penalty"),
             nb::arg("prior"), nb::arg("start"), nb::arg("tolerance"));
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
