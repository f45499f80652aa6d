// What rows say of a target of classes, and a walk over them: see forecast.hpp.
#pragma once
#include <vector>

#include "../forecast.hpp"

namespace treewright {

struct ClassRows {                        // what every row adds
  std::vector<std::uint32_t> cell;        // [row][output]: which integer of the tally
  std::vector<std::int64_t> weight;       // empty: 1
  std::vector<std::uint32_t> n_classes;   // per output
  double unit = 1;
};

template <class Impurity>
class ClassWalk {   // one output
 public:
  ClassWalk(const ClassRows& rows, ConstTally total, ConstTally start, std::int64_t n_left, std::int64_t w,
            std::int64_t w_left)
      : rows_(rows),
        total_(total),
        left_(start.begin(), start.end()),
        n_left_(n_left),
        w_(w),
        w_left_(w_left),
        sums_(total.data(), start.data(), rows.n_classes[0], w) {}
  void add(std::size_t row) {
    const std::uint32_t k = rows_.cell[row];
    const std::int64_t w = rows_.weight.empty() ? 1 : rows_.weight[row];
    sums_.add(total_[k], left_[k], w);
    left_[k] += w;
    w_left_ += w;
    ++n_left_;
  }
  std::int64_t rows_left() const { return n_left_; }
  std::int64_t weight() const { return w_; }
  std::int64_t weight_left() const { return w_left_; }
  About gain() const { return sums_.gain(w_left_); }

 private:
  const ClassRows& rows_;
  ConstTally total_;
  std::vector<std::int64_t> left_;
  std::int64_t n_left_, w_, w_left_;
  typename Impurity::Walk sums_;
};

}   // namespace treewright
