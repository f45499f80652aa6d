#include "bins.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include "random.hpp"

namespace treewright {

namespace {

constexpr std::size_t sample_size = 10'000;
constexpr int n_cells = 4096;
constexpr std::size_t chunk_rows = 16'384;   // what a thread takes at a time
constexpr std::size_t block_rows = 128;      // of a row-major table: stays in cache while its columns are coded

std::vector<double> sample_of(const Column& column, std::size_t n_rows) {
  std::vector<double> sample;
  const std::size_t n = std::min(n_rows, sample_size), step = n_rows / std::max<std::size_t>(n, 1);
  sample.reserve(n);
  with_reader(column, [&](auto reader) {
    for (std::size_t i = 0; i < n; ++i) {   // one row of each stretch, so that periodic tables do not mislead
      const double x = reader.number(i * step + (step > 1 ? mix(i) % step : 0));
      if (x == x) sample.push_back(x);
    }
  });
  return sample;
}

}   // namespace

Coder::Coder(std::vector<double> sample, int max_bins) {
  if (sample.empty() || max_bins < 2) {
    cells_.assign(1, 0);
    return;
  }
  if (!code_by_cells(sample, max_bins)) code_by_quantiles(sample, max_bins);
}

// Counts the sample in equal slices of its range and joins slices into bins of about equal content. Refuses when one
// slice holds far more than a bin should and more than one value: then quantiles are the better edges.
bool Coder::code_by_cells(const std::vector<double>& sample, int max_bins) {
  double low = INFINITY, high = -INFINITY;
  for (double x : sample) {
    if (std::isfinite(x)) low = std::min(low, x), high = std::max(high, x);
  }
  if (!(high > low) || !std::isfinite(high - low)) return false;
  low_ = low;
  scale_ = n_cells / (high - low);
  if (!std::isfinite(scale_)) return false;
  last_cell_ = n_cells - 1;
  cells_.assign(n_cells, 0);
  std::vector<std::uint32_t> count(n_cells, 0);
  std::vector<double> first(n_cells, 0);
  std::vector<std::uint8_t> mixed(n_cells, 0);
  for (double x : sample) {
    const double t = (x - low_) * scale_;
    const auto cell = static_cast<std::size_t>(t > 0 ? (t < last_cell_ ? t : last_cell_) : 0);
    if (count[cell]++ == 0) first[cell] = x;
    else if (x != first[cell]) mixed[cell] = 1;
  }
  const double per_bin = static_cast<double>(sample.size()) / max_bins;
  int n_filled = 0;
  for (int cell = 0; cell < n_cells; ++cell) {
    n_filled += count[cell] > 0;
    if (mixed[cell] && count[cell] > 2 * per_bin + 4) {
      cells_.clear();
      return false;
    }
  }
  const bool each_its_own = n_filled <= max_bins;   // few distinct slices
  int bin = 0;
  double before = 0;   // sample values in all cells so far
  bool bin_filled = false;
  for (int cell = 0; cell < n_cells; ++cell) {
    const bool full = each_its_own || before + count[cell] / 2.0 > (bin + 1) * per_bin;
    if (count[cell] > 0 && bin_filled && full && bin + 1 < max_bins) {
      ++bin;
      bin_filled = false;
    }
    before += count[cell];
    bin_filled |= count[cell] > 0;
    cells_[static_cast<std::size_t>(cell)] = static_cast<Code>(bin);
  }
  n_bins_ = bin + 1;
  return true;
}

void Coder::code_by_quantiles(std::vector<double>& sample, int max_bins) {
  cells_.clear();
  std::sort(sample.begin(), sample.end());
  std::vector<double> distinct = sample;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (distinct.size() <= static_cast<std::size_t>(max_bins)) {
    edges_.assign(distinct.begin(), distinct.end() - 1);
  } else {
    for (int b = 1; b < max_bins; ++b) {
      const double edge = sample[sample.size() * static_cast<std::size_t>(b) / static_cast<std::size_t>(max_bins)];
      if ((edges_.empty() || edge > edges_.back()) && edge < sample.back()) edges_.push_back(edge);
    }
  }
  n_bins_ = static_cast<int>(edges_.size()) + 1;
}

namespace {

// Bins that hold one value in the sample; coding then confirms it for every row.
struct Singles {
  std::vector<double> value;
  std::vector<std::uint8_t> single;
  bool any = false;

