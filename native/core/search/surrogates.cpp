#include "surrogates.hpp"

#include "../criteria/agreement.hpp"
#include "../criterion_of.hpp"
#include "../route.hpp"
#include "counted.hpp"
#include "nominal.hpp"

namespace treewright {

namespace {

class SurrogateSearch {
 public:
  // `total`: the weight of both sides over all rows whose primary value is known. `heavier`: of these sides.
  SurrogateSearch(const Columns& columns, const Growth& growth, const Split& primary, ConstTally total, int heavier)
      : columns_(columns),
        growth_(growth),
        total_(total.begin(), total.end()),
        heavier_(heavier),
        choice_(columns.size(), growth, true) {
    for (std::size_t f = 0; f < columns.size(); ++f) {
      const auto feature = static_cast<std::int32_t>(f);
      if (feature != primary.feature) (columns[f].nominal ? nominal : numeric).push_back(feature);
      choice_.of_each()[f].score = 1;   // to be beaten: agreeing no more than the heavier side is nothing
    }
  }

  std::vector<std::int32_t> numeric, nominal;   // the other columns
  Choice& choice() { return choice_; }
  bool any_possible() const { return std::min(total_[1], total_[2]) > 0 && growth_.max_surrogates > 0; }

  SearchInput context(std::int32_t feature) const {
    Rules rules;
    rules.min_rows = 2;   // a surrogate sends at least two rows each way
    const Scale scale(static_cast<double>(Agreement::mass(total_)));
    return {total_, scale, rules, feature, Missing::surrogate};
  }

  // What a column must beat to be among the few that agree best. `known`: it has a value in all rows that have a side, as have
  // those that it is compared with: then the greater gain is the greater agreement.
  Split incumbent(std::int32_t feature, bool known) const {
    Split least = choice_.incumbent(feature);
    const auto n = static_cast<std::size_t>(growth_.max_surrogates);
    if (known && best_.size() >= n) least.score = std::max(least.score, best_[n - 1] - 1);
    return least;
  }
  void offer(Split&& found, bool known) {
    if (known && found.feature >= 0)
      best_.insert(std::upper_bound(best_.begin(), best_.end(), found.score, std::greater{}), found.score);
    choice_.offer(std::move(found));
  }
  // The columns of numbers that may be among the few, from what their bins say: one that is surely worse than enough others
  // at the edges of theirs is not. The others must reach what these do.
  std::vector<std::int32_t> promising(const Histogram& histogram, const BinnedColumns& binned) {
    std::vector<Agreement::Range> range;
    std::vector<std::int64_t> reached;
    for (const std::int32_t feature : numeric) {
      const auto f = static_cast<std::size_t>(feature), n_bins = static_cast<std::size_t>(binned[f].n_bins);
      range.push_back(Agreement::range_of_gain(total_, {histogram.column(f), 3 * (n_bins + 1)}, binned[f].single));
      if (range.back().known) reached.push_back(range.back().reached);
    }
    const auto n = static_cast<std::size_t>(growth_.max_surrogates);
    if (reached.size() < n) return numeric;
    std::nth_element(reached.begin(), reached.begin() + static_cast<std::ptrdiff_t>(n - 1), reached.end(),
                     std::greater{});
    const std::int64_t least = reached[n - 1];
    const Score score = Scale(static_cast<double>(Agreement::mass(total_))).score(static_cast<double>(least)) - 1;
    std::vector<std::int32_t> some;
    for (std::size_t i = 0; i < numeric.size(); ++i) {
      if (range[i].known && range[i].most < least) continue;
      some.push_back(numeric[i]);
      Score& to_beat = choice_.of_each()[static_cast<std::size_t>(numeric[i])].score;
      if (range[i].known) to_beat = std::max(to_beat, score);
    }
    return some;
  }

