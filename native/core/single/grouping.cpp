#include "grouping.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace treewright::single {

namespace {

constexpr double some_weight = 0.5, of_others = 0.1, better_by = 1e-5;
constexpr double rounding = 0x1p-24;   // of one operation, as a share of its result

// Groups are in the order of the branches; `id_` has the first level of each. All sums over groups are cheap, since what
// a group and each pair of groups contribute is kept.
class Grouper {
 public:
  Grouper(const BranchCounts& levels, double least, bool by_ratio)
      : all_(levels),
        groups_(levels.n_classes),
        least_(least),
        by_ratio_(by_ratio),
        base_(levels.base()),
        share_(levels.unknown / levels.all) {
    groups_.all = levels.all;
    groups_.unknown = levels.unknown;
  }

  Groups run() {
    Groups found;
    now_ = worth(all_);
    take_levels(found.absent);
    if (join_single_classes()) now_ = worth(groups_);
    mark_ = now_.gain / 2;
    note_parts();
    while (groups_.size() > 2 && merge_best()) {}
    if (!(value(now_) > 0)) return found;
    found.levels = std::move(levels_);
    found.worth = {groups_.gain(base_, share_, least_), now_.info};
    return found;
  }

 private:
  Worth worth(const BranchCounts& branches) const { return {branches.gain(base_, share_, 1), branches.info()}; }
  float value(const Worth& worth) const { return value_of(worth, static_cast<float>(slack), by_ratio_); }

  void take_levels(std::vector<std::size_t>& absent) {
    for (std::size_t level = 0; level < all_.size(); ++level) {
      if (!(double{all_.weight[level]} > some_weight)) {
        absent.push_back(level);
        continue;
      }
      const std::span<const float> counts = all_.of(level);
      groups_.counts.insert(groups_.counts.end(), counts.begin(), counts.end());
      groups_.weight.push_back(all_.weight[level]);
      levels_.push_back({level});
    }
  }
  void merge(std::size_t i, std::size_t j) {
    groups_.merge(i, j);
    levels_[i].insert(levels_[i].end(), levels_[j].begin(), levels_[j].end());
    if (j + 1 < levels_.size()) levels_[j] = std::move(levels_.back());
    levels_.pop_back();
  }

  // Groups of one class, but for a tenth of a row, are joined with those of the same.
  bool join_single_classes() {
    const auto is_of = [&](std::size_t group, std::size_t of_class) {
      return !(double{groups_.of(group)[of_class]} < double{groups_.weight[group]} - of_others);
    };
    bool any = false;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      std::size_t first = 0;
      while (first < groups_.n_classes && double{groups_.of(i)[first]} < of_others) ++first;
      if (first == groups_.n_classes || !is_of(i, first)) continue;
      for (std::size_t j = i + 1; j < groups_.size();) {
        if (is_of(j, first)) merge(i, j), any = true;
        else ++j;
      }
    }
    return any;
  }

  // ---- what groups and pairs of groups contribute
  void note_parts() {
    width_ = groups_.size();
    id_.resize(width_);
    std::iota(id_.begin(), id_.end(), std::size_t{0});
    of_pair_.resize(width_ * width_);
    for (std::size_t i = 0; i < width_; ++i) parts_.push_back(part(i));
    for (std::size_t i = 0; i < width_; ++i)
      for (std::size_t j = i + 1; j < width_; ++j) pair(i, j) = joined(i, j);
  }
  struct Part {
    float within;    // weight x entropy of the classes
    double n_log_n;   // of the weight
    float weight;
  };
  Part part(std::size_t i) const { return {information(groups_.of(i)), n_log_n(groups_.weight[i]), groups_.weight[i]}; }
  Part joined(std::size_t i, std::size_t j) {
    both_.assign(groups_.of(i).begin(), groups_.of(i).end());
    for (std::size_t c = 0; c < both_.size(); ++c) both_[c] += groups_.of(j)[c];
    const float weight = groups_.weight[i] + groups_.weight[j];
    return {information(both_), n_log_n(weight), weight};
  }
  Part& pair(std::size_t i, std::size_t j) {
    return of_pair_[std::min(id_[i], id_[j]) * width_ + std::max(id_[i], id_[j])];
  }
  void join(std::size_t i, std::size_t j) {
    parts_[i] = pair(i, j);
    parts_[j] = parts_.back();
    parts_.pop_back();
    id_[j] = id_.back();
    id_.pop_back();
    merge(i, j);
    for (std::size_t k = 0; k < groups_.size(); ++k)
      if (k != i) pair(i, k) = k < i ? joined(k, i) : joined(i, k);
  }

