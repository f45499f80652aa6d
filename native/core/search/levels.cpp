#include "levels.hpp"

#include <numeric>

#include "../ratio.hpp"
#include "correction.hpp"
#include "level_sets.hpp"
#include "../single/grouping.hpp"
#include "merged.hpp"

namespace treewright {

namespace {

class LevelSearch : SetSearch {
 public:
  using SetSearch::SetSearch;
  void use(PlainLevels plain) { plain_ = std::move(plain), placement_.context.plain = plain_.sums; }

  void search(Split& best) {
    Split found;
    if (levels_.size() >= 2) {
      if (growth_.nominal_splits == NominalSplits::multiway) branch_per_level(found);
      else if (growth_.nominal_splits == NominalSplits::merged) branch_per_group(found);
      else if (growth_.splitter == Splitter::random) random_levels(found);
      else if (growth_.nominal_splits == NominalSplits::one_vs_rest) one_against_rest(found);
      else best_subset(found);
    }
    if (found && !found.levels) settle_two_sides(found);
    placement_.add_missing_child(found);
    placement_.offer_missing_alone(found);
    if (!found) return;
    if (found.missing_alone) {
      found.levels = map_of(std::vector<ChildNumber>(levels_.size(), 0));
      found.found_by = FoundBy::every_level;
    }
    placement_.set_split_info(found);
    if (growth_.level_correction && !found.missing_alone) correct(found);
    if (found.beats(best)) best = std::move(found);
  }

 private:
  void settle_two_sides(Split& found) {
    std::vector<ChildNumber> child(levels_.size());
    const bool swap = growth_.nominal_splits == NominalSplits::subset && !left_[0];   // the first level goes first
    for (std::size_t i = 0; i < child.size(); ++i) child[i] = left_[i] == static_cast<std::uint8_t>(swap);
    found.levels = map_of(std::move(child));
    if (!swap) return;
    found.left_weight = context().criterion.weight(context().total) - found.left_weight;
    if (placement_.tries_both_sides()) found.missing_left = !found.missing_left;
  }

  // ---- a branch for each group of levels
  void branch_per_group(Split& found) {
    const AnyCriterion& criterion = context().criterion;
    if (levels_.n_declared < 3 || levels_.size() > most_merged) return branch_per_level(found);
    if (growth_.classic.merging == Merging::c45) return group_as_c45(found);
    const LevelMerging task{[&](ConstTally total, ConstTally left) { return criterion.gain(total, left); },
                            criterion.n_sums(),
                            criterion.weight(context().total),
                            context().missing_seen ? criterion.weight(missing_) : 0,
                            criterion.user_mass(1),
                            gain_of_all_levels()};
    offer_grouping(merge_as_c50(task, levels_, growth_.min_weight_leaf), found);
  }
  void offer_grouping(const Grouping& grouping, Split& found) {
    if (!grouping) return;
    found = Split{};
    found.gain = grouping.gain;
    found.cost = grouping.cost;
    found.score = context().scale.score(grouping.gain);
    found.feature = context().feature;
    found.missing_seen = context().missing_seen;
    found.n_children = static_cast<std::int32_t>(grouping.n_groups);
    found.split_info = grouping.info;
    found.second_weight = grouping.second_weight;
    found.heuristic = true;
    found.rest = grouping.rest;
    found.found_by = FoundBy::merged;
    found.levels = map_of(grouping.child);
  }

  // As C4.5 merges them; what that gains is counted exactly.
  void group_as_c45(Split& found) {
    const AnyCriterion& criterion = context().criterion;
    const auto single_of = [&](std::int64_t units) {
      return static_cast<float>(static_cast<double>(units) * criterion.user_mass(1));
    };
    single::BranchCounts counts(criterion.n_sums(), levels_.size());
    for (std::size_t i = 0; i < levels_.size(); ++i)
      for (std::size_t c = 0; c < counts.n_classes; ++c)
        counts.counts[i * counts.n_classes + c] = single_of(levels_.tally(i)[c]);
    counts.weigh();
    counts.unknown = context().missing_seen ? single_of(criterion.weight(missing_)) : 0;
    counts.all = single_of(criterion.weight(context().total)) + counts.unknown;
    const single::Groups groups = single::group_levels(counts, growth_.min_weight_leaf, growth_.by_ratio);
    if (!groups) return;
    Grouping grouping{std::vector<ChildNumber>(levels_.size()), groups.levels.size()};
    grouping.info = groups.worth.info;
    if (!groups.absent.empty()) grouping.rest = static_cast<std::int32_t>(grouping.n_groups++);
    for (const std::size_t level : groups.absent) grouping.child[level] = static_cast<ChildNumber>(grouping.rest);
    OwnTally<AnyCriterion> rest(criterion, context().total);
    std::vector<std::int64_t> weights;
    for (std::size_t g = 0; g < groups.levels.size(); ++g) {
      OwnTally<AnyCriterion> group(criterion);
      for (const std::size_t level : groups.levels[g]) {
        group.add(levels_.tally(level));
        grouping.child[level] = static_cast<ChildNumber>(g);
      }
      grouping.gain += criterion.gain(rest, group);
      rest.subtract(group.values);
      weights.push_back(criterion.weight(group));
    }
    std::nth_element(weights.begin(), weights.begin() + 1, weights.end(), std::greater<>());
    grouping.second_weight = weights[1];
    offer_grouping(grouping, found);
  }

