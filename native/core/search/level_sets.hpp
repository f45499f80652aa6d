// Two-way tests of levels: the best set, one level against the rest, a set drawn at random.
#pragma once
#include "../any_criterion.hpp"
#include "../random.hpp"
#include "../scan.hpp"
#include "level_order.hpp"
#include "level_sweep.hpp"

namespace treewright {

inline constexpr std::size_t try_all_levels = 12;   // up to so many levels every subset may be tried

class SetSearch {
 public:
  SetSearch(const SearchContext<AnyCriterion>& context, const Levels& levels, ConstTally missing, const Growth& growth,
            std::uint64_t random_key)
      : placement_(context, missing), levels_(levels), missing_(missing), growth_(growth), random_key_(random_key) {}

 protected:
  const SearchContext<AnyCriterion>& context() const { return placement_.context; }
  std::shared_ptr<const LevelMap> map_of(std::vector<ChildNumber> child) const {
    return std::make_shared<const LevelMap>(LevelMap{levels_.code, std::move(child)});
  }

  // ---- x in A
  void best_subset(Split& found) {
    collect_sums();
    const std::size_t m = levels_.size();
    const bool one_by_one = growth_.classic.ordered_sets && context().criterion.n_sums() > 2;
    if (one_by_one && m <= try_sets_one_by_one) return every_subset(found);
    if (m != 2 && dims_ > 2) placement_.context.plain = nullptr;   // what follows does not move level by level
    if (m == 2 || dims_ <= 2) {
      const bool counts = context().criterion.sums_are_counts();   // rpart looks at the first class
      const ClassicRules& rules = growth_.classic;                 // ... and of equal rates at the last
      scan_order(order_by_ratio(sums_, dims_, counts, counts && rules.ordered_sets, rules.zero_rates), found);
      found.found_by = FoundBy::order;
    } else if (dims_ == 3 && m > 4 && sweep_levels(found)) {
      found.found_by = FoundBy::sweep;
    } else if (m <= try_all_levels) {
      return every_subset(found);
    } else {
      return principal_component(found);
    }
    // What the rules forbade may hide a better set that they allow: the theorem says nothing of those.
    if (placement_.tries_both_sides() &&
        !context().rules.allow(context().criterion, context().total, missing_, scratch_)) {
      refused_ = std::max(refused_, context().gain(missing_));
    }
    const bool open = refused_ >= 0 && context().scale.score(refused_) > found.score;
    if (open && m > 2 && !growth_.classic.ordered_sets && m <= try_all_levels) return every_subset(found);
    found.heuristic = open && m > 2;
  }

  void collect_sums() {   // of every level: what impurity depends on; sums that are 0 everywhere are left out
    const AnyCriterion& criterion = context().criterion;
    std::vector<std::int64_t> total(criterion.n_sums());
    criterion.sums(context().total, total.data());
    std::vector<std::size_t> used;
    for (std::size_t d = 0; d < total.size(); ++d)
      if (total[d] != 0 || !criterion.sums_are_counts()) used.push_back(d);
    dims_ = used.size();
    sums_.resize(levels_.size() * dims_);
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      criterion.sums(levels_.tally(i), total.data());
      for (std::size_t d = 0; d < dims_; ++d) sums_[i * dims_ + d] = total[used[d]];
    }
  }

  void scan_order(const LevelOrder& order, Split& found) {
    const LevelsInOrder buckets{levels_, order, next_place_, plain_.parts};
    placement_.each_side([&](ConstTally start, bool missing_left) {
      scan(context(), buckets, start, missing_left, found, Refusals{refused_});
    });
    next_place_ += static_cast<Key>(order.size());
    const Key at = found.place.key - buckets.first;
    if (!found || at < 0 || at >= static_cast<Key>(order.size())) return;
    left_.assign(levels_.size(), 0);
    for (Key i = 0; i <= at; ++i) left_[order[static_cast<std::size_t>(i)]] = 1;
  }

