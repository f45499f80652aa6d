#include "design.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "../random.hpp"
#include "gram.hpp"
#include "linear_predict.hpp"

namespace treewright {

namespace {

constexpr std::size_t chunk_rows = 16'384, block_rows = 128;   // a block of a row-major table stays in cache

// Calls work(chunk, column, first row, numbers) for every block of every column.
template <class Work>
void for_blocks(const Columns& columns, Pool& pool, const Work& work) {
  const std::size_t n_chunks = (columns.n_rows + chunk_rows - 1) / chunk_rows;
  pool.for_each(n_chunks, [&](std::size_t chunk) {
    std::array<double, block_rows> numbers;
    const std::size_t last = std::min((chunk + 1) * chunk_rows, columns.n_rows);
    for (std::size_t begin = chunk * chunk_rows; begin < last; begin += block_rows) {
      const std::size_t n = std::min(block_rows, last - begin);
      for (std::size_t f = 0; f < columns.size(); ++f) {
        read_numbers(columns[f], begin, n, numbers.data());
        work(chunk, f, begin, std::span<const double>(numbers.data(), n));
      }
    }
  });
}

}   // namespace

namespace {

// What other rows add; `scale` is a sum of squares around the mean (Chan, Golub and LeVeque, 1983).
void add_moments(ColumnMoments& to, const ColumnMoments& from) {
  to.missing += from.missing;
  to.infinite |= from.infinite;
  if (!(from.known > 0)) return;
  const double known = to.known + from.known, share = from.known / known;
  const double off = to.known > 0 ? from.mean - to.mean : 0.0;   // the square of a mean may be beyond floats
  to.scale += from.scale + off * off * to.known * share;
  to.mean = to.known > 0 ? to.mean + off * share : from.mean;
  to.known = known;
}

// Around `near`, a number of their size. Rows of weight 0 have no part.
ColumnMoments moments_of(std::span<const double> x, const double* w, double near) {
  ColumnMoments found;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool known = x[i] == x[i];
    found.known += known ? w[i] : 0.0;
    found.missing += known ? 0.0 : w[i];
    sum += known && w[i] > 0 ? w[i] * (x[i] - near) : 0.0;
    found.infinite |= std::isinf(x[i]);
  }
  if (!(found.known > 0)) return found;
  found.mean = near + sum / found.known;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double off = x[i] - found.mean;
    found.scale += off == off && w[i] > 0 ? w[i] * off * off : 0.0;
  }
  return found;
}

}   // namespace

std::vector<ColumnMoments> column_moments(const Columns& columns, const double* weight,
                                          std::vector<std::uint64_t>& hashes, Pool& pool) {
  const std::size_t n_columns = columns.size(), n_chunks = (columns.n_rows + chunk_rows - 1) / chunk_rows;
  hashes.assign(columns.n_rows, 0);
  std::vector<ColumnMoments> parts(n_chunks * n_columns), found(n_columns);
  for_blocks(columns, pool, [&](std::size_t chunk, std::size_t f, std::size_t begin, std::span<const double> x) {
    ColumnMoments& to = parts[chunk * n_columns + f];
    const double* w = weight + begin;
    std::size_t first = 0;
    while (first < x.size() && !(w[first] > 0 && std::isfinite(x[first]))) ++first;
    add_moments(to, moments_of(x, w, to.known > 0 ? to.mean : first < x.size() ? x[first] : 0.0));
    std::uint64_t* hash = hashes.data() + begin;
    for (std::size_t i = 0; i < x.size(); ++i)
      hash[i] = mix(hash[i] ^ (x[i] == x[i] ? std::bit_cast<std::uint64_t>(x[i] + 0.0) : 1));
  });
  for (std::size_t f = 0; f < n_columns; ++f) {   // in the order of the chunks, whatever thread had them
    for (std::size_t chunk = 0; chunk < n_chunks; ++chunk) add_moments(found[f], parts[chunk * n_columns + f]);
    if (found[f].known > 0) found[f].scale = std::sqrt(found[f].scale / found[f].known);
  }
  return found;
}

void write_design(const Columns& columns, std::span<const DesignTerm> terms, double* to, std::size_t width,
                  Pool& pool) {
  std::vector<std::vector<std::size_t>> of_column(columns.size());
  for (std::size_t t = 0; t < terms.size(); ++t) of_column[static_cast<std::size_t>(terms[t].feature)].push_back(t);
  for_blocks(columns, pool, [&](std::size_t, std::size_t f, std::size_t begin, std::span<const double> x) {
    for (std::size_t i = 0; f == 0 && i < x.size(); ++i) to[(begin + i) * width] = 1;
    for (const std::size_t t : of_column[f]) {
      const DesignTerm& term = terms[t];
      double* at = to + begin * width + t + 1;
      for (std::size_t i = 0; i < x.size(); ++i, at += width) {
        const bool missing = x[i] != x[i];
        if (term.level == number_term) *at = missing ? 0.0 : (x[i] - term.mean) / term.scale;
        else {
          const bool holds = term.level == missing_term ? missing : x[i] == static_cast<double>(term.level);
          *at = ((holds ? 1.0 : 0.0) - term.mean) / term.scale;
        }
      }
    }
  });
}

LeafSums leaf_sums(const LeafRows& rows, Pool& pool) {
  const std::size_t width = rows.width, m = rows.n_targets, length = gram_length(width), n_folds = rows.n_folds;
  const auto group = [&](std::size_t i) { return static_cast<std::size_t>(rows.leaf[i]) * n_folds + rows.fold[i]; };
  std::vector<std::uint32_t> begin(rows.n_leaves * n_folds + 1, 0), order(rows.n_rows);
  for (std::size_t i = 0; i < rows.n_rows; ++i) ++begin[group(i) + 1];
  for (std::size_t k = 1; k < begin.size(); ++k) begin[k] += begin[k - 1];
  std::vector<std::uint32_t> next(begin);
  for (std::size_t i = 0; i < rows.n_rows; ++i) order[next[group(i)]++] = static_cast<std::uint32_t>(i);
  LeafSums out;
  out.grams.assign(rows.n_leaves * n_folds * width * width, 0.0);
  out.least.assign(rows.n_leaves * m, HUGE_VAL);
  out.most.assign(rows.n_leaves * m, -HUGE_VAL);
  pool.for_each(rows.n_leaves, [&](std::size_t leaf) {
    std::vector<double> sums(length);
    GramRows adding(width);
    double *least = out.least.data() + leaf * m, *most = out.most.data() + leaf * m;
    for (std::size_t fold = 0; fold < n_folds; ++fold) {
      const std::size_t own = leaf * n_folds + fold;
      std::fill(sums.begin(), sums.end(), 0.0);
      for (std::size_t k = begin[own]; k < begin[own + 1]; ++k) {
        const std::size_t i = order[k];
        if (!(rows.weight[i] > 0)) continue;
        const double* row = rows.values + i * width;
        std::copy_n(row, width, adding.next(sums.data(), rows.weight[i]));
        for (std::size_t t = 0; t < m; ++t) {
          least[t] = std::min(least[t], row[width - m + t]);
          most[t] = std::max(most[t], row[width - m + t]);
        }
      }
      adding.finish();
      double* to = out.grams.data() + own * width * width;
      for (std::size_t i = 0; i < width; ++i)
        for (std::size_t j = 0; j <= i; ++j) to[i * width + j] = to[j * width + i] = sums[row_begin(i) + j];
    }
  });
  return out;
}

}   // namespace treewright
