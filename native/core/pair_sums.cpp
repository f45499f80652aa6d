#include "pair_sums.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "sort.hpp"

namespace treewright {

namespace {

// A block of the matrix stays in the cache while all columns are summed over it.
constexpr std::size_t block_rows = 32, block_others = 512;

// The sum over those of the others that have a lower rank, or this one. Masks and plain loops: compilers make them wide.
std::int64_t sum_below(const std::int64_t* line, const std::int32_t* rank, std::size_t n, std::int32_t limit) {
  std::int64_t sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += line[j] & -static_cast<std::int64_t>(rank[j] < limit);
  return sum;
}
std::int64_t sum_at(const std::int64_t* line, const std::int32_t* rank, std::size_t n, std::int32_t at) {
  std::int64_t sum = 0;
  for (std::size_t j = 0; j < n; ++j) sum += line[j] & -static_cast<std::int64_t>(rank[j] == at);
  return sum;
}

}   // namespace

PairColumn::PairColumn(const Column& column, std::span<const RowIndex> rows) {
  if (column.nominal) {
    number_levels(column, rows);
    return;
  }
  std::vector<Item> scratch;
  read_items(column, rows, sorted, missing);
  sort_items(sorted, scratch);
  rank.assign(rows.size(), missing_rank);
  for (std::size_t i = 0; i < sorted.size(); ++i) rank[sorted[i].row] = static_cast<std::int32_t>(i);
}

void PairColumn::number_levels(const Column& column, std::span<const RowIndex> rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::int32_t code = column.level_codes()[rows[i]];
    if (code < 0) missing.push_back(static_cast<std::uint32_t>(i));
    else codes.push_back(code);
  }
  std::sort(codes.begin(), codes.end());
  codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
  n_levels = codes.size() + !missing.empty();
  for (const RowIndex row : rows) {
    const std::int32_t code = column.level_codes()[row];
    const auto found = code < 0 ? codes.end() : std::lower_bound(codes.begin(), codes.end(), code);
    level.push_back(static_cast<std::int32_t>(found - codes.begin()));
  }
}

template <class T>
double PairSums::greatest(Pool& pool) const {
  std::vector<T> of_row(matrix_.n_rows);
  const T* data = static_cast<const T*>(matrix_.data);
  const std::size_t n_blocks = (matrix_.n_rows + block_rows - 1) / block_rows;
  pool.for_each(n_blocks, [&](std::size_t b) {
    for (std::size_t i = b * block_rows; i < std::min((b + 1) * block_rows, matrix_.n_rows); ++i)
      of_row[i] = *std::max_element(data + i * matrix_.n_rows, data + (i + 1) * matrix_.n_rows);
  });
  return static_cast<double>(*std::max_element(of_row.begin(), of_row.end()));
}

PairSums::PairSums(DissimilarityMatrix matrix, const Weights& weights, Pool& pool)
    : matrix_(matrix), weight_(matrix.n_rows) {
  for (std::size_t i = 0; i < weight_.size(); ++i) weight_[i] = static_cast<double>(weights[i]) * weights.unit;
  const double most_weight = *std::max_element(weight_.begin(), weight_.end());
  const double most = (matrix.single ? greatest<float>(pool) : greatest<double>(pool)) * most_weight * most_weight;
  if (!std::isfinite(most)) throw std::invalid_argument("weights and dissimilarities must have finite products.");
  int exponent = 0;
  std::frexp(most, &exponent);
  const int bits = std::min(50, 62 - static_cast<int>(std::bit_width(matrix.n_rows)));
  scale_ = most > 0 ? std::ldexp(1.0, std::min(bits - exponent, 900)) : 0;
  unit_ = most > 0 ? 1 / scale_ : 0;
}

// Numbers from 0 to 2^52: added to 2^52, their last bits are the nearest integer.
template <class T>
void PairSums::read(RowIndex row, std::span<const RowIndex> others, std::int64_t* to) const {
  const T* line = static_cast<const T*>(matrix_.data) + std::size_t{row} * matrix_.n_rows;
  const double factor = weight_[row] * scale_;
  for (std::size_t j = 0; j < others.size(); ++j) {
    const double product = static_cast<double>(line[others[j]]) * (factor * weight_[others[j]]);
    to[j] = std::bit_cast<std::int64_t>(product + 0x1p52) - std::bit_cast<std::int64_t>(0x1p52);
  }
}

std::vector<std::int64_t> PairSums::add_up(std::span<const RowIndex> rows, std::span<PairColumn> columns,
                                           Pool& pool) const {
  const std::size_t n = rows.size();
  std::vector<std::int64_t> all(n, 0);
  for (PairColumn& column : columns) {
    column.pairs.assign(column.n_levels * column.n_levels, 0);
    if (column.n_levels > 0) continue;
    column.before.assign(n, 0);
    if (!column.missing.empty()) column.to_missing.assign(n, 0);
  }
  std::mutex mutex;   // of the pairs of levels
  pool.for_each((n + block_rows - 1) / block_rows, [&](std::size_t b) {
    const std::size_t first = b * block_rows, n_own = std::min(block_rows, n - first);
    std::vector<std::int64_t> block(block_rows * block_others);
    std::vector<std::vector<std::int64_t>> by_level(columns.size());
    for (std::size_t f = 0; f < columns.size(); ++f) by_level[f].assign(n_own * columns[f].n_levels, 0);
    for (std::size_t other = 0; other < n; other += block_others) {
      const std::size_t n_others = std::min(block_others, n - other);
      for (std::size_t i = 0; i < n_own; ++i) {
        const auto others = rows.subspan(other, n_others);
        std::int64_t* line = &block[i * block_others];
        if (matrix_.single) read<float>(rows[first + i], others, line);
        else read<double>(rows[first + i], others, line);
        all[first + i] = std::accumulate(line, line + n_others, all[first + i]);
      }
      for (std::size_t f = 0; f < columns.size(); ++f) {
        PairColumn& column = columns[f];
        for (std::size_t i = 0; i < n_own; ++i) {
          const std::int64_t* line = &block[i * block_others];
          if (column.n_levels > 0) {
            std::int64_t* sums = &by_level[f][i * column.n_levels];
            for (std::size_t j = 0; j < n_others; ++j)
              sums[static_cast<std::size_t>(column.level[other + j])] += line[j];
            continue;
          }
          const std::int32_t* ranks = &column.rank[other];
          column.before[first + i] += sum_below(line, ranks, n_others, column.rank[first + i]);
          if (!column.missing.empty())
            column.to_missing[first + i] += sum_at(line, ranks, n_others, PairColumn::missing_rank);
        }
      }
    }
    std::lock_guard lock(mutex);
    for (std::size_t f = 0; f < columns.size(); ++f) {
      const std::size_t k = columns[f].n_levels;
      for (std::size_t i = 0; i < n_own && k > 0; ++i) {
        Wide* pairs = &columns[f].pairs[static_cast<std::size_t>(columns[f].level[first + i]) * k];
        for (std::size_t l = 0; l < k; ++l) pairs[l] += by_level[f][i * k + l];
      }
    }
  });
  return all;
}

}   // namespace treewright