  // Offers a set whose tally (without missing rows) is `sum`, with missing rows on either side; `keep` writes it down
  // in left_ if it is the best so far.
  template <class Keep>
  void offer_set(ConstTally sum, Split& found, Keep&& keep) {
    placement_.each_side(
        [&](ConstTally start, bool missing_left) { offer_set(sum, start, missing_left, found, keep); });
    ++next_place_;
  }
  template <class Keep>
  void offer_set(ConstTally sum, ConstTally start, bool missing_left, Split& found, Keep&& keep) {
    for (std::size_t k = 0; k < sum.size(); ++k) offered_.values[k] = sum[k] + start[k];
    const double gain = context().gain(offered_);
    if (gain * context().scale.per_mass + 0.5 < static_cast<double>(found.score)) return;
    if (!offer(context(), offered_, gain, missing_left, scratch_, found,
               [&](Split& split) { split.place = {0, next_place_}; })) {
      refused_ = std::max(refused_, gain);
      return;
    }
    if (found.place.key == next_place_) keep();
  }

  // All sets without the last level: a Gray code moves one level at a time.
  void every_subset(Split& found) {
    found = Split{};
    refused_ = -1;
    const std::size_t m = levels_.size();
    std::vector<std::uint8_t> left(m, 0);
    OwnTally<AnyCriterion> sum(context().criterion);
    for (std::uint32_t step = 1; step < 1u << (plain_.moves_last ? m : m - 1); ++step) {
      const auto k = static_cast<std::size_t>(std::countr_zero(step));
      left[k] ^= 1;
      if (left[k]) sum.add(levels_.tally(k));
      else sum.subtract(levels_.tally(k));
      if (context().plain) context().plain->move(plain_.parts[k], left[k] ? 1 : -1);
      offer_set(sum, found, [&] { left_ = left; });
    }
    found.found_by = FoundBy::every_subset;
  }

  // False where levels point in so many directions that it would cost more than it is given.
  bool sweep_levels(Split& found) {
    std::vector<Sums3> sums(levels_.size());
    for (std::size_t i = 0; i < sums.size(); ++i) std::copy_n(&sums_[i * 3], 3, sums[i].begin());
    const Directions directions = directions_of(std::move(sums));
    if (directions.size() > static_cast<std::size_t>(growth_.sweep_levels)) return false;
    std::vector<OwnTally<AnyCriterion>> tallies(directions.size(), OwnTally<AnyCriterion>(context().criterion));
    for (std::size_t i = 0; i < levels_.size(); ++i) tallies[directions.of[i]].add(levels_.tally(i));
    std::vector<std::uint8_t> left(directions.size(), 0);
    OwnTally<AnyCriterion> sum(context().criterion);
    const auto move = [&](std::size_t k) {
      left[k] ^= 1;
      if (left[k]) sum.add(tallies[k].values);
      else sum.subtract(tallies[k].values);
    };
    const auto levels_on_the_left = [&] {
      for (std::size_t i = 0; i < levels_.size(); ++i) left_[i] = left[directions.of[i]];
    };
    left_.resize(levels_.size());
    sweep(directions.axes, move, [&] { offer_set(sum, found, levels_on_the_left); });
    return true;
  }

  void principal_component(Split& found) {
    const std::size_t m = levels_.size();
    const AnyCriterion& criterion = context().criterion;
    std::vector<std::vector<double>> mean(m, std::vector<double>(dims_));
    std::vector<double> weight(m), key(m);
    for (std::size_t i = 0; i < m; ++i) {
      weight[i] = static_cast<double>(criterion.weight(levels_.tally(i)));
      for (std::size_t d = 0; d < dims_; ++d) mean[i][d] = static_cast<double>(sums_[i * dims_ + d]) / weight[i];
    }
    scan_order(order_by(along_component(mean, weight)), found);
    for (std::size_t d = 0; d < dims_; ++d) {
      for (std::size_t i = 0; i < m; ++i) key[i] = mean[i][d];
      scan_order(order_by(key), found);
    }
    if (found) polish(found);
    found.found_by = FoundBy::component;
    found.heuristic = true;
  }

