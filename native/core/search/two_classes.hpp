// The cuts of a sorted column where rows are of two classes and weigh the same, each with a number that its gain does not exceed,
// and comes near: few gains must then be computed.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace treewright {

using TwoCounts = std::array<std::int64_t, 2>;

// What a cut gains at most. Sums and products of counts are exact below 2^26 rows; all else is rounded less than `more`.
struct BoundOfTwo {
  static constexpr double more = 1 + 0x1p-40;
  double all, t;   // the rows, and those of the second class
  explicit BoundOfTwo(TwoCounts total)
      : all(static_cast<double>(total[0] + total[1])), t(static_cast<double>(total[1])) {}
  double square(double n_left, double l) const { return (l * all - n_left * t) * (l * all - n_left * t); }
};

struct GiniOfTwo : BoundOfTwo {   // the gain itself
  double unit = 2 * more / all;
  using BoundOfTwo::BoundOfTwo;
  double operator()(double n_left, double l) const { return square(n_left, l) * unit / (n_left * (all - n_left)); }
};

struct AgreementOfTwo : BoundOfTwo {   // how many rows more go with the majority of their side; the gain itself
  using BoundOfTwo::BoundOfTwo;
  double operator()(double n_left, double l) const {
    const double k = n_left - l;
    return std::min(all - t, t) - std::min(k, l) - std::min(all - t - k, t - l);
  }
};

// In bits. With q the share of a class in the node and p its share on one side, a cut gains sum n_side KL(p, q). As a function of
// p, KL is 0 with slope 0 at q, and its second derivative 1 / (p (1 - p)) is convex, so it lies below its chord:
//   KL <= (p - q)^2 (1 / (3 q (1 - q)) + 1 / (6 p (1 - p))).
// Nor is KL above chi squared, (p - q)^2 / (q (1 - q)), which is finite where a side is pure.
struct EntropyOfTwo : BoundOfTwo {
  static constexpr double bits = 0x1.71547652b82fep0 * more;   // 1 / ln 2
  double near = bits * all / (3 * t * (all - t)), far = bits / (6 * all * all);
  using BoundOfTwo::BoundOfTwo;
  double operator()(double n_left, double l) const {
    const double n_right = all - n_left, r = t - l, squared = square(n_left, l);
    const double mixed_left = l * (n_left - l), mixed_right = r * (n_right - r);
    const double chord = squared * near / (n_left * n_right);
    const double sum =
        chord + squared * far * (n_left * mixed_right + n_right * mixed_left) / (mixed_left * mixed_right);
    return sum < 3 * chord ? sum : 3 * chord;   // the sum is no number where a side is pure
  }
};

// in_second(i): 1 for a row of the second class, else 0; may_cut(i): whether the values of rows i and i + 1 differ.
//
// Rows are counted in blocks. A gain is convex in the counts on the left, so inside a block it is greatest at a corner of what
// may lie left of a cut: nothing of the block, all rows of one class, all of the other, everything. Few blocks are then read.
template <class Bound, class InSecond, class MayCut>
class TwoClassCuts {
 public:
  // Cuts after rows `first` to `last` - 1. Precondition: there are both classes, and fewer than 2^26 rows; a thread has one
  // such object at a time.
  TwoClassCuts(std::size_t first, std::size_t last, Bound bound, InSecond in_second, MayCut may_cut)
      : first_(first), last_(last), bound_(bound), in_second_(in_second), may_cut_(may_cut) {
    std::int32_t second = 0;
    for (std::size_t i = 0; i < first; ++i) second += static_cast<std::int32_t>(in_second_(i));
    for (std::size_t b = 0; b < n_blocks_; ++b) {
      before_[b] = second;
      std::size_t n_cuts = 0;
      for (std::size_t i = begin_of(b); i < begin_of(b + 1); ++i) {
        second += static_cast<std::int32_t>(in_second_(i));
        n_cuts += may_cut_(i);
      }
      size_ += n_cuts;
      most_[b] = n_cuts > 0 ? 0 : -1;
    }
    before_[n_blocks_] = second;
    bound_blocks();
  }
  std::size_t size() const { return size_; }

