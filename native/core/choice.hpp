// Choice: from the best split of each column to the split of the node. Most criteria compare gains, so one best split
// is enough; gain ratio and plain sums need the best of each column.
#pragma once
#include <cmath>
#include <mutex>
#include <vector>

#include "any_criterion.hpp"
#include "choice_rules.hpp"

namespace treewright {

class Choice {
 public:
  Choice(std::size_t n_features, const Growth& growth) : Choice(n_features, growth, growth.compares_columns()) {}
  Choice(std::size_t n_features, const Growth& growth, bool each) : growth_(growth), each_(each ? n_features : 0) {}

  // What a search of this column must beat.
  Split incumbent(std::int32_t feature) const {
    std::lock_guard lock(mutex_);
    return each_.empty() ? best_ : each_[static_cast<std::size_t>(feature)];
  }
  void offer(Split&& found) {
    if (!found || found.feature < 0) return;
    std::lock_guard lock(mutex_);
    Split& best = each_.empty() ? best_ : each_[static_cast<std::size_t>(found.feature)];
    if (found.beats(best)) best = std::move(found);
  }
  bool any() const {
    return best_ || std::any_of(each_.begin(), each_.end(), [](const Split& split) { return bool(split); });
  }
  bool keeps_each() const { return !each_.empty(); }
  std::vector<Split>& of_each() { return each_; }

  // The split of a node.
  Split decide(const AnyCriterion& criterion, const Columns& columns, ConstTally total, std::size_t n_rows) {
    if (each_.empty()) return std::move(best_);
    if (!growth_.compares_columns()) return best_of_each();
    const auto weight = static_cast<double>(criterion.weight(total));
    const auto rows = static_cast<double>(growth_.rows_of_table > 0 ? growth_.rows_of_table : n_rows);
    const Candidates from{each_, columns, weight, weight * criterion.user_mass(1), rows, growth_.by_ratio};
    Split* best = nullptr;
    if (growth_.classic.comparison == Comparison::j48) best = choose_as_j48(from, growth_.classic.better_by);
    else if (growth_.classic.comparison == Comparison::c50)
      best = choose_as_c50(from, criterion.n_sums(), growth_);
    else best = by_ratio(weight);
    return best ? std::move(*best) : Split{};
  }

 private:
  // Plain sums are compared with plain sums, scores with scores. Mixed, that is no order: A may beat B, B beat C and C
  // beat A. So the best of each kind is found first.
  Split best_of_each() {
    Split plain, other;
    for (Split& split : each_) {
      Split& best = split.plain ? plain : other;
      if (split && split.beats(best)) best = std::move(split);
    }
    return other.beats(plain) ? std::move(other) : std::move(plain);
  }
  // Of the columns that gain at least the mean of all that can be split, the greatest gain ratio, the first of equals.
  Split* by_ratio(double weight) {
    Wide sum = 0;
    Wide n = 0;
    for (const Split& split : each_)
      if (split) sum += split.score, ++n;
    Split* best = nullptr;
    double best_ratio = -1;
    for (Split& split : each_) {
      if (!split || Wide{split.score} * n < sum) continue;
      const double ratio = steady(split.split_info > 0 ? split.gain / weight / split.split_info : 0);
      if (ratio > best_ratio) best = &split, best_ratio = ratio;
    }
    return best;
  }

  const Growth& growth_;
  mutable std::mutex mutex_;
  Split best_;
  std::vector<Split> each_;
};

}   // namespace treewright