  // Every level goes where most of its rows went; undecided ones to the heavier side.
  void offer_levels(const Levels& levels, std::int32_t feature) {
    LevelMap map;
    std::array<std::int64_t, 2> n_rows{}, n_same{}, sides{};   // to each child; of these from the same side; weights
    Split split;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const ConstTally t = levels.tally(i);
      if (Agreement::rows(t) == 0) continue;   // only rows whose primary value is missing
      const int child = t[1] == t[2] ? heavier_ : t[2] > t[1];
      map.code.push_back(levels.code[i]);
      map.child.push_back(static_cast<ChildNumber>(child));
      n_rows[static_cast<std::size_t>(child)] += Agreement::rows(t);
      n_same[static_cast<std::size_t>(child)] += Agreement::rows_of(t, child);
      sides[0] += t[1], sides[1] += t[2];
      split.left_weight += std::max(t[1], t[2]);   // see Agreement::note
    }
    if (growth_.classic.imperfect_levels) {
      const std::int64_t same = n_same[0] + n_same[1], all = n_rows[0] + n_rows[1];
      if (std::min(same, all - same) < 2) return;
    } else if (std::min(n_rows[0], n_rows[1]) < 2) {
      return;
    }
    split.known_weight = sides[0] + sides[1];
    split.known_majority = std::max(sides[0], sides[1]);
    split.feature = feature;
    split.score = 2;
    split.levels = std::make_shared<const LevelMap>(std::move(map));
    choice_.offer(std::move(split));
  }

  // The few that agree best, better than the heavier side alone would. find_neighbours(split) names the values around
  // a cut.
  template <class FindNeighbours>
  std::shared_ptr<std::vector<Surrogate>> best(FindNeighbours&& find_neighbours) {
    const bool by_known = growth_.classic.surrogate_style == SurrogateStyle::known;
    const auto share = [&](std::int64_t weight, const Split& s) {   // of the rows that count
      return static_cast<double>(weight) / static_cast<double>(by_known ? s.known_weight : total_[1] + total_[2]);
    };
    const auto agreement = [&](const Split& s) { return share(std::abs(s.left_weight), s); };
    const auto adjusted = [&](const Split& s) {
      const double majority = share(by_known ? s.known_majority : std::max(total_[1], total_[2]), s);
      return (agreement(s) - majority) / (1 - majority);
    };
    std::vector<Split>& found = choice_.of_each();
    std::erase_if(found, [&](const Split& s) { return s.feature < 0 || !(adjusted(s) > 1e-10); });
    std::stable_sort(found.begin(), found.end(),
                     [&](const Split& a, const Split& b) { return agreement(a) > agreement(b); });
    found.resize(std::min(found.size(), static_cast<std::size_t>(growth_.max_surrogates)));
    auto surrogates = std::make_shared<std::vector<Surrogate>>();
    for (Split& split : found) {
      Surrogate surrogate;
      surrogate.feature = split.feature;
      surrogate.agreement = agreement(split);
      surrogate.adjusted = adjusted(split);
      surrogate.levels = split.levels;
      if (!split.levels) {
        find_neighbours(split);
        surrogate.reversed = split.left_weight < 0;
        const Column& column = columns_[static_cast<std::size_t>(split.feature)];
        const KeyKind kind = key_kind(column.type);
        surrogate.threshold = threshold_between(kind, split.low, split.high, growth_.thresholds, column.is_time);
        if (growth_.classic.strict) make_strict(surrogate.threshold, kind, split.low, split.high);
        surrogate.key = last_key_left(kind, surrogate.threshold);   // as at predict
      }
      surrogates->push_back(std::move(surrogate));
    }
    return surrogates;
  }

