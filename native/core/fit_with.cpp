#include "fit_with.hpp"

#include "fractional_store.hpp"
#include "grow.hpp"
#include "memory_store.hpp"
#include "paged_store.hpp"

namespace treewright {

namespace {

GrownTree grow_in_pages(const AnyCriterion& criterion, const Columns& columns, std::vector<RowIndex> rows,
                        std::int64_t min_weight, const Growth& growth, Pool& pool, std::int64_t& n_passes) {
  if (!criterion.additive())
    throw std::invalid_argument("criterion '" + growth.criterion + "' needs all rows in memory.");
  const bool draws_columns =
      growth.max_features >= 0 && growth.max_features < static_cast<std::int64_t>(columns.size());
  if (growth.splitter != Splitter::best || draws_columns || growth.leaves_missing_out() || growth.needs_order() ||
      growth.thresholds == Thresholds::recorded || growth.plain_sums) {
    throw std::invalid_argument(
        "splitter, max_features, surrogates, shares of rows and the rules of the classics need all rows in memory.");
  }
  PagedStore store(criterion, columns, std::move(rows), min_weight, growth, pool);
  GrownTree tree = grow(store, growth);
  n_passes = store.n_passes;
  return tree;
}

// The rows of one tree, without those that weigh nothing.
std::vector<RowIndex> rows_to_grow_on(const Trains& trains, std::size_t tree, const Columns& columns,
                                      const Weights& weights) {
  std::vector<RowIndex> rows;
  const auto add = [&](std::size_t row) {
    if (weights[row] > 0) rows.push_back(static_cast<RowIndex>(row));
  };
  if (trains.all_rows && tree == 0) {
    rows.reserve(columns.n_rows);
    for (std::size_t row = 0; row < columns.n_rows; ++row) add(row);
  } else {
    const auto& list = trains.lists[tree - trains.all_rows];
    rows.reserve(list.size());
    for (const std::int64_t row : list) add(static_cast<std::size_t>(row));
  }
  return rows;
}

}   // namespace

std::vector<Grown> fit_with(const AnyCriterion& criterion, const Columns& columns, const Weights& weights,
                            const Growth& growth, const Trains& trains, std::atomic<bool>* cancel) {
  const auto weighs = [&](std::int64_t row) { return weights[static_cast<std::size_t>(row)] > 0; };
  for (const auto& list : trains.lists) {
    if (std::none_of(list.begin(), list.end(), weighs))
      throw std::invalid_argument("every fold needs rows to train on.");
  }
  std::int64_t n_rows = 0;
  for (std::size_t row = 0; row < columns.n_rows; ++row) n_rows += weights[row] > 0;
  const double rounding = growth.missing == Missing::fractional ? 1e-6 : 0;   // of weights that are shares
  const auto min_weight = static_cast<std::int64_t>(std::ceil((growth.min_weight_leaf - rounding) / weights.unit));
  const bool fractional = growth.missing == Missing::fractional && has_missing(columns);
  const bool small = n_rows * static_cast<std::int64_t>(columns.size()) < growth.share_above;
  Pool pool(small ? 1 : growth.n_threads, cancel);
  const bool sparse =
      std::any_of(columns.columns.begin(), columns.columns.end(), [](const Column& c) { return c.sparse; });
  BinnedColumns binned;
  if (criterion.additive() && !sparse && growth.n_pages == 0 && !fractional && !growth.needs_order() &&
      growth.splitter == Splitter::best && !growth.sorts_table(n_rows, criterion.width())) {
    binned = bin_columns(columns, growth.max_bins, pool);
  }
  std::vector<Grown> grown(trains.size());
  Presorted presorted;
  if (grown.size() > 1 && binned.empty() && !sparse && growth.n_pages == 0 && !fractional && !growth.needs_order() &&
      growth.splitter == Splitter::best) {
    presorted = presort(columns, pool);
  }
  const auto grow_one = [&](std::size_t i, Pool& workers) {
    std::vector<RowIndex> rows = rows_to_grow_on(trains, i, columns, weights);
    grown[i].n_outputs = criterion.n_outputs();
    grown[i].values_per_output = criterion.values_per_output();
    if (growth.n_pages > 0) {
      grown[i].tree =
          grow_in_pages(criterion, columns, std::move(rows), min_weight, growth, workers, grown[i].n_passes);
    } else if (fractional) {
      FractionalStore store(criterion, columns, growth, std::move(rows), min_weight, workers);
      grown[i].tree = grow(store, growth);
    } else {
      using Table = MemoryStore::Table;
      auto table = std::make_shared<Table>(
          Table{columns, growth, criterion, binned, presorted, std::move(rows), min_weight, {}, {}});
      if (growth.missing == Missing::surrogate) table->sides.resize(columns.n_rows), table->own_weight = weights.own;
      MemoryStore store(table, workers);
      grown[i].tree = grow(store, growth);
    }
  };
  if (grown.size() == 1) grow_one(0, pool);
  else {
    pool.for_each(grown.size(), [&](std::size_t i) {
      Pool alone(1, cancel);
      grow_one(i, alone);
    });
  }
  return grown;
}

}   // namespace treewright