  // ---- a branch for each level
  double gain_of_all_levels() const {   // with missing rows, if they will join a level, as one more branch
    const AnyCriterion& criterion = context().criterion;
    const bool joins = placement_.tries_both_sides();
    OwnTally<AnyCriterion> rest(criterion, context().total);
    if (joins) rest.subtract(missing_);
    double gain = context().offset + (joins ? criterion.gain(context().total, missing_) : 0);
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      gain += criterion.gain(rest, levels_.tally(i));
      rest.subtract(levels_.tally(i));
    }
    return gain;
  }

  void branch_per_level(Split& found) {
    const AnyCriterion& criterion = context().criterion;
    const std::size_t m = levels_.size();
    const bool joins = placement_.tries_both_sides();   // missing rows go with one of the levels
    const double gain = gain_of_all_levels();
    std::size_t n_short = 0, last_short = 0;   // levels with too few rows
    for (std::size_t i = 0; i < m; ++i) {
      const ConstTally level = levels_.tally(i);
      const bool enough = levels_.single.empty() ? context().rules.enough(criterion, level)
                                                 : double{levels_.single[i]} >= growth_.min_weight_leaf;
      if (enough && criterion.allows(context().total, level)) continue;
      ++n_short;
      last_short = i;
    }
    const Branches needed = growth_.classic.branches;
    if (needed == Branches::two ? m - n_short < 2 : needed == Branches::all && n_short > (joins ? 1 : 0)) return;
    for (std::size_t k = 0; k < (joins ? m : 1); ++k) {
      double here = gain;
      if (joins) {
        OwnTally<AnyCriterion> both(criterion, levels_.tally(k));
        both.add(missing_);
        const bool enough = context().rules.enough(criterion, both) && criterion.allows(context().total, both);
        if (n_short > 0 && (k != last_short || !enough)) continue;
        here -= criterion.gain(both, missing_);
      }
      Split split;
      split.gain = here;
      split.score = context().scale.score(here);
      split.feature = context().feature;
      split.missing_seen = context().missing_seen;
      split.place = {0, static_cast<Key>(k)};
      split.n_children = static_cast<std::int32_t>(m);
      if (joins) split.missing_to = static_cast<std::int32_t>(k);
      split.found_by = FoundBy::every_level;
      if (split.beats(found)) found = std::move(split);
    }
    if (!found) return;
    std::vector<ChildNumber> child(m);
    std::iota(child.begin(), child.end(), ChildNumber{0});
    found.levels = map_of(std::move(child));
    std::vector<std::int64_t> weights;
    for (std::size_t i = 0; i < m; ++i) weights.push_back(criterion.weight(levels_.tally(i)));
    if (joins) weights[static_cast<std::size_t>(found.missing_to)] += criterion.weight(missing_);
    else if (context().missing_seen) weights.push_back(criterion.weight(missing_));
    found.split_info = split_information(weights);
    std::nth_element(weights.begin(), weights.begin() + 1, weights.end(), std::greater<>());
    found.second_weight = weights[1];
  }

  // ---- many levels win by chance alone: see correction.hpp
  void correct(Split& found) const {
    const AnyCriterion& criterion = context().criterion;
    const ConstTally all = context().total;
    OwnTally<AnyCriterion> known(criterion, all);
    if (placement_.tries_both_sides()) known.subtract(missing_);
    std::vector<std::int64_t> groups(static_cast<std::size_t>(found.n_children) * levels_.width, 0);
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const ConstTally t = levels_.tally(i);
      for (std::size_t k = 0; k < t.size(); ++k) groups[found.levels->child[i] * levels_.width + k] += t[k];
    }
    const Evidence by_level = criterion.evidence(known, levels_.cells, context().scale);
    const Evidence by_split = criterion.evidence(known, groups, context().scale);
    const auto n = static_cast<double>(criterion.rows(known));
    const double factor = correction(by_level, by_split, static_cast<double>(levels_.size()), n);
    found.score = context().scale.score(found.gain * factor);
  }
};

}   // namespace

void search_levels(const SearchContext<AnyCriterion>& context, const Levels& levels, ConstTally missing,
                   const Growth& growth, std::uint64_t random_key, PlainLevels plain, Split& best) {
  LevelSearch search(context, levels, missing, growth, random_key);
  search.use(std::move(plain));
  search.search(best);
}

}   // namespace treewright