 private:
  const Columns& columns_;
  const Growth& growth_;
  std::vector<std::int64_t> total_;
  int heavier_;
  Choice choice_;
  std::vector<Score> best_;   // of the columns that are known in all rows, highest first
};

// Rows without a primary value go to the heavier side when no surrogate knows; or stop.
void set_common_child(Split& primary, ConstTally total, const Growth& growth) {
  const AfterSurrogates rule = growth.classic.after_surrogates;
  primary.use_surrogates = growth.classic.use_surrogates;
  primary.missing_to = total[2] > total[1];
  const bool stop = rule == AfterSurrogates::stop || (rule == AfterSurrogates::heavier && total[1] == total[2]);
  if (stop) primary.missing_to = primary.n_children;
}

// The heavier side. Of equal ones the first; as rpart has it the one whose rows have the higher mean of the target (or
// of the numbers of the classes): see higher_side().
int heavier_side(ConstTally total, const Growth& growth, const HigherSide& higher_side) {
  if (total[1] != total[2]) return total[2] > total[1];
  return growth.classic.imperfect_levels ? higher_side() : 0;
}

}   // namespace

int higher_side(const AnyCriterion& criterion, std::span<const RowIndex> rows, std::span<const std::uint8_t> sides) {
  if (!criterion.additive()) return 0;
  std::array<std::vector<std::int64_t>, 2> tally;
  tally.fill(std::vector<std::int64_t>(criterion.width(), 0));
  for (const auto row : rows)
    if (sides[row] != Agreement::neither) criterion.add(tally[sides[row]], row);
  return criterion.mean_value(tally[0]) < criterion.mean_value(tally[1]);
}

void add_surrogates_by_counting(const Columns& columns, const BinnedColumns& binned, const Growth& growth,
                                std::span<const RowIndex> rows, const RowsInBin& rows_in_bin,
                                std::span<const std::int64_t> weights, std::span<std::uint8_t> sides, Pool& pool,
                                const HigherSide& higher_side, Split& primary) {
  const auto f = static_cast<std::size_t>(primary.feature);
  std::vector<ChildNumber> child(rows.size());
  std::vector<RowIndex> known;
  known.reserve(rows.size());
  primary.missing_to = Agreement::neither;   // for now
  children_by_bin(columns, binned[f], rows, primary, child.data());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    sides[rows[i]] = static_cast<std::uint8_t>(child[i]);
    if (child[i] != Agreement::neither) known.push_back(rows[i]);
  }
  const Agreement agreement(sides, weights);
  const auto total = agreement.summary(known).tally;
  set_common_child(primary, total, growth);
  SurrogateSearch search(columns, growth, primary, total, heavier_side(total, growth, higher_side));
  if (!search.any_possible()) return;
  const AdditiveCriterion<Agreement> criterion(agreement);
  Histogram histogram(binned, agreement.width());
  std::vector<std::int32_t> features = search.numeric;
  features.insert(features.end(), search.nominal.begin(), search.nominal.end());
  // Of rows that weigh 1 those of the smaller side are counted: how many a bin has of both is known.
  const int smaller = total[2] < total[1];
  std::vector<RowIndex> counted;
  const auto was_counted = [&](std::int32_t g) { return rows_in_bin(static_cast<std::size_t>(g), 0) >= 0; };
  const bool by_rest =
      weights.empty() && known.size() == rows.size() && std::all_of(features.begin(), features.end(), was_counted);
  if (by_rest)
    std::copy_if(known.begin(), known.end(), std::back_inserter(counted),
                 [&](auto row) { return sides[row] == smaller; });
  const std::size_t n_groups = std::min<std::size_t>(features.size(), 2 * static_cast<std::size_t>(pool.n_threads()));
  pool.for_each(n_groups, [&](std::size_t group) {
    const std::size_t first = features.size() * group / n_groups, last = features.size() * (group + 1) / n_groups;
    const std::span<const std::int32_t> some = std::span(features).subspan(first, last - first);
    criterion.count(binned, by_rest ? counted : known, some, histogram, pool);
    for (const std::int32_t feature : some) {
      const auto g = static_cast<std::size_t>(feature);
      if (!by_rest || !binned[g].counted) continue;
      for (std::size_t bin = 0; bin <= static_cast<std::size_t>(binned[g].n_bins); ++bin)
        Agreement::add_rest({histogram.column(g) + 3 * bin, 3}, rows_in_bin(g, bin), smaller);
    }
  });
  const CountedNode node{criterion, columns, binned, histogram, known, growth, 0, pool};
  search_counted(
      node, search.promising(histogram, binned), [&](std::int32_t feature) { return search.context(feature); },
      search.choice());
  for (const std::int32_t feature : search.nominal) {
    const auto g = static_cast<std::size_t>(feature);
    OwnTally<Agreement> missing(agreement);   // rows without a level have no say
    search.offer_levels(binned[g].counted ? levels_of_bins(criterion, histogram, binned[g], g)
                                          : levels_of_rows(agreement, columns[g], known, missing),
                        feature);
  }
  primary.surrogates = search.best([&](Split& split) {
    const auto g = static_cast<std::size_t>(split.feature);
    if (!split.has_neighbours) {
      const int next = next_filled_bin(criterion, histogram, g, split.place.bin);
      std::tie(split.low, split.high) = neighbours(columns[g], binned[g], known, split.place.bin, next);
    }
    if (known.size() == rows.size()) return;
    std::vector<Key> keys(rows.size());   // the next value may be that of a row without a side
    read_keys(columns[g], rows, keys.data());
    for (const Key key : keys)
      if (key != missing_key && key > split.low) split.high = std::min(split.high, key);
  });
}

