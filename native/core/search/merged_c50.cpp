// How C5.0 merges levels (its option subset). Groups keep the number of their first level, so their order is that of the
// numbers.
#include <cmath>

#include "../growth.hpp"
#include "merged.hpp"

namespace treewright {

namespace {

constexpr double present = 1e-4;       // a level of no more weight does not occur
constexpr double equal_share = 1e-3;   // class shares that differ by no more are equal
constexpr double slack = 1e-4;         // of the gain: a later pair must leave more by this; and of a weight

double n_log_n(double n) {
  const double single = static_cast<float>(n);
  return single > 0 ? n * std::log2(single) : 0;
}

// log2 of the number of ways to divide n things into 1, 2, ..., n groups:
// S(n, k) = k S(n - 1, k) + S(n - 1, k - 1), in logarithms.
const std::vector<double>& log2_partitions(std::size_t n) {
  static thread_local std::vector<std::vector<double>> rows{{0.0}};   // S(1, 1) = 1
  while (rows.size() < n) {
    const std::vector<double>& last = rows.back();
    std::vector<double> row(last.size() + 1, 0.0);
    for (std::size_t k = 2; k <= last.size(); ++k) {
      const double stays = std::log2(static_cast<double>(k)) + last[k - 1], joins = last[k - 2];
      row[k - 1] = std::max(stays, joins) + std::log2(1 + std::exp2(-std::fabs(stays - joins)));
    }
    rows.push_back(std::move(row));
  }
  return rows[n - 1];
}

class Merger {
 public:
  Merger(const LevelMerging& task, const Levels& levels, double least)
      : levels_(levels), n_classes_(task.n_classes), least_(least), group_(levels.size(), apart) {
    for (std::size_t i = 0; i < levels.size(); ++i) {
      double weight = 0;
      for (std::size_t k = 0; k < n_classes_; ++k) {
        counts_.push_back(static_cast<double>(levels.tally(i)[k]) * task.unit);
        weight += counts_.back();
      }
      weight_.push_back(weight);
      if (weight <= present) continue;
      known_ += weight;
      group_[i] = i;
      standing_.push_back(i);
    }
    missing_ = static_cast<double>(task.missing) * task.unit;
    all_ = known_ + missing_;
    known_share_ = 1 - static_cast<double>(static_cast<float>(missing_ / all_));
    std::vector<double> total(n_classes_, 0.0);
    for (const std::size_t g : standing_)
      for (std::size_t k = 0; k < n_classes_; ++k) total[k] += counts_[g * n_classes_ + k];
    before_ = phi(total.data(), known_) / known_;
    for (std::size_t g = 0; g < weight_.size(); ++g) phi_.push_back(phi(&counts_[g * n_classes_], weight_[g]));
    n_present_ = standing_.size();
  }

  Grouping best() {
    if (n_present_ < 2 || n_big() < 1) return {};
    State best = state(gain());
    join_equal_shares();
    if (standing_.size() < n_present_ && standing_.size() > 1 && n_big() > 1) {
      State joined = state(best.gain);
      if (joined.worth >= best.worth) best = std::move(joined);
    }
    if (standing_.size() > 2) note_losses();
    while (standing_.size() > 2) {
      const auto [g, h] = favourite();
      if (g == h) break;
      join(g, h);
      update_losses(g, h);
      State next = state(gain());
      if (next.worth >= best.worth) best = std::move(next);
    }
    return grouping(best);
  }

 private:
  static constexpr std::size_t apart = std::numeric_limits<std::size_t>::max();   // of a level that does not occur

  struct State {
    std::vector<std::size_t> group;   // of every level
    std::size_t n_groups;
    double gain, bits, info, worth;
  };
  State state(double gain) const {
    double sum = n_log_n(missing_);
    for (const std::size_t g : standing_) sum += n_log_n(weight_[g]);
    const double info = static_cast<float>((n_log_n(all_) - sum) / all_);
    const double bits = log2_partitions(n_present_)[standing_.size() - 1];
    return {group_, standing_.size(), gain, bits, info, static_cast<float>((gain - bits / all_) / info)};
  }

  double phi(const double* counts, double weight) const {   // weight x entropy, in bits
    double sum = 0;
    for (std::size_t k = 0; k < n_classes_; ++k) sum += n_log_n(counts[k]);
    return n_log_n(weight) - sum;
  }
  double gain() const {
    double within = 0;
    for (const std::size_t g : standing_) within += phi_[g];
    return static_cast<float>(known_share_ * (before_ - within / known_));
  }
  bool is_big(std::size_t g) const { return weight_[g] >= least_ - slack; }
  std::size_t n_big() const {
    return static_cast<std::size_t>(
        std::count_if(standing_.begin(), standing_.end(), [&](std::size_t g) { return is_big(g); }));
  }

