// The cuts of a sorted column where rows are of two classes and weigh the same, each with a number that no gain of entropy
// exceeds and few come near: few gains are then computed.
//
// With q the share of a class in the node and p its share on one side, a cut gains sum n_side KL(p, q). As a function of p, KL
// is 0 with slope 0 at q, and its second derivative 1 / (p (1 - p)) is convex, so it lies below its chord:
//   KL <= (p - q)^2 (1 / (3 q (1 - q)) + 1 / (6 p (1 - p))).
// Nor is KL above chi squared, (p - q)^2 / (q (1 - q)), which is finite where a side is pure.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace treewright {

class TwoClassCuts {
 public:
  static constexpr std::size_t most_rows = std::size_t{1} << 26;   // products of counts are exact

  // Of `n` rows, cuts after rows `first` to `last` - 1: in_second(i) is 1 for a row of the second class, may_cut(i) says whether
  // the values of rows i and i + 1 differ.
  template <class InSecond, class MayCut>
  void collect(std::size_t first, std::size_t last, InSecond&& in_second, MayCut&& may_cut) {
    if (after_.size() < last + 4) after_.resize(last + 4), second_.resize(last + 4), highest_.resize(last + 4);
    std::int32_t second = 0;
    std::size_t i = 0, size = 0;
    for (; i < first; ++i) second += static_cast<std::int32_t>(in_second(i));
    for (; i < last; ++i) {   // every row is written, cuts are kept: no branch to mispredict
      second += static_cast<std::int32_t>(in_second(i));
      after_[size] = static_cast<std::int32_t>(i);
      second_[size] = second;
      size += may_cut(i);
    }
    size_ = size;
  }
  std::size_t size() const { return size_; }
  std::size_t after(std::size_t j) const { return static_cast<std::size_t>(after_[j]); }
  std::array<std::int64_t, 2> left(std::size_t j) const { return {after_[j] + 1 - second_[j], second_[j]}; }
  double highest(std::size_t j) const { return highest_[j]; }   // in bits

  // Bounds the gain of every cut of n rows, of which so many are of the second class; the cut of the greatest bound.
  std::size_t bound(std::size_t n, std::int64_t n_second) {
    constexpr double bits = 0x1.71547652b82fep0 * (1 + 0x1p-40);   // 1 / ln 2, and more than rounding
    const auto all = static_cast<double>(n), t = static_cast<double>(n_second);
    const double near = bits * all / (3 * t * (all - t)), far = bits / (6 * all * all);
    const std::int32_t* __restrict after = after_.data();
    const std::int32_t* __restrict second = second_.data();
    double* __restrict highest = highest_.data();
    for (std::size_t j = 0; j < size_; ++j) {
      const double n_left = after[j] + 1, n_right = all - n_left, l = second[j], r = t - l;
      const double off = l * all - n_left * t, square = off * off;
      const double mixed_left = l * (n_left - l), mixed_right = r * (n_right - r);
      const double chord = square * near / (n_left * n_right);
      const double sum =
          chord + square * far * (n_left * mixed_right + n_right * mixed_left) / (mixed_left * mixed_right);
      highest[j] = sum < 3 * chord ? sum : 3 * chord;   // the sum is no number where a side is pure
    }
    std::array<double, 4> most{};   // none waits for another
    for (std::size_t j = 0; j + 4 <= size_; j += 4)
      for (std::size_t k = 0; k < 4; ++k) most[k] = highest[j + k] > most[k] ? highest[j + k] : most[k];
    for (std::size_t j = size_ / 4 * 4; j < size_; ++j) most[0] = std::max(most[0], highest[j]);
    return static_cast<std::size_t>(std::find(highest, highest + size_, *std::max_element(most.begin(), most.end())) -
                                    highest);
  }

 private:
  std::vector<std::int32_t> after_, second_;   // the row before each cut, and how many so far are of the second class
  std::vector<double> highest_;
  std::size_t size_ = 0;
};

}   // namespace treewright
