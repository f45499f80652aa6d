// What the rows say of numeric targets: whole numbers on a grid.
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "../scaling.hpp"

namespace treewright {

// The grid of one output: y = centre + q 2^-digits, rounded once.
struct Grid {
  double centre = 0;
  int digits = 0;
  int relative = 0;         // digits beyond the coarsest output's: losses of several outputs are added in its units
  int shift = 0;            // first sums count (w q) 2^-shift
  double second_unit = 1;   // what one unit of the second sum means: first sums squared over weight, or w y ln y
  double per_gain = 1, per_unit = 1;   // what a gain in the units of these sums is worth, and the inverse
  Scaling to_first, to_value,
      to_mass;   // of sum w q: to the first sum; of that to y; of squares to the units of losses
};

struct NumberRows {
  std::vector<std::int64_t> q;        // [row][output]
  std::vector<std::int64_t> first;    // [row][output]: round(w q 2^-shift); empty where it equals q
  std::vector<std::int64_t> second;   // [row][output]
  std::vector<std::int64_t> weight;   // empty: 1
  std::vector<Grid> grid;             // per output
  std::vector<double> exact;          // [row][output]: y itself, so that a leaf of equal y says just that
  double unit = 1;                    // the user's weight of one unit
  int base = 0;                       // losses are in units of 2^-2base (squares) of the user's

  NumberRows none() const { return {{}, {}, {}, {}, grid, {}, unit, base}; }   // on the same grids

  // Rows as integers, to be sent.
  std::size_t n_words() const { return !weight.empty() + grid.size() * (3 + !first.empty()); }
  void write(std::size_t row, std::int64_t* out) const {
    if (!weight.empty()) *out++ = weight[row];
    for (std::size_t k = row * grid.size(); k < (row + 1) * grid.size(); ++k) {
      *out++ = q[k];
      *out++ = second[k];
      *out++ = std::bit_cast<std::int64_t>(exact[k]);
      if (!first.empty()) *out++ = first[k];
    }
  }
  // n such rows, `stride` integers apart.
  NumberRows read(const std::int64_t* words, std::size_t n, std::size_t stride) const {
    NumberRows some = none();
    for (std::size_t row = 0; row < n; ++row, words += stride) {
      const std::int64_t* word = words;
      if (!weight.empty()) some.weight.push_back(*word++);
      for (std::size_t o = 0; o < grid.size(); ++o) {
        some.q.push_back(*word++);
        some.second.push_back(*word++);
        some.exact.push_back(std::bit_cast<double>(*word++));
        if (!first.empty()) some.first.push_back(*word++);
      }
    }
    return some;
  }
};

}   // namespace treewright
