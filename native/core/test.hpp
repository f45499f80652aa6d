// Test: what routes rows and is stored, of all that a search finds.
#pragma once
#include <array>
#include <memory>

#include "combination.hpp"
#include "threshold.hpp"

namespace treewright {

// A place between two neighbouring values of a column, as search knows it: after the values up to `key` of bin `bin`.
// The edge after a whole bin is key = max. Sorted rows have no bins (bin = 0). Of nominal columns it numbers the
// candidates in the order in which they were tried.
struct Place {
  std::int32_t bin = 0;
  Key key = std::numeric_limits<Key>::max();
  auto operator<=>(const Place&) const = default;
};

using ChildNumber = std::uint32_t;

// A nominal test: which level goes to which child. Levels that are not listed count as missing.
struct LevelMap {
  std::vector<std::int32_t> code;   // ascending
  std::vector<ChildNumber> child;

  int child_of(std::int64_t level) const {   // -1: not listed
    const auto found = std::lower_bound(code.begin(), code.end(), level);
    return found != code.end() && *found == level ? child[static_cast<std::size_t>(found - code.begin())] : -1;
  }
};

// How a split was found, and so what is known of it.
enum class FoundBy : std::uint8_t {
  every_cut,
  order,
  sweep,
  every_subset,
  component,
  every_level,
  random,
  gaussian,
  merged,
  combined
};
inline constexpr std::array found_by_words{"every cut",           "order of levels", "sweep",  "every subset",
                                           "principal component", "every level",     "random", "gaussian",
                                           "merged levels",       "combined columns"};

// A test on another column that divides a node's rows much as its own test does.
struct Surrogate {
  std::int32_t feature = -1;
  Threshold threshold;
  Key key = 0;             // the greatest key that goes down the low side
  bool reversed = false;   // the low side is the second child
  std::shared_ptr<const LevelMap> levels;
  double agreement = 0, adjusted = 0;

  int child_of(Key value, std::int64_t level) const {
    if (levels) return levels->child_of(level);
    return (value <= key) == reversed;
  }
};

// Which child a row goes to: by a threshold, by a level, or by whether its value is missing.
struct Test {
  std::int32_t feature = -1;
  std::int32_t n_children = 2;
  Place place;   // of the cut, as the store knows it that routes the rows
  Key low = 0;   // the greatest key that goes to the first child, once known
  bool missing_left = false;
  bool missing_alone = false;   // every present value left, missing right
  bool missing_seen = false;    // the node has rows with a missing value in this column
  bool use_surrogates = true;   // or only record them
  bool heuristic = false;       // not proven to be the best of its kind
  FoundBy found_by = FoundBy::every_cut;
  std::int32_t missing_to = -1;                     // the child of missing values, where missing_left does not say it
  Threshold threshold;                              // filled in by the store
  std::shared_ptr<const LevelMap> levels;           // of a nominal test
  std::shared_ptr<const Combination> combination;   // of several columns; `feature` is the first of them
  std::shared_ptr<std::vector<Surrogate>> surrogates;   // best first

  bool sends_by_surrogates() const { return surrogates && missing_seen && use_surrogates; }
  bool stops_missing() const { return missing_to == n_children; }   // what no surrogate knows stays at the node
  bool stops_rows() const { return stops_missing() && missing_seen; }
  int n_parts() const { return n_children + stops_rows(); }   // into which its rows fall
  int child_of_missing() const { return missing_to >= 0 ? missing_to : !missing_left; }

  // For rows elsewhere. They know no place of the cut but its key, have no surrogates and combine no columns.
  void write(std::vector<std::int64_t>& words) const {
    const std::size_t n_levels = levels ? levels->code.size() : 0;
    words.insert(words.end(), {feature, n_children, child_of_missing(), missing_alone, low, levels != nullptr,
                               static_cast<std::int64_t>(n_levels)});
    for (std::size_t i = 0; i < n_levels; ++i) words.insert(words.end(), {levels->code[i], levels->child[i]});
  }
  static Test read(const std::int64_t*& word) {
    Test test;
    test.feature = static_cast<std::int32_t>(*word++);
    test.n_children = static_cast<std::int32_t>(*word++);
    test.missing_to = static_cast<std::int32_t>(*word++);
    test.missing_alone = *word++ != 0;
    test.low = test.place.key = *word++;
    const bool nominal = *word++ != 0;
    const auto n_levels = static_cast<std::size_t>(*word++);
    if (!nominal) return test;
    LevelMap map;
    for (std::size_t i = 0; i < n_levels; ++i) {
      map.code.push_back(static_cast<std::int32_t>(*word++));
      map.child.push_back(static_cast<ChildNumber>(*word++));
    }
    test.levels = std::make_shared<const LevelMap>(std::move(map));
    return test;
  }
};

}   // namespace treewright
