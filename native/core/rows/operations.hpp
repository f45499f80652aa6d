// Rows that live elsewhere: in pages, in files, on other machines. A store sends a request to all parts of the table and
// gets one reply: every part computes its own from its rows, and replies are added in any order. Requests and replies
// are flat lists of integers, so that any engine can carry them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "../test.hpp"

namespace treewright {

enum class Operation : std::uint8_t {
  start,    // []: moments and counts of the root; the greatest key of every bin, and the complement of the least
  masses,   // of nodes [node, words...]: what some criteria sum in a further pass
  counts,   // of nodes [node]: a histogram of all columns each
  ranges,   // [node, feature, bin]: the greatest key of a bin of a node, and the complement of the least
  look,     // [n, n slices, runs]: what is inside bins
            //   slice [node, feature, bin, low, high, shift]: tallies and ranges of 256 slices of keys
            //   run [node, feature, bin, low, high]: (number of the entry, key, tally) of every row
  route,    // [n, n words of moves, nodes]: rows move to children; moments of all children, then counts of the nodes
            //   move [node, first child, test...]
  gather,   // of nodes [node]: (node, keys..., words of the target) of every row
};
inline constexpr std::size_t n_slices = 256;
inline constexpr std::int64_t nothing = std::numeric_limits<std::int64_t>::min();   // the greatest of no values

struct Request {
  Operation operation;
  std::vector<std::int64_t> words;
};

struct Reply {
  std::vector<std::int64_t> sums, maxima, items;

  void add(Reply&& other) {
    if ((!sums.empty() && sums.size() != other.sums.size()) ||
        (!maxima.empty() && maxima.size() != other.maxima.size()))
      throw std::invalid_argument("parts of one table must give replies of one size.");
    if (sums.empty()) sums = std::move(other.sums);
    else
      for (std::size_t i = 0; i < other.sums.size(); ++i) sums[i] += other.sums[i];
    if (maxima.empty()) maxima = std::move(other.maxima);
    else
      for (std::size_t i = 0; i < other.maxima.size(); ++i) maxima[i] = std::max(maxima[i], other.maxima[i]);
    items.insert(items.end(), other.items.begin(), other.items.end());
  }
};

class Rows {
 public:
  virtual ~Rows() = default;
  virtual Reply compute(const Request& request) = 0;   // over all parts
};

}   // namespace treewright
