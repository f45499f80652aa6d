#include "merged.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include "../growth.hpp"
#include "../ratio.hpp"

namespace treewright {

namespace {

// Groups keep the number of their first level; `standing_` lists those that are left, in the order of the branches.
class Merger {
 public:
  Merger(const LevelMerging& task, const Levels& levels, const Growth& growth)
      : task_(task),
        levels_(levels),
        growth_(growth),
        gain_(task.gain_of_levels),
        tally_(levels.cells),
        loss_(levels.size() * levels.size(), 0.0),
        group_(levels.size()),
        standing_(levels.size()) {
    std::iota(group_.begin(), group_.end(), std::size_t{0});
    std::iota(standing_.begin(), standing_.end(), std::size_t{0});
    for (std::size_t g = 0; g < group_.size(); ++g) weight_.push_back(weight_of(tally(g)));
    for (const std::size_t g : standing_) note_losses(g);
    missing_ = task.missing;
    all_ = static_cast<double>(task.known + missing_);
    unit_ = task.unit;
  }

  // C4.5: levels of less than half a row are put aside as one group. Groups of one class are joined; then again and
  // again the two whose joining gives the best ratio (the last of equals), as long as it is no worse than before. Two
  // groups of the least weight remain, and while there are but two, the largest group is joined with none.
  Grouping as_c45(double least) {
    constexpr double slack = 1e-9;
    set_aside_below(0.5);
    join_single_classes();
    if (standing_.size() < 2) return {};
    const Before before = before_split();
    double now = value(before, lost_, info());
    while (standing_.size() > 2) {
      const std::size_t n_now = n_reach(least), heaviest = largest();
      const double bits = info();
      double best = -std::numeric_limits<double>::infinity();
      std::size_t best_a = 0, best_b = 0;
      for (std::size_t a = 0; a < standing_.size(); ++a) {
        for (std::size_t b = a + 1; b < standing_.size(); ++b) {
          const std::int64_t one = weight_[standing_[a]], two = weight_[standing_[b]];
          const std::size_t n_then = n_now - reaches(one, least) - reaches(two, least) + reaches(one + two, least);
          if (n_then < 2 || (n_now == 2 && (a == heaviest || b == heaviest))) continue;
          const double joined = bits - surprise(one) - surprise(two) + surprise(one + two);
          const double next = value(before, lost_ + loss(a, b), joined);
          if (next >= best - slack) best = next, best_a = a, best_b = b;
        }
      }
      if (best < now - slack) break;
      join(best_a, best_b, true);
      now = best;
    }
    return n_reach(least) < 2 ? Grouping{} : grouping(before.gain(lost_), 0, info());
  }

 private:
  static constexpr std::size_t apart = std::numeric_limits<std::size_t>::max();   // of a level that was set aside

  Tally tally(std::size_t g) { return {&tally_[g * levels_.width], levels_.width}; }
  ConstTally tally(std::size_t g) const { return {&tally_[g * levels_.width], levels_.width}; }

  // ---- gain and split information
  // gain = phi(all) - share x phi(groups): rows that were set aside count before the split, and in no branch.
  struct Before {
    double all, groups, share;
    double gain(double lost) const { return all - share * (groups + lost); }
  };
  Before before_split() const {
    std::vector<std::int64_t> all(levels_.width, 0);
    std::int64_t in_groups = 0;
    double groups = -lost_;   // phi of the levels themselves
    for (const std::size_t g : standing_) in_groups += weight_[g], groups += phi(tally(g));
    for (std::size_t i = 0; i < levels_.size(); ++i)
      for (std::size_t k = 0; k < levels_.width; ++k) all[k] += levels_.tally(i)[k];
    return {phi(all), groups, static_cast<double>(weight_of(all)) / static_cast<double>(in_groups)};
  }
  double phi(ConstTally t) const {   // weight x entropy, in bits
    return split_information(t.first(task_.n_classes)) * static_cast<double>(weight_of(t));
  }
  double value(const Before& before, double lost, double bits) const {
    const double gain = before.gain(lost) / all_;
    if (!growth_.by_ratio) return gain;
    return bits > 1e-3 ? gain / bits : -1e-3;
  }
  double surprise(std::int64_t weight) const {   // -p log2 p, of all rows of the node
    const double share = static_cast<double>(weight) / all_;
    return share > 0 ? -share * std::log2(share) : 0;
  }
  double info() const {   // of the groups and of the missing rows
    double sum = surprise(missing_);
    for (const std::size_t g : standing_) sum += surprise(weight_[g]);
    return sum;
  }

