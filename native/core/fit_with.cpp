#include "fit_with.hpp"

#include "fractional_store.hpp"
#include "grow.hpp"
#include "memory_store.hpp"
#include "permutation/permutation_store.hpp"
#include "rows/block.hpp"
#include "rows/counting_store.hpp"
#include "search/oblique.hpp"
#include "single/single_store.hpp"

namespace treewright {

namespace {

void check_in_parts(const AnyCriterion& criterion, const Columns& columns, const Growth& growth) {
  if (!criterion.additive())
    throw std::invalid_argument("criterion '" + growth.criterion + "' needs all rows in memory.");
  const bool draws_columns =
      growth.max_features >= 0 && growth.max_features < static_cast<std::int64_t>(columns.size());
  if (growth.splitter != Splitter::best || draws_columns || growth.leaves_missing_out() || growth.needs_order() ||
      growth.thresholds == Thresholds::recorded || growth.classic.plain_sums || growth.oblique > 1 ||
      growth.classic.comparison != Comparison::exact) {
    throw std::invalid_argument(
        "splitter, max_features, oblique tests, surrogates, shares of rows and the rules of the classics need all rows "
        "in "
        "memory.");
  }
  const bool nominal =
      std::any_of(columns.columns.begin(), columns.columns.end(), [](const Column& c) { return c.nominal; });
  const bool binary =
      growth.missing != Missing::branch && (!nominal || growth.nominal_splits == NominalSplits::subset ||
                                            growth.nominal_splits == NominalSplits::one_vs_rest);
  if (growth.max_leaf_nodes >= 0 && !binary)
    throw std::invalid_argument("a limit on leaves with tests of more than two branches needs all rows in memory.");
}

// The table cut into blocks, as if each came from elsewhere.
GrownTree grow_in_pages(const AnyCriterion& criterion, const Columns& columns, const std::vector<RowIndex>& rows,
                        std::int64_t min_weight, const Growth& growth, Pool& pool, std::int64_t& n_passes) {
  check_in_parts(criterion, columns, growth);
  TableShape shape{columns, {}};
  std::vector<Coder> coders;
  for (const Column& column : columns.columns) {
    if (column.sparse) throw std::invalid_argument("a table in parts must have dense columns.");
    coders.push_back(column.nominal ? Coder({}, growth.max_bins) : coder_of(column, columns.n_rows, growth.max_bins));
    shape.bins.emplace_back().n_bins = column.nominal ? column.n_levels : coders.back().n_bins();
  }
  std::vector<std::uint8_t> counts(columns.n_rows, 0);
  for (const RowIndex row : rows) counts[row] = 1;
  std::vector<Block> blocks;
  std::vector<RowsByNode> rows_of_blocks;
  const auto n_pages = static_cast<std::size_t>(growth.n_pages);
  for (std::size_t page = 0; page < n_pages; ++page) {
    const std::size_t begin = columns.n_rows * page / n_pages, end = columns.n_rows * (page + 1) / n_pages;
    if (begin == end) continue;
    Columns some = columns.slice(begin, end - begin);
    std::vector<RowIndex> here(end - begin);
    std::iota(here.begin(), here.end(), static_cast<RowIndex>(begin));
    BinnedColumns binned = code_block(some, coders);
    std::vector<std::int64_t> ranges = bin_ranges_of(some, binned);
    blocks.emplace_back(std::move(some), std::move(binned), std::move(ranges),
                        [own = std::shared_ptr<const AnyCriterion>(criterion.gather(here))] { return own; });
    rows_of_blocks.emplace_back(end - begin, [&](std::size_t row) { return counts[begin + row] != 0; });
  }
  std::vector<const Block*> all;
  for (const Block& block : blocks) all.push_back(&block);
  BlocksInMemory parts(std::move(all), std::move(rows_of_blocks), pool);
  CountingStore store(parts, criterion, std::move(shape), min_weight, growth, growth.parts, pool);
  GrownTree tree = grow(store, growth);
  n_passes = store.n_passes;
  return tree;
}

// Whether several trees shall share the order of rows in every column. Where bounds spare most columns the search, keys are
// wanted, not lists; and the order of a large table is more than the cache holds.
bool shares_order(const AnyCriterion& criterion, const Columns& columns, const BinnedColumns& binned,
                  const Growth& growth) {
  constexpr std::size_t most_cells = 4'000'000;
  const auto is_plain = [](const Column& c) { return !c.nominal && !c.sparse; };
  const auto has_missing = [](const BinnedColumn& c) { return c.has_missing; };
  return !criterion.bounds_columns() && growth.ordinary_branches(columns.size()) && growth.max_leaf_nodes < 0 &&
         columns.n_rows * columns.size() <= most_cells &&
         std::all_of(columns.columns.begin(), columns.columns.end(), is_plain) &&
         std::none_of(binned.begin(), binned.end(), has_missing);
}

// The rows of one tree, without those that weigh nothing.
std::vector<RowIndex> rows_to_grow_on(const Trains& trains, std::size_t tree, const Columns& columns,
                                      const Weights& weights) {
  std::vector<RowIndex> rows;
  if (trains.all_rows && tree == 0 && weights.equal()) {
    rows.resize(columns.n_rows);
    std::iota(rows.begin(), rows.end(), RowIndex{0});
    return rows;
  }
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

Grown fit_in_parts(Rows& rows, const AnyCriterion& criterion, TableShape shape, const Weights& weights,
                   const Growth& growth, std::atomic<bool>* cancel) {
  check_in_parts(criterion, shape.columns, growth);
  const auto min_weight = static_cast<std::int64_t>(std::ceil(growth.min_weight_leaf / weights.unit));
  Pool pool(growth.n_threads, cancel);
  CountingStore store(rows, criterion, std::move(shape), min_weight, growth, growth.parts, pool);
  Grown grown;
  grown.n_outputs = criterion.n_outputs();
  grown.values_per_output = criterion.values_per_output();
  grown.tree = grow(store, growth);
  grown.n_passes = store.n_passes;
  return grown;
}

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
  const bool own_store = fractional || growth.by_permutation();   // which needs neither bins nor sorted columns
  const bool small = n_rows * static_cast<std::int64_t>(columns.size()) < growth.share_above;
  Pool pool(small ? 1 : growth.n_threads, cancel);
  const bool sparse =
      std::any_of(columns.columns.begin(), columns.columns.end(), [](const Column& c) { return c.sparse; });
  BinnedColumns binned;
  NodeKeys keys;
  if (growth.n_pages == 0 && trains.size() == 1 && is_one_branch(criterion, columns, growth)) {
    std::vector<RowIndex> all(columns.n_rows);
    std::iota(all.begin(), all.end(), RowIndex{0});
    const std::pair<std::size_t, std::size_t> whole{0, all.size()};
    auto gathered = std::make_shared<const GatheredKeys>(columns, all, std::span(&whole, 1), pool);
    if (!gathered->has_missing()) keys.all = std::move(gathered);
  }
  if (criterion.additive() && !keys && !sparse && growth.n_pages == 0 && !own_store && !growth.needs_order() &&
      growth.splitter == Splitter::best && counts_in_bins(criterion, columns, n_rows, growth)) {
    binned = bin_columns(columns, growth.max_bins, pool);
  }
  std::vector<Grown> grown(trains.size());
  Presorted presorted, in_order;
  if (grown.size() > 1 && binned.empty() && !sparse && growth.n_pages == 0 && !own_store && !growth.needs_order() &&
      growth.splitter == Splitter::best) {
    presorted = presort(columns, pool);
  }
  if (grown.size() > 1 && !binned.empty() && shares_order(criterion, columns, binned, growth))
    in_order = presort(columns, pool);
  const std::vector<std::uint64_t> hashes =
      growth.oblique > 1 ? row_hashes(columns, criterion) : std::vector<std::uint64_t>{};
  const auto grow_one = [&](std::size_t i, Pool& workers) {
    std::vector<RowIndex> rows = rows_to_grow_on(trains, i, columns, weights);
    grown[i].n_outputs = criterion.n_outputs();
    grown[i].values_per_output = criterion.values_per_output();
    if (growth.n_pages > 0) {
      grown[i].tree = grow_in_pages(criterion, columns, rows, min_weight, growth, workers, grown[i].n_passes);
    } else if (growth.classic.comparison == Comparison::c45) {
      Growth limits = growth;   // the store knows the least weight, which may change
      limits.min_weight_leaf = 0;
      SingleStore store(criterion, columns, limits, std::move(rows), growth.min_weight_leaf + weights.off, workers);
      grown[i].tree = grow(store, limits);
    } else if (fractional) {
      FractionalStore store(criterion, columns, growth, std::move(rows), min_weight, workers);
      grown[i].tree = grow(store, growth);
    } else if (growth.by_permutation()) {
      PermutationStore store(criterion, columns, growth, std::move(rows), workers);
      grown[i].tree = grow(store, growth);
    } else {
      using Table = MemoryStore::Table;
      auto table =
          std::make_shared<Table>(Table{columns, growth, criterion, binned, presorted, std::move(rows), min_weight});
      if (growth.oblique > 1) table->hashes = hashes;
      if (growth.missing == Missing::surrogate) table->sides.resize(columns.n_rows), table->own_weight = weights.own;
      table->keys = keys;
      table->in_order = in_order;
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
