// Prediction: which leaf does each row reach? A tree of thresholds lies breadth-first with siblings adjacent, so the
// next node is `left` or `left + 1` without a branch; eight rows go down side by side to hide the wait for memory.
// Nominal tests, several branches and surrogates only change how the next node is found (walk.hpp); a row that is
// shared out follows all of its branches.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "parallel.hpp"
#include "tree.hpp"

namespace treewright {

struct PredictorNode {
  std::int32_t first_child = -1, n_children = 0, feature = -1;
  Threshold threshold;
  // A soft threshold: between these numbers a row goes both ways. NaN: none.
  double soft_low = std::numeric_limits<double>::quiet_NaN(), soft_high = soft_low;
  std::shared_ptr<const Combination> combination{};   // of several columns; or of `feature` alone
  std::int32_t missing_child = 0;
  double share = 1;
  std::uint32_t level_begin = 0, level_end = 0;           // of Levels; equal: a threshold
  std::uint32_t surrogate_begin = 0, surrogate_end = 0;   // of the surrogates
};

// Whether two tests compare the same number with their thresholds.
inline bool same_number(const PredictorNode& a, const PredictorNode& b) {
  if (!a.combination || !b.combination) return !a.combination && !b.combination && a.feature == b.feature;
  return *a.combination == *b.combination;
}

struct SurrogateTest {
  std::int32_t feature = -1;
  Threshold threshold;
  bool reversed = false;
  std::uint32_t level_begin = 0, level_end = 0;
};

struct PredictorTree {
  std::vector<PredictorNode> nodes;
  std::vector<SurrogateTest> surrogates;
  std::vector<std::int32_t> level_code, level_child;
};

class Predictor {
 public:
  static constexpr std::size_t block_rows = 512;   // sent down before their ends are used: they stay in cache
  explicit Predictor(PredictorTree tree);

  // Calls use(begin, ends) for blocks of rows, from several threads. A shared row ends where its largest share does.
  using Use = std::function<void(std::size_t begin, std::span<const std::uint32_t> ends)>;
  void apply(const Columns& columns, Pool& pool, const Use& use) const;
  // The same of a tree that was just grown and a matrix of doubles, of which it must be known whether any value is missing. False,
  // and nothing is called, where the tree has more than thresholds or the columns are others.
  static bool apply_grown(const GrownTree& tree, const Columns& columns, bool any_missing, Pool& pool, const Use& use);

  // Calls use(row, node, share) for every place where a row ends, row after row within a block; blocks from several
  // threads.
  using UseShare = std::function<void(std::size_t row, std::uint32_t node, double share)>;
  void apply_shares(const Columns& columns, Pool& pool, const UseShare& use) const;

  // Where every row ends that goes one way; an inner node where it stops or is shared out. A block may come twice: what
  // comes last counts.
  void single_ends(const Columns& columns, Pool& pool, const Use& use) const;

  // Calls use(begin, n, routes) for blocks of n rows, from several threads: routes[node * n + row] is where an inner node
  // sends a row, whether it comes there or not: the number of a child, stops_missing or shared_missing.
  using UseRoutes = std::function<void(std::size_t begin, std::size_t n, std::span<const std::int32_t> routes)>;
  void all_routes(const Columns& columns, Pool& pool, const UseRoutes& use) const;

  void check(const Columns& columns) const;   // throws where a test does not fit its column
  const PredictorTree& tree() const { return tree_; }
  std::size_t n_nodes() const { return tree_.nodes.size(); }
  bool shares_rows() const { return shares_rows_; }

 private:
  template <class T>
  struct Step {   // a leaf leads to itself
    T threshold;
    std::uint32_t test;   // the feature, and in the lowest bit whether missing values go right
    std::uint32_t left;
    static Step leaf(std::size_t node) {
      constexpr T most = std::is_same_v<T, Key> ? std::numeric_limits<T>::max() : std::numeric_limits<T>::infinity();
      return {most, 0, static_cast<std::uint32_t>(node)};
    }
    static Step split(T threshold, std::int32_t feature, std::int32_t missing_child, NodeIndex first_child) {
      return {threshold, static_cast<std::uint32_t>(feature) << 1 | (missing_child != 0),
              static_cast<std::uint32_t>(first_child)};
    }
    std::uint32_t feature() const { return test >> 1; }
    std::uint32_t missing_right() const { return test & 1; }
  };
  template <class T, class Convert>
  std::vector<Step<T>> steps(Convert&& convert) const;
  template <class T, class Next>
  static void walk_matrix(const Columns& columns, Pool& pool, const Use& use, Next&& next);
  template <class T>
  bool apply_matrix(const Columns& columns, Pool& pool, const Use& use) const;   // whether no value was missing
  template <std::size_t N>
  void apply_sums(const Columns& columns, Pool& pool, const Use& use) const;
  void apply_columns(const Columns& columns, Pool& pool, const Use& use) const;
  void use_feature(std::int32_t feature);
  // Brings the tested columns of some rows together as keys: keys[slot * n + row].
  std::vector<Key> gather_keys(const Columns& columns, std::size_t begin, std::size_t n) const;
  // Calls visit(first row, rows, load) for every block of rows; load(row of the block, slot) reads a key.
  template <class Visit>
  void for_each_block(const Columns& columns, Pool& pool, Visit&& visit) const;

  PredictorTree tree_;
  bool simple_ = true;           // thresholds only, two branches, and missing values go to one of them
  bool in_two_ = true;           // the same, wherever missing values go
  std::size_t most_terms_ = 1;   // of a test
  bool shares_rows_ = false;
  std::vector<std::int32_t> used_;   // the features that some test needs
  std::vector<std::int32_t> slot_;   // feature -> its place among them
};

}   // namespace treewright