  Singles(const Coder& coder, const std::vector<double>& sample)
      : value(static_cast<std::size_t>(coder.n_bins()), NAN), single(value.size(), 1) {
    for (double x : sample) {
      const Code code = coder(x);
      if (value[code] != value[code]) value[code] = x;
      else if (value[code] != x) single[code] = 0;
      if (std::fabs(x) > 0x1p52) single[code] = 0;   // distinct 64-bit integers may be one double
    }
    for (std::uint8_t s : single) any |= s != 0;
  }
};

struct Findings {                    // what coding learns of a column
  std::vector<std::uint8_t> mixed;   // bins that hold more than their one sampled value
  bool has_missing = false;
};

template <class Reader>
void code_rows(const Reader& reader, const Coder& coder, const Singles* singles, std::size_t begin, std::size_t end,
               Code* codes, Findings& findings) {
  const auto missing = static_cast<Code>(coder.n_bins());
  bool seen_missing = false;
  const auto code_with = [&](const auto& code_of) {
    for (std::size_t i = begin; i < end; ++i) {
      const double x = reader.number(i);
      const bool absent = x != x;
      seen_missing |= absent;
      codes[i] = absent ? missing : code_of(x);
    }
  };
  if (coder.by_cells()) code_with([&](double x) { return coder.cell_code(x); });
  else code_with([&](double x) { return coder.edge_code(x); });
  if (singles != nullptr && singles->any) {
    for (std::size_t i = begin; i < end; ++i) {
      if (codes[i] != missing) findings.mixed[codes[i]] |= reader.number(i) != singles->value[codes[i]];
    }
  }
  findings.has_missing |= seen_missing;
}

}   // namespace

Coder coder_of(const Column& column, std::size_t n_rows, int max_bins) {
  return Coder(sample_of(column, n_rows), max_bins);
}

BinnedColumn code_column(const Column& column, std::size_t n_rows, const Coder& coder) {
  BinnedColumn out;
  out.codes.resize(n_rows);
  out.n_bins = coder.n_bins();
  out.single.assign(static_cast<std::size_t>(out.n_bins), 0);
  Findings findings;
  with_reader(column, [&](auto reader) { code_rows(reader, coder, nullptr, 0, n_rows, out.codes.data(), findings); });
  out.has_missing = findings.has_missing;
  return out;
}

BinnedColumn bins_of_levels(const Column& column, std::size_t most_levels) {
  BinnedColumn out;
  out.levels = column.level_codes();
  out.counted = static_cast<std::size_t>(column.n_levels) <= most_levels;
  out.n_bins = out.counted ? column.n_levels : 0;
  return out;
}

void read_bins(const Column& column, const BinnedColumn& binned, std::span<const RowIndex> rows,
               const std::array<std::uint8_t, 256>& wanted, std::array<std::uint32_t, 256> next, Item* items) {
  const Code* codes = binned.codes.data();
  constexpr std::size_t tile = 4096, ahead = 24;
  std::array<RowIndex, tile + ahead> found;
  with_reader(column, [&](auto reader) {
    for (std::size_t begin = 0; begin < rows.size(); begin += tile) {
      const auto some = rows.subspan(begin, std::min(tile, rows.size() - begin));
      std::size_t n = 0;
      for (const RowIndex row : some) {   // every row is written, the wanted ones stay: no branch to mispredict
        found[n] = row;
        n += wanted[codes[row]];
      }
      for (std::size_t i = 0; i < n; ++i) {
        if (i + ahead < n)
          __builtin_prefetch(column.data + static_cast<std::ptrdiff_t>(found[i + ahead]) * column.stride);
        items[next[codes[found[i]]]++] = {reader.key(found[i]), found[i]};
      }
    }
  });
}

std::pair<Key, Key> neighbours(const Column& column, const BinnedColumn& binned, std::span<const RowIndex> rows,
                               int left, int right) {
  Key low = missing_key, high = std::numeric_limits<Key>::max();
  const Code* codes = binned.codes.data();
  with_reader(column, [&](auto reader) {
    for (const RowIndex row : rows) {
      if (codes[row] == left) low = std::max(low, reader.key(row));
      else if (codes[row] == right) high = std::min(high, reader.key(row));
    }
  });
  return {low, high};
}

BinnedColumns bin_columns(const Columns& columns, int max_bins, Pool& pool) {
  const std::size_t n_columns = columns.size(), n_rows = columns.n_rows;
  BinnedColumns binned(n_columns);
  binned.n_rows = n_rows;
  std::vector<std::unique_ptr<Coder>> coders(n_columns);
  std::vector<std::unique_ptr<Singles>> singles(n_columns);
  std::vector<std::size_t> numeric;
  // Every counted node has a tally per level, however few rows it has. With the upper limit that stays linear in n_rows.
  const std::size_t most_levels = std::clamp<std::size_t>(n_rows / 8, 4096, 65'536);
  for (std::size_t f = 0; f < n_columns; ++f) {
    if (columns[f].nominal) binned[f] = bins_of_levels(columns[f], most_levels);
    else numeric.push_back(f);
  }
  pool.for_each(numeric.size(), [&](std::size_t i) {
    const std::size_t f = numeric[i];
    const auto sample = sample_of(columns[f], n_rows);
    coders[f] = std::make_unique<Coder>(sample, max_bins);
    singles[f] = std::make_unique<Singles>(*coders[f], sample);
    binned[f].codes.resize(n_rows);
    binned[f].n_bins = coders[f]->n_bins();
  });
  constexpr std::size_t large = 2'000'000;   // cells: beyond, codes do not stay in cache
  if (n_rows * n_columns >= large && numeric.size() > 1) binned.by_row = large_array<Code>(n_rows * n_columns);
  // Threads take stretches of rows, so that a row-major table is read once.
  std::mutex mutex;
  pool.for_each((n_rows + chunk_rows - 1) / chunk_rows, [&](std::size_t chunk) {
    std::vector<Findings> findings(n_columns);
    for (const std::size_t f : numeric) findings[f].mixed.resize(singles[f]->value.size());
    const std::size_t last = std::min((chunk + 1) * chunk_rows, n_rows);
    for (std::size_t begin = chunk * chunk_rows; begin < last; begin += block_rows) {
      const std::size_t end = std::min(begin + block_rows, last);
      for (const std::size_t f : numeric) {
        with_reader(columns[f], [&](auto reader) {
          code_rows(reader, *coders[f], singles[f].get(), begin, end, binned[f].codes.data(), findings[f]);
        });
        if (!binned.by_row) continue;
        const Code* codes = binned[f].codes.data();
        Code* to = binned.by_row.get() + f;
        for (std::size_t row = begin; row < end; ++row) to[row * n_columns] = codes[row];
      }
    }
    std::lock_guard lock(mutex);
    for (const std::size_t f : numeric) {
      binned[f].has_missing |= findings[f].has_missing;
      for (std::size_t b = 0; b < findings[f].mixed.size(); ++b) singles[f]->single[b] &= !findings[f].mixed[b];
    }
  });
  for (const std::size_t f : numeric) binned[f].single = std::move(singles[f]->single);
  return binned;
}

}   // namespace treewright