  // ---- weights
  std::int64_t weight_of(ConstTally t) const {
    return std::accumulate(t.begin(), t.begin() + static_cast<std::ptrdiff_t>(task_.n_classes), std::int64_t{0});
  }
  bool reaches(std::int64_t units, double least) const {
    return static_cast<double>(static_cast<float>(static_cast<double>(units) * unit_)) >= least;
  }
  std::size_t n_reach(double least) const {
    return static_cast<std::size_t>(
        std::count_if(standing_.begin(), standing_.end(), [&](std::size_t g) { return reaches(weight_[g], least); }));
  }
  std::size_t largest() const {   // the first of equals
    const auto heavier = [&](std::size_t a, std::size_t b) { return weight_[a] < weight_[b]; };
    return static_cast<std::size_t>(std::max_element(standing_.begin(), standing_.end(), heavier) - standing_.begin());
  }

  // ---- what is lost where two groups are joined
  double& loss_at(std::size_t g, std::size_t h) { return loss_[std::min(g, h) * group_.size() + std::max(g, h)]; }
  double loss(std::size_t a, std::size_t b) const {   // of the groups in these places
    const std::size_t g = standing_[a], h = standing_[b];
    return loss_[std::min(g, h) * group_.size() + std::max(g, h)];
  }
  void note_losses(std::size_t g) {
    std::vector<std::int64_t> both(levels_.width);
    for (const std::size_t h : standing_) {
      if (h == g) continue;
      for (std::size_t k = 0; k < both.size(); ++k) both[k] = tally(g)[k] + tally(h)[k];
      loss_at(g, h) = task_.gain(both, tally(g));
    }
  }
  // ---- joining; a < b are places
  void join(std::size_t a, std::size_t b, bool last_moves = false) {
    const std::size_t g = standing_[a], h = standing_[b];
    lost_ += loss(a, b);
    gain_ -= loss(a, b);
    for (std::size_t k = 0; k < levels_.width; ++k) tally(g)[k] += tally(h)[k];
    weight_[g] += weight_[h];
    std::replace(group_.begin(), group_.end(), h, g);
    remove(b, last_moves);
    note_losses(g);
  }
  void remove(std::size_t place, bool last_moves) {   // the last group takes its place, or those after it move up
    if (last_moves) standing_[place] = standing_.back();
    standing_.erase(last_moves ? standing_.end() - 1 : standing_.begin() + static_cast<std::ptrdiff_t>(place));
  }
  void set_aside_below(double least) {
    for (std::size_t a = standing_.size(); a-- > 0;) {
      const std::size_t g = standing_[a];
      if (static_cast<double>(weight_[g]) * unit_ >= least) continue;
      group_[g] = apart;
      remove(a, false);
    }
  }
  // Whether all but a tenth of a row of a group is of this class.
  bool is_single(std::size_t g, std::size_t of_class) const {
    return static_cast<double>(weight_[g] - tally(g)[of_class]) * unit_ < 0.1;
  }
  void join_single_classes() {
    for (std::size_t a = 0; a < standing_.size(); ++a) {
      const ConstTally counts = tally(standing_[a]).first(task_.n_classes);
      const auto most = static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
      if (!is_single(standing_[a], most)) continue;
      for (std::size_t b = a + 1; b < standing_.size();)
        if (is_single(standing_[b], most)) join(a, b, true);
        else ++b;
    }
  }
  Grouping grouping(double gain, double cost, double bits) const {
    Grouping found{std::vector<ChildNumber>(group_.size()), standing_.size(), gain, cost, bits};
    std::vector<ChildNumber> place(group_.size());
    std::vector<std::int64_t> weights;
    for (std::size_t a = 0; a < standing_.size(); ++a) {
      place[standing_[a]] = static_cast<ChildNumber>(a);
      weights.push_back(weight_[standing_[a]]);
    }
    if (std::find(group_.begin(), group_.end(), apart) != group_.end())
      found.rest = static_cast<std::int32_t>(found.n_groups++);
    for (std::size_t i = 0; i < group_.size(); ++i)
      found.child[i] = group_[i] == apart ? static_cast<ChildNumber>(found.rest) : place[group_[i]];
    std::nth_element(weights.begin(), weights.begin() + 1, weights.end(), std::greater<>());   // of two or more
    found.second_weight = weights[1];
    return found;
  }

  const LevelMerging& task_;
  const Levels& levels_;
  const Growth& growth_;
  double gain_, lost_ = 0;             // of the present groups; by joining so far
  std::vector<std::int64_t> tally_;    // [group][width]
  std::vector<std::int64_t> weight_;   // of every group
  std::vector<double> loss_;           // [group][later group]
  std::vector<std::size_t> group_;     // of every level
  std::vector<std::size_t> standing_;
  std::int64_t missing_ = 0;
  double all_ = 0, unit_ = 1;   // the weight of the node; the user's weight of one unit of the grid
};

}   // namespace

Grouping merge_as_c45(const LevelMerging& task, const Levels& levels, const Growth& growth, double least) {
  return Merger(task, levels, growth).as_c45(least);
}

}   // namespace treewright
