// Sums of weights as a program in single precision makes them: row after row. Where rows are shared out, weights that
// should add up to 2 may come to a little less, and that decides whether a branch has enough.
#pragma once
#include <algorithm>
#include <cmath>

#include "types.hpp"

namespace treewright {

struct SingleSums {
  float all = 0, unknown = 0, known = 0;

  void add(float weight, bool is_known) {
    all += weight;
    (is_known ? known : unknown) += weight;
  }
  float known_weight() const { return (1 - unknown / all) * all; }   // as C4.5 comes to it
};

// Which cuts leave enough weight on both sides: those after entries first to last - 1.
struct CutRange {
  std::size_t first = 0, last = std::numeric_limits<std::size_t>::max();
  bool holds(std::size_t i) const { return first <= i && i < last; }
};

// weight(i): of the i-th row in the order of the column.
template <class Weight>
CutRange cuts_with_enough(const SingleSums& sums, std::size_t n_known, double least, double per_class,
                          Weight&& weight) {
  const double side = std::max(least, std::min(25.0, per_class * static_cast<double>(sums.known)));
  const double most = static_cast<double>(sums.known_weight()) - side;
  CutRange range{n_known, 0};
  float left = 0;
  for (std::size_t i = 0; i < n_known; ++i) {
    left += weight(i);
    if (left < side || left > most) continue;
    range.first = std::min(range.first, i);
    range.last = i + 1;
  }
  return range;
}

// C5.0: weights are single, their sums are not. The low side may lack a little, the high side nothing.
template <class Weight>
CutRange cuts_with_enough_as_c50(std::size_t n_known, double least, double per_class, Weight&& weight) {
  double known = 0, left = 0;
  for (std::size_t i = 0; i < n_known; ++i) known += double{weight(i)};
  const double side = std::max(least, std::min(25.0, per_class * known));
  CutRange range{n_known, 0};
  for (std::size_t i = 0; i < n_known; ++i) {
    left += double{weight(i)};
    if (left < side - 1e-5) continue;
    if (known - left < side - 1e-9) break;
    range.first = std::min(range.first, i);
    range.last = i + 1;
  }
  return range;
}

}   // namespace treewright