void add_surrogates_by_order(SortedLists& lists, const Segment& segment, const Columns& columns, const Growth& growth,
                             std::span<const std::int64_t> weights, std::span<std::uint8_t> sides,
                             const HigherSide& higher_side, Split& primary) {
  primary.missing_to = Agreement::neither;   // for now
  lists.decide(segment, primary);
  for (const std::uint32_t id : lists.ids(segment)) sides[id] = static_cast<std::uint8_t>(lists.child_of(id));
  const Agreement agreement(sides, weights);
  const auto total = agreement.summary(lists.ids(segment)).tally;
  set_common_child(primary, total, growth);
  SurrogateSearch search(columns, growth, primary, total, heavier_side(total, growth, higher_side));
  if (!search.any_possible()) return;
  for (const std::int32_t feature : search.numeric) {
    const auto [entries, n_present] = lists.present(static_cast<std::size_t>(feature), segment);
    const bool known = n_present == segment.size();
    Split found = search.incumbent(feature, known);
    search_sorted(lists, SearchContext<Agreement>{search.context(feature), agreement}, segment, growth, found);
    search.offer(std::move(found), known);
  }
  for (const std::int32_t feature : search.nominal) {
    const auto [entries, n_present] = lists.present(static_cast<std::size_t>(feature), segment);
    search.offer_levels(levels_in_order(agreement, lists, static_cast<std::size_t>(feature), entries.first(n_present)),
                        feature);
  }
  primary.surrogates = search.best([&](Split& split) {   // the nearest value of a row with a side, and the next of any
    const auto feature = static_cast<std::size_t>(split.feature);
    std::vector<SortedLists::Entry> whole;
    auto [entries, n_present] = lists.present(feature, segment);
    if (columns[feature].sparse) {
      whole = lists.with_zeros(feature, segment);
      entries = std::span(whole).first(whole.size() - (entries.size() - n_present));
    } else {
      entries = entries.first(n_present);
    }
    const auto has_side = [&](SortedLists::Entry e) { return sides[SortedLists::id(e)] != Agreement::neither; };
    const auto after =
        std::lower_bound(entries.begin(), entries.end(), static_cast<SortedLists::Entry>(split.place.key + 1) << 32);
    split.high = SortedLists::id(*after);
    split.low = SortedLists::id(*std::find_if(std::reverse_iterator(after), entries.rend(), has_side));
    lists.find_neighbours(split);
  });
}

}   // namespace treewright
