// Choice: from the best split of each column to the split of the node. Most criteria compare gains, so one best split
// is enough; gain ratio compares columns, and needs the best of each.
#pragma once
#include <cmath>
#include <mutex>
#include <vector>

#include "split.hpp"

namespace treewright {

class Choice {
 public:
  Choice(std::size_t n_features, bool each) : each_(each ? n_features : 0) {}

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
  std::vector<Split>& of_each() { return each_; }

  // The best split; or, of the columns that gain at least the mean of all that can be split, the one with the greatest
  // gain ratio (C4.5), the first of equals.
  Split decide(bool by_ratio, double gain_unit) {
    if (!by_ratio) return std::move(best_);
    Wide sum = 0;
    Wide n = 0;
    for (const Split& split : each_)
      if (split) sum += split.score, ++n;
    Split* best = nullptr;
    double best_ratio = -1;
    for (Split& split : each_) {
      if (!split || Wide{split.score} * n < sum) continue;
      const double ratio = split.split_info > 0 ? split.gain * gain_unit / split.split_info : 0;
      const double rounded = std::floor(ratio * 0x1p40 + 0.5);   // as scores: the last bits do not decide
      if (rounded <= best_ratio) continue;
      best_ratio = rounded;
      best = &split;
    }
    return best ? std::move(*best) : Split{};
  }

 private:
  mutable std::mutex mutex_;
  Split best_;
  std::vector<Split> each_;
};

}   // namespace treewright
