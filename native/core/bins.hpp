// BinnedColumns: every dense column coded into at most 255 ordered bins and one for missing values. Bins are an index
// that search looks into, never an approximation, so the edges may come from a sample and need only be monotone.
#pragma once
#include <array>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "large_pages.hpp"
#include "parallel.hpp"

namespace treewright {

using Code = std::uint8_t;
inline constexpr int most_bins = 255;

class Coder {   // value -> bin, monotone
 public:
  Coder(std::vector<double> sample, int max_bins);   // sample: the present values of some rows, in any order

  int n_bins() const { return n_bins_; }
  bool by_cells() const { return !cells_.empty(); }
  Code operator()(double x) const { return by_cells() ? cell_code(x) : edge_code(x); }   // precondition: not NaN

  Code cell_code(double x) const {
    double t = (x - low_) * scale_;
    t = t > 0 ? t : 0;   // also where 0 * inf gave NaN: everything is then one bin
    t = t < last_cell_ ? t : last_cell_;
    return cells_[static_cast<std::size_t>(static_cast<int>(t))];
  }
  Code edge_code(double x) const {   // the number of edges below x, without a branch
    std::size_t base = 0, length = edges_.size();
    while (length > 0) {
      const std::size_t half = (length + 1) / 2;
      base += edges_[base + half - 1] < x ? half : 0;
      length -= half;
    }
    return static_cast<Code>(base);
  }

 private:
  bool code_by_cells(const std::vector<double>& sample, int max_bins);
  void code_by_quantiles(std::vector<double>& sample, int max_bins);

  int n_bins_ = 1;
  double low_ = 0, scale_ = 0, last_cell_ = 0;
  std::vector<Code> cells_;     // equal slices of the range, each mapped to a bin: two operations per value
  std::vector<double> edges_;   // where slices are too coarse: the greatest value of every bin but the last
};

// The codes of a column: its own, or those of somebody who keeps them alive.
class Codes {
 public:
  Codes() = default;
  explicit Codes(std::span<const Code> view) : view_(view) {}
  Codes(Codes&&) = default;
  Codes& operator=(Codes&&) = default;
  Codes(const Codes& other) { *this = other; }
  Codes& operator=(const Codes& other) {
    own_ = other.own_;
    view_ = own_.empty() ? other.view_ : std::span<const Code>(own_);
    return *this;
  }

  void resize(std::size_t n) {
    own_.resize(n);
    view_ = own_;
  }
  Code* data() { return own_.data(); }   // to be written
  const Code* data() const { return view_.data(); }
  Code operator[](std::size_t row) const { return view_[row]; }
  bool empty() const { return view_.empty(); }

 private:
  std::vector<Code> own_;
  std::span<const Code> view_;
};

struct BinnedColumn {
  Codes codes;                        // one per row; missing is code n_bins
  std::vector<std::uint8_t> single;   // bins that hold one distinct value: nothing to refine
  int n_bins = 0;
  bool has_missing = false;
  const std::int32_t* levels = nullptr;   // a nominal column: its codes are its bins, and nothing is copied
  bool counted = true;                    // false: so many levels that sorting a node's codes is cheaper
};

struct BinnedColumns : std::vector<BinnedColumn> {
  using std::vector<BinnedColumn>::vector;
  // Of a large table the codes once more, row by row: the rows of a small node lie far apart, and one read brings all columns.
  LargeArray<Code> by_row{};   // [row][column], or nothing
  std::size_t n_rows = 0;
};

// The coder of a column, from a sample of its rows.
Coder coder_of(const Column& column, std::size_t n_rows, int max_bins);

// Codes every row of a column; no bin is known to hold one value only.
BinnedColumn code_column(const Column& column, std::size_t n_rows, const Coder& coder);

// A nominal column is its own code.
BinnedColumn bins_of_levels(const Column& column, std::size_t most_levels);

// Writes the rows whose bin is wanted, each to its bin's next place in `items`.
void read_bins(const Column& column, const BinnedColumn& binned, std::span<const RowIndex> rows,
               const std::array<std::uint8_t, 256>& wanted, std::array<std::uint32_t, 256> next, Item* items);

// The greatest key of bin `left` and the least of bin `right`, over these rows.
std::pair<Key, Key> neighbours(const Column& column, const BinnedColumn& binned, std::span<const RowIndex> rows,
                               int left, int right);

BinnedColumns bin_columns(const Columns& columns, int max_bins, Pool& pool);

}   // namespace treewright
