// Growing with a criterion that is known to the compiler.
#pragma once
#include "criteria/absolute_error.hpp"
#include "fit.hpp"
#include "fractional_store.hpp"
#include "grow.hpp"
#include "memory_store.hpp"
#include "paged_store.hpp"

namespace treewright {

template <class Table>
Grown fit_in_pages(Table& table, const Growth& growth, Pool& pool) {
  using C = decltype(table.criterion);
  Grown grown;
  grown.n_outputs = table.criterion.n_outputs();
  grown.values_per_output = table.criterion.values_per_output();
  if constexpr (C::additive) {
    if (growth.splitter != Splitter::best || growth.max_features >= 0 || growth.leaves_missing_out()) {
      throw std::invalid_argument("splitter, max_features, surrogates and shares of rows need all rows in memory.");
    }
    PagedStore<C> store(std::move(table.criterion), table.columns, std::move(table.rows), table.min_weight, growth,
                        pool);
    grown.tree = grow(store, growth);
    grown.n_passes = store.n_passes;
    return grown;
  }
  throw std::invalid_argument("criterion '" + growth.criterion + "' needs all rows in memory.");
}

template <class C>
Grown fit_with(C criterion, const Columns& columns, const Weights& weights, const Growth& growth,
               std::atomic<bool>* cancel) {
  static_assert(Criterion<C> || !C::additive);
  using Table = typename MemoryStore<C>::Table;
  auto table = std::make_shared<Table>(Table{columns, growth, std::move(criterion), {}, {}, 0, {}});
  table->rows.reserve(columns.n_rows);
  for (std::size_t row = 0; row < columns.n_rows; ++row) {
    if (weights[row] > 0) table->rows.push_back(static_cast<RowIndex>(row));
  }
  table->min_weight = static_cast<std::int64_t>(std::ceil(growth.min_weight_leaf / weights.unit));
  const auto n_rows = static_cast<std::int64_t>(table->rows.size());
  const bool small = n_rows * static_cast<std::int64_t>(columns.size()) < growth.share_above;
  Pool pool(small ? 1 : growth.n_threads, cancel);
  if (growth.n_pages > 0) return fit_in_pages(*table, growth, pool);
  Grown grown;
  grown.n_outputs = table->criterion.n_outputs();
  grown.values_per_output = table->criterion.values_per_output();
  if (growth.missing == Missing::fractional) {
    FractionalStore<C> store(table->criterion, columns, growth, std::move(table->rows), table->min_weight, pool);
    grown.tree = grow(store, growth);
    return grown;
  }
  const bool sparse =
      std::any_of(columns.columns.begin(), columns.columns.end(), [](const Column& c) { return c.sparse; });
  if (C::additive && !sparse && growth.splitter == Splitter::best && n_rows > growth.sort_below) {
    table->binned = bin_columns(columns, growth.max_bins, pool);
  }
  if (growth.missing == Missing::surrogate) table->sides.resize(columns.n_rows);
  MemoryStore<C> store(table, pool);
  grown.tree = grow(store, growth);
  return grown;
}

template <class Impurity>
Grown fit_classes(const Columns& columns, const Target& target, const Weights& weights, const Growth& growth,
                  std::atomic<bool>* cancel) {
  if (target.n_outputs == 1 && target.n_classes[0] == 2 && weights.equal()) {
    return fit_with(Classes<Impurity, 2>(class_rows(target, weights)), columns, weights, growth, cancel);
  }
  return fit_with(Classes<Impurity, 0>(class_rows(target, weights)), columns, weights, growth, cancel);
}

template <class Loss>
Grown fit_numbers(const Columns& columns, const Target& target, const Weights& weights, const Growth& growth,
                  std::atomic<bool>* cancel) {
  NumberRows rows = number_rows(target, weights, Loss::centred, Loss::second);
  if (target.n_outputs == 1 && weights.equal()) {
    return fit_with(Numbers<Loss, 1>(std::move(rows)), columns, weights, growth, cancel);
  }
  return fit_with(Numbers<Loss, 0>(std::move(rows)), columns, weights, growth, cancel);
}

inline Grown fit_medians(const Columns& columns, const Target& target, const Weights& weights, const Growth& growth,
                         std::atomic<bool>* cancel) {
  const auto nothing = [](double, double, double) { return 0.0; };
  return fit_with(AbsoluteError(number_rows(target, weights, true, nothing)), columns, weights, growth, cancel);
}

}   // namespace treewright
