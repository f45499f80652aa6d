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
template <class Bound, class InSecond, class MayCut>
class TwoClassCuts {
 public:
  // Cuts after rows `first` to `last` - 1. Precondition: there are both classes, and fewer than 2^26 rows.
  TwoClassCuts(std::size_t first, std::size_t last, Bound bound, InSecond in_second, MayCut may_cut)
      : first_(first), last_(last), bound_(bound), in_second_(in_second), may_cut_(may_cut) {
    std::int32_t second = 0;
    for (std::size_t i = 0; i < first; ++i) second += static_cast<std::int32_t>(in_second_(i));
    for (std::size_t begin = first; begin < last; begin += block_rows) {
      Block block;
      read(begin, second, block);
      size_ += block.size;
      before_.push_back(second);
      most_.push_back(block.most());
      second = block.second_at_end;
    }
  }
  std::size_t size() const { return size_; }

  // The cut of the greatest bound. Precondition: there is one.
  TwoCounts promising() const {
    const std::size_t b = static_cast<std::size_t>(std::max_element(most_.begin(), most_.end()) - most_.begin());
    Block block;
    read(first_ + b * block_rows, before_[b], block);
    return block.left(static_cast<std::size_t>(
        std::max_element(block.highest.begin(), block.highest.begin() + block.size) - block.highest.begin()));
  }
  // Calls use(after, left) for every cut from row `begin` on that may gain `bar`, which may rise meanwhile, lowest first,
  // until it returns false.
  template <class Use>
  void each_above(const double& bar, std::size_t begin, Use&& use) const {
    for (std::size_t b = begin > first_ ? (begin - first_) / block_rows : 0; b < most_.size(); ++b) {
      if (most_[b] < bar) continue;
      Block block;
      read(first_ + b * block_rows, before_[b], block);
      for (std::size_t j = 0; j < block.size; ++j) {
        const auto after = static_cast<std::size_t>(block.after[j]);
        if (block.highest[j] >= bar && after >= begin && !use(after, block.left(j))) return;
      }
    }
  }

 private:
  static constexpr std::size_t block_rows = 256;   // they stay in cache

  struct Block {
    std::array<std::int32_t, block_rows> after,
        second;                               // the row before each cut, and how many so far are of the second class
    std::array<double, block_rows> highest;   // what each gains at most
    std::size_t size;
    std::int32_t second_at_end;
    TwoCounts left(std::size_t j) const { return {after[j] + 1 - second[j], second[j]}; }
    double most() const {
      std::array<double, 4> most{-1, -1, -1, -1};   // none waits for another
      for (std::size_t j = 0; j + 4 <= size; j += 4)
        for (std::size_t k = 0; k < 4; ++k) most[k] = highest[j + k] > most[k] ? highest[j + k] : most[k];
      for (std::size_t j = size / 4 * 4; j < size; ++j) most[0] = std::max(most[0], highest[j]);
      return *std::max_element(most.begin(), most.end());
    }
  };

  void read(std::size_t begin, std::int32_t second, Block& block) const {
    const std::size_t end = std::min(begin + block_rows, last_);
    std::size_t size = 0;
    for (std::size_t i = begin; i < end; ++i) {   // every row is written, cuts are kept: no branch to mispredict
      second += static_cast<std::int32_t>(in_second_(i));
      block.after[size] = static_cast<std::int32_t>(i);
      block.second[size] = second;
      size += may_cut_(i);
    }
    block.size = size;
    block.second_at_end = second;
    for (std::size_t j = 0; j < size; ++j) block.highest[j] = bound_(block.after[j] + 1, block.second[j]);
  }

  std::size_t first_, last_, size_ = 0;
  Bound bound_;
  InSecond in_second_;
  MayCut may_cut_;
  std::vector<std::int32_t> before_;   // of every block: the rows of the second class before it,
  std::vector<double> most_;           // ... and its greatest bound
};

}   // namespace treewright