  // The worth after i and j are merged, with every sum in its order.
  Worth after(std::size_t i, std::size_t j) {
    const std::size_t n = parts_.size() - 1;
    float within = 0, total = groups_.unknown;
    auto sum = static_cast<float>(n_log_n(groups_.unknown));
    std::size_t n_enough = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const Part& p = k == i ? pair(i, j) : k == j ? parts_[n] : parts_[k];
      within += p.within;
      sum = static_cast<float>(double{sum} + p.n_log_n);
      total += p.weight;
      n_enough += p.weight >= 1;
    }
    const float info = static_cast<float>(n_log_n(total) - double{sum}) / groups_.all;
    if (n_enough < 2) return {nothing, info};
    return {(1 - share_) * (base_ - within / groups_.known()), info};
  }

  // Sums over all groups, from which a pair is judged roughly.
  struct Rough {
    double within = 0, n_log_n = 0, total = 0, gain_error = 0, info_error = 0;
  };
  Rough rough() const {
    Rough r;
    r.total = groups_.unknown;
    r.n_log_n = n_log_n(groups_.unknown);
    for (const Part& p : parts_) r.within += p.within, r.n_log_n += p.n_log_n, r.total += p.weight;
    const double n = rounding * static_cast<double>(parts_.size() + 6);
    r.gain_error = n * (double{base_} + r.within / groups_.known() + 1);
    r.info_error = n * 4 * std::max(1.0, n_log_n(static_cast<float>(r.total)) / groups_.all);
    return r;
  }
  // Neither the gain nor the value of a pair can be more.
  Worth at_most(const Rough& r, std::size_t i, std::size_t j, double& value) {
    const Part& both = pair(i, j);
    const double within = r.within - parts_[i].within - parts_[j].within + both.within;
    const double gain = (1 - double{share_}) * (double{base_} - within / groups_.known()) + r.gain_error;
    const double sum = r.n_log_n - parts_[i].n_log_n - parts_[j].n_log_n + both.n_log_n;
    const double info = (n_log_n(static_cast<float>(r.total)) - sum) / groups_.all - r.info_error;
    value = !by_ratio_ ? gain : info > slack ? gain / info * (1 + 4 * rounding) : HUGE_VAL;
    return {static_cast<float>(gain * (1 + rounding)), 0};
  }

  // Merges the best pair; false if that is no better than the groups as they are.
  bool merge_best() {
    const auto n_big = std::count_if(groups_.weight.begin(), groups_.weight.end(),
                                     [&](float w) { return double{w} >= least_; });
    std::size_t alone = groups_.size();   // takes part in no merge
    if (n_big < 3)
      alone = static_cast<std::size_t>(std::max_element(groups_.weight.begin(), groups_.weight.end()) -
                                       groups_.weight.begin());
    std::pair<std::size_t, std::size_t> best{0, 0};   // none
    Worth of_best{0, 0};
    float best_value = 0;
    const Rough sums = rough();
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      for (std::size_t j = i + 1; j < groups_.size(); ++j) {
        if (i == alone || j == alone) continue;
        const bool any_will_do = best.second == 0 && (!by_ratio_ || n_big < 2);
        double highest;
        const float most = at_most(sums, i, j, highest).gain;
        if (!any_will_do && highest < double{best_value} && (most < mark_ || of_best.gain >= mark_)) continue;
        const Worth here = after(i, j);
        const float here_value = value(here);
        const bool reaches = here.gain >= mark_ && of_best.gain < mark_;
        if (!reaches && !(here_value >= best_value) && !any_will_do) continue;
        best = {i, j};
        of_best = here;
        best_value = here_value;
      }
    }
    const bool is_better = double{best_value} >= double{value(now_)} + better_by;
    if (best.second == 0 || (by_ratio_ && n_big >= 2 && !is_better)) return false;
    join(best.first, best.second);
    now_ = of_best;
    return true;
  }

  const BranchCounts& all_;
  BranchCounts groups_;
  std::vector<std::vector<std::size_t>> levels_;   // of every group
  double least_;
  bool by_ratio_;
  float base_, share_, mark_ = 0;
  Worth now_;
  std::size_t width_ = 0;
  std::vector<std::size_t> id_;
  std::vector<Part> parts_, of_pair_;
  std::vector<float> both_;
};

}   // namespace

Groups group_levels(const BranchCounts& levels, double least, bool by_ratio) {
  return Grouper(levels, least, by_ratio).run();
}

}   // namespace treewright::single