  // The cut of the greatest bound in the block of the greatest. Precondition: there is a cut.
  TwoCounts promising() const {
    const Block& block = read(static_cast<std::size_t>(std::max_element(most_, most_ + n_blocks_) - most_));
    return block.left(static_cast<std::size_t>(
        std::max_element(block.highest.begin(), block.highest.begin() + block.size) - block.highest.begin()));
  }
  // Calls use(after, left) for every cut from row `begin` on that may gain `bar`, which may rise meanwhile, lowest first,
  // until it returns false.
  template <class Use>
  void each_above(const double& bar, std::size_t begin, Use&& use) const {
    for (std::size_t b = begin > first_ ? (begin - first_) / block_rows_ : 0; b < n_blocks_; ++b) {
      if (most_[b] < bar) continue;
      const Block& block = read(b);
      for (std::size_t j = 0; j < block.size; ++j) {
        const auto after = static_cast<std::size_t>(block.after[j]);
        if (block.highest[j] >= bar && after >= begin && !use(after, block.left(j))) return;
      }
    }
  }

 private:
  static constexpr std::size_t most_rows = 128;   // of a block

  // In a small node every block would be read.
  static std::size_t rows_per_block(std::size_t n) { return n <= most_rows ? most_rows : n < 4096 ? 16 : 32; }

  struct Block {
    std::array<std::int32_t, most_rows> after,
        second;                              // the row before each cut, and how many so far are of the second class
    std::array<double, most_rows> highest;   // what each gains at most
    std::size_t size;
    TwoCounts left(std::size_t j) const { return {after[j] + 1 - second[j], second[j]}; }
  };
  struct Memory {                       // kept from column to column
    std::vector<std::int32_t> before;   // of every block: the rows of the second class before it,
    std::vector<double> most;           // ... and what a cut in it gains at most; below 0: it has none
    Block block;
  };
  static Memory& memory(std::size_t n_blocks) {
    thread_local Memory kept;
    if (kept.most.size() < n_blocks) kept.most.resize(n_blocks);
    if (kept.before.size() < n_blocks + 1) kept.before.resize(n_blocks + 1);
    return kept;
  }

  std::size_t begin_of(std::size_t block) const { return std::min(first_ + block * block_rows_, last_); }

  void bound_blocks() const {
    double before = bound_(static_cast<double>(first_), before_[0]);   // not a number where nothing is left
    for (std::size_t b = 0; b < n_blocks_; ++b) {
      const double begin = static_cast<double>(begin_of(b)), end = static_cast<double>(begin_of(b + 1));
      const double low = before_[b], high = before_[b + 1], n_second = high - low;
      const double whole = bound_(end, high);
      double most = whole;
      for (const double corner : {before, bound_(begin + n_second, high), bound_(end - n_second, low)})
        most = corner > most ? corner : most;
      if (most_[b] >= 0) most_[b] = most;
      before = whole;
    }
  }

  const Block& read(std::size_t number) const {
    Block& block = memory_.block;
    if (read_ == number) return block;
    read_ = number;
    std::int32_t second = before_[number];
    std::size_t size = 0;
    const std::size_t end = begin_of(number + 1);
    for (std::size_t i = begin_of(number); i < end;
         ++i) {   // every row is written, cuts are kept: no branch to mispredict
      second += static_cast<std::int32_t>(in_second_(i));
      block.after[size] = static_cast<std::int32_t>(i);
      block.second[size] = second;
      size += may_cut_(i);
    }
    block.size = size;
    for (std::size_t j = 0; j < size; ++j) block.highest[j] = bound_(block.after[j] + 1, block.second[j]);
    return block;
  }

  std::size_t first_, last_, size_ = 0;
  std::size_t block_rows_ = rows_per_block(last_ - first_),
              n_blocks_ = (last_ - first_ + block_rows_ - 1) / block_rows_;
  Bound bound_;
  InSecond in_second_;
  MayCut may_cut_;
  Memory& memory_ = memory(n_blocks_);
  std::int32_t* before_ = memory_.before.data();
  double* most_ = memory_.most.data();
  mutable std::size_t read_ = SIZE_MAX;   // the block that was read last
};

}   // namespace treewright
