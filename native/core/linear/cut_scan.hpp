// The cuts of one column of a node: its rows in few bins, the Gram matrix of each bin, and the loss of every cut from them.
#pragma once
#include <cstdint>
#include <vector>

#include "../bins.hpp"
#include "../split.hpp"
#include "gram.hpp"

namespace treewright {

constexpr std::uint8_t missing_bin = 255;
constexpr std::size_t most_cut_bins = 32;

// The rows of a node on which cuts are compared: columns of the design, then what the node's model leaves of the targets.
struct ModelBlock {
  std::vector<RowIndex> rows;
  std::vector<double> values, weight;
  std::size_t width = 0;   // whole quads
  double total = 0;        // of the weights

  std::size_t size() const { return rows.size(); }
  const double* row(std::size_t i) const { return values.data() + i * width; }
};

struct Coded {                           // a column in bins
  std::vector<std::uint8_t> bin;         // per row of the block
  std::vector<std::uint8_t> level_bin;   // of a nominal column, per level; missing_bin where no row has it
  std::size_t n_bins = 0;
  bool has_missing = false;

  bool divides() const { return n_bins > 1 || (n_bins == 1 && has_missing); }
  Coded only(const std::vector<std::uint8_t>& side, std::uint8_t which) const;
};

// Bins of about equal weight, equal values alike. `fine`: the bin of each row among `n_fine`, which is that of missing values.
Coded code_numbers(std::vector<std::uint8_t> fine, std::size_t n_fine, const ModelBlock& block);
// Levels in the order of their mean residual, neighbours joined where there are too many.
Coded code_levels(const std::int32_t* codes, std::int32_t n_levels, const ModelBlock& block, std::size_t residual);

struct Sides {   // what both sides of a cut must have
  std::int64_t min_rows = 1;
  double min_weight = 0;
};

struct BinCut {   // the bins up to `bin` go left
  double loss = std::numeric_limits<double>::infinity();
  std::size_t bin = 0;
  bool missing_left = false;
};

// The design of a test: columns of the block, then the tested column itself where it is not among them, then the targets.
struct TestDesign {
  Ridge ridge;
  std::vector<std::uint32_t> columns{};   // of the block; empty: all of them
  const double* own = nullptr;            // per row of the block

  void read(const ModelBlock& block, std::size_t i, double* z) const;
};

class CutScan {
 public:
  CutScan(const ModelBlock& block, const Coded& coded, TestDesign design);   // the first two must outlive it

  BinCut best(const Sides& sides) const;
  double whole() const { return ridge_loss(total_.data(), design_.ridge); }
  // Of the rows of the bins around a cut in the order of `key`: the place after which the loss is least. Returns the
  // greatest key on the left and the least on the right; none where no cut is allowed.
  struct Placed {
    double loss = std::numeric_limits<double>::infinity();
    Key low = 0, high = 0;
    bool all_left = false;   // every known value is left
  };
  Placed place(const BinCut& cut, const Sides& sides, std::span<const Key> keys) const;

 private:
  struct Count {
    std::int64_t rows = 0;
    double weight = 0;
    Count& operator+=(const Count& other) {
      rows += other.rows;
      weight += other.weight;
      return *this;
    }
  };
  std::size_t bin_of(std::size_t i) const { return coded_.bin[i] == missing_bin ? coded_.n_bins : coded_.bin[i]; }
  void add_sorted();
  template <std::size_t Size>
  void add_few_numbers();
  bool allowed(const Count& left, const Sides& sides) const;
  const double* gram(std::size_t bin) const { return grams_.data() + bin * length_; }

  const ModelBlock& block_;
  const Coded& coded_;
  TestDesign design_;
  std::size_t size_, length_;
  std::vector<double> grams_, total_;   // bin n_bins is that of missing values
  std::vector<Count> count_;
  Count all_;
};

}   // namespace treewright
