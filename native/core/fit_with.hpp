// Growing with a criterion that is known to the compiler.
#pragma once
#include "fit.hpp"
#include "grow.hpp"
#include "memory_store.hpp"

namespace treewright {

template <class C>
Grown fit_with(C criterion, const Columns& columns, const Weights& weights, const Growth& growth,
               std::atomic<bool>* cancel) {
  using Table = typename MemoryStore<C>::Table;
  auto table = std::make_shared<Table>(Table{columns, growth, std::move(criterion), {}, {}, 0});
  table->rows.reserve(columns.n_rows);
  for (std::size_t row = 0; row < columns.n_rows; ++row) {
    if (weights[row] > 0) table->rows.push_back(static_cast<RowIndex>(row));
  }
  table->min_weight = static_cast<std::int64_t>(std::ceil(growth.min_weight_leaf / weights.unit));
  const auto n_rows = static_cast<std::int64_t>(table->rows.size());
  const bool small = n_rows * static_cast<std::int64_t>(columns.size()) < growth.share_above;
  Pool pool(small ? 1 : growth.n_threads, cancel);
  const bool sparse = std::any_of(columns.columns.begin(), columns.columns.end(), [](const Column& c) { return c.sparse; });
  if (C::additive && !sparse && !growth.random_splits && n_rows > growth.sort_below) {
    table->binned = bin_columns(columns, growth.max_bins, pool);
  }
  MemoryStore<C> store(table, pool);
  Grown grown;
  grown.n_outputs = table->criterion.n_outputs();
  grown.values_per_output = table->criterion.values_per_output();
  grown.tree = grow(store, growth);
  return grown;
}

using FitClasses = Grown (*)(const Columns&, const Target&, const Weights&, const Growth&, std::atomic<bool>*);

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

}  // namespace treewright