  // Moves single levels across while that gains.
  void polish(Split& found) {
    std::vector<std::uint8_t> left = left_;
    OwnTally<AnyCriterion> sum(context().criterion);
    for (std::size_t i = 0; i < left.size(); ++i)
      if (left[i]) sum.add(levels_.tally(i));
    bool moved = true;
    for (int round = 0; moved && round < 20; ++round) {
      moved = false;
      for (std::size_t i = 0; i < left.size(); ++i) {
        const Score before = found.score;
        const auto flip = [&] {
          left[i] ^= 1;
          if (left[i]) sum.add(levels_.tally(i));
          else sum.subtract(levels_.tally(i));
        };
        flip();
        offer_set(sum, found, [&] { left_ = left; });
        if (found.score > before) moved = true;
        else flip();
      }
    }
  }

  // ---- x = a
  // J48: the level of the greatest gain ratio; the first declared one needs none.
  void one_by_ratio(Split& found) {
    const AnyCriterion& criterion = context().criterion;
    const auto all = static_cast<double>(criterion.weight(context().total) + criterion.weight(missing_));
    double best_ratio = 0;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      Split split;
      std::vector<std::uint8_t> left(levels_.size(), 0);
      left[i] = 1;
      std::swap(left, left_);
      placement_.context.better_by = 0;
      const bool allowed = offer(context(), levels_.tally(i), context().gain(levels_.tally(i)), false, scratch_, split,
                                 [&](Split& s) { s.place = {0, static_cast<Key>(i)}; });
      placement_.set_split_info(split);
      const double ratio = split.split_info > 0 ? split.gain / all / split.split_info : 0;
      if (allowed && (levels_.code[i] == 0 || ratio - best_ratio > growth_.classic.better_by)) {
        best_ratio = ratio;
        found = std::move(split);
      } else {
        std::swap(left, left_);
      }
    }
    found.found_by = FoundBy::every_level;
  }
  void one_against_rest(Split& found) {
    if (growth_.classic.comparison == Comparison::j48) return one_by_ratio(found);
    std::vector<std::uint8_t> left(levels_.size(), 0);
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      left[i] = 1;
      offer_set(levels_.tally(i), found, [&] { left_ = left; });
      left[i] = 0;
    }
    found.found_by = FoundBy::every_level;
  }

  // ---- a set drawn at random: every level a coin, or one level
  void random_levels(Split& found) {
    const auto feature = static_cast<std::uint64_t>(context().feature);
    const std::size_t m = levels_.size();
    std::vector<std::uint8_t> left(m, 0);
    const auto one = static_cast<std::size_t>(draw(random_key_, feature, 1) % m);
    if (growth_.nominal_splits == NominalSplits::subset) {
      for (std::size_t i = 0; i < m; ++i) {
        left[i] = draw(random_key_, feature, 3 + static_cast<std::uint64_t>(levels_.code[i])) & 1;
      }
      const auto n = static_cast<std::size_t>(std::count(left.begin(), left.end(), 1));
      if (n == 0 || n == m) left[one] ^= 1;
    } else {
      left[one] = 1;
    }
    OwnTally<AnyCriterion> sum(context().criterion);
    for (std::size_t i = 0; i < m; ++i)
      if (left[i]) sum.add(levels_.tally(i));
    const bool missing_left = (draw(random_key_, feature, 2) & 1) != 0;
    placement_.each_side([&](ConstTally start, bool side) {
      if (!placement_.tries_both_sides() || side == missing_left)
        offer_set(sum, start, side, found, [&] { left_ = left; });
    });
    found.found_by = FoundBy::random;
  }

  MissingPlacement<AnyCriterion> placement_;
  const Levels& levels_;
  ConstTally missing_;
  const Growth& growth_;
  std::uint64_t random_key_;
  std::size_t dims_ = 0;
  std::vector<std::int64_t> sums_;   // [level][dims]
  std::vector<std::uint8_t> left_;   // of the best set so far
  OwnTally<AnyCriterion> offered_{placement_.context.criterion};
  PlainLevels plain_;
  std::vector<std::int64_t> scratch_;
  double refused_ = -1;
  Key next_place_ = 0;
};

}   // namespace treewright