  bool equal_shares(std::size_t g, std::size_t h) const {
    for (std::size_t k = 0; k < n_classes_; ++k) {
      const double one = counts_[g * n_classes_ + k] / weight_[g], other = counts_[h * n_classes_ + k] / weight_[h];
      if (std::fabs(one - other) > equal_share) return false;
    }
    return true;
  }
  void join_equal_shares() {
    for (std::size_t a = 0; a < standing_.size(); ++a)
      for (std::size_t b = a + 1; b < standing_.size();)
        if (equal_shares(standing_[a], standing_[b])) join(standing_[a], standing_[b]);
        else ++b;
  }
  void join(std::size_t g, std::size_t h) {
    for (std::size_t k = 0; k < n_classes_; ++k) counts_[g * n_classes_ + k] += counts_[h * n_classes_ + k];
    weight_[g] += weight_[h];
    phi_[g] = phi(&counts_[g * n_classes_], weight_[g]);
    std::replace(group_.begin(), group_.end(), h, g);
    standing_.erase(std::find(standing_.begin(), standing_.end(), h));
  }

  // ---- what is lost where two groups are joined; of every group the least with one after it
  double& loss(std::size_t g, std::size_t h) { return loss_[std::min(g, h) * weight_.size() + std::max(g, h)]; }
  double loss_of(std::size_t g, std::size_t h) const {
    std::vector<double> both(n_classes_);
    for (std::size_t k = 0; k < n_classes_; ++k) both[k] = counts_[g * n_classes_ + k] + counts_[h * n_classes_ + k];
    return phi(both.data(), weight_[g] + weight_[h]) - phi_[g] - phi_[h];
  }
  void note_losses() {
    loss_.assign(weight_.size() * weight_.size(), 0.0);
    least_loss_.assign(weight_.size(), 0.0);
    for (std::size_t a = 0; a < standing_.size(); ++a) {
      for (std::size_t b = a + 1; b < standing_.size(); ++b)
        loss(standing_[a], standing_[b]) = loss_of(standing_[a], standing_[b]);
      note_least(a);
    }
  }
  void note_least(std::size_t a) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t b = a + 1; b < standing_.size(); ++b) least = std::min(least, loss(standing_[a], standing_[b]));
    least_loss_[standing_[a]] = least;
  }
  void update_losses(std::size_t g, std::size_t gone) {
    for (std::size_t a = 0; a < standing_.size(); ++a) {
      const std::size_t other = standing_[a];
      if (other == g) continue;
      const double before = other < g ? loss(other, g) : other < gone ? loss(other, gone) : -1;
      const double removed = other < gone ? loss(other, gone) : -1;
      loss(other, g) = loss_of(other, g);
      if (least_loss_[other] == before || least_loss_[other] == removed) note_least(a);
      else if (other < g) least_loss_[other] = std::min(least_loss_[other], loss(other, g));
    }
    note_least(static_cast<std::size_t>(std::find(standing_.begin(), standing_.end(), g) - standing_.begin()));
  }
  // The pair whose joining leaves the greatest gain, which must be above 0; the same group twice, if there is none.
  std::pair<std::size_t, std::size_t> favourite() {
    const bool keep_apart = n_big() == 2;
    const double now = gain(), per_loss = known_share_ / known_;
    double bar = 0;
    std::pair<std::size_t, std::size_t> found{0, 0};
    for (std::size_t a = 0; a < standing_.size(); ++a) {
      const std::size_t g = standing_[a];
      if (now - per_loss * least_loss_[g] <= bar) continue;
      for (std::size_t b = a + 1; b < standing_.size(); ++b) {
        const std::size_t h = standing_[b];
        const double left = now - per_loss * loss(g, h);
        if (left <= bar || (keep_apart && is_big(g) && is_big(h))) continue;
        found = {g, h};
        bar = left + slack;
      }
    }
    return found;
  }

  Grouping grouping(const State& best) const {
    Grouping found{std::vector<ChildNumber>(group_.size()), best.n_groups, best.gain, best.bits, best.info};
    std::vector<ChildNumber> place(group_.size(), 0);
    ChildNumber next = 0;
    for (std::size_t i = 0; i < group_.size(); ++i)
      if (best.group[i] == i) place[i] = next++;
    if (std::find(best.group.begin(), best.group.end(), apart) != best.group.end())
      found.rest = static_cast<std::int32_t>(found.n_groups++);
    for (std::size_t i = 0; i < group_.size(); ++i)
      found.child[i] = best.group[i] == apart ? static_cast<ChildNumber>(found.rest) : place[best.group[i]];
    // Gains are of the whole weight; the choice among the groupings is paid by the known rows.
    found.gain *= all_;
    found.cost *= all_ / known_;
    return found;
  }

  const Levels& levels_;
  std::size_t n_classes_, n_present_ = 0;
  double least_, known_ = 0, missing_ = 0, all_ = 0, known_share_ = 1, before_ = 0;
  std::vector<double> counts_;   // [group][class]
  std::vector<double> weight_, phi_, loss_, least_loss_;
  std::vector<std::size_t> group_;   // of every level
  std::vector<std::size_t> standing_;
};

}   // namespace

Grouping merge_as_c50(const LevelMerging& task, const Levels& levels, double least) {
  Grouping found = Merger(task, levels, least).best();
  found.gain /= task.unit;   // to the units of the grid
  found.cost /= task.unit;
  return found;
}

}   // namespace treewright
