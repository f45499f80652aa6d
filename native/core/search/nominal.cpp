#include "nominal.hpp"

#include "levels.hpp"
#include "plain_columns.hpp"

namespace treewright {

namespace {

// The weight of every level, class by class.
void weigh_in_single(const AnyCriterion& criterion, const SortedLists& lists, std::size_t feature,
                     std::span<const SortedLists::Entry> known, Levels& levels) {
  const std::span<const std::int64_t> units = criterion.weights();
  if (!criterion.sums_are_counts() || units.empty()) return;
  const std::size_t n_classes = criterion.n_sums();
  const double unit = criterion.user_mass(1);
  std::vector<float> sums(levels.size() * n_classes, 0);
  std::size_t at = 0;
  for (const SortedLists::Entry entry : known) {   // in the order of the levels, and of the rows
    while (levels.code[at] != lists.level(feature, entry)) ++at;
    const std::uint32_t id = SortedLists::id(entry);
    const double weight = static_cast<double>(units[id]) * unit;
    sums[at * n_classes + criterion.class_of(id)] += static_cast<float>(weight);
  }
  for (std::size_t i = 0; i < levels.size(); ++i) {
    float& sum = levels.single.emplace_back(0.0f);
    for (std::size_t k = 0; k < n_classes; ++k) sum += sums[i * n_classes + k];
  }
}

}   // namespace

Levels levels_of_bins(const AnyCriterion& criterion, const Histogram& histogram, const BinnedColumn& column,
                      std::size_t feature) {
  Levels levels(criterion.width());
  levels.reserve(static_cast<std::size_t>(column.n_bins));
  for (std::int32_t b = 0; b < column.n_bins; ++b) {
    const ConstTally cell = histogram.cell(feature, static_cast<std::size_t>(b));
    if (criterion.rows(cell) == 0) continue;
    const Tally level = levels.add(b);
    std::copy(cell.begin(), cell.end(), level.begin());
  }
  return levels;
}

void search_levels_of_bins(const AnyCriterion& criterion, const SearchInput& input, const Histogram& histogram,
                           const BinnedColumn& column, std::int32_t n_declared, const Growth& growth,
                           std::uint64_t random_key, Split& best) {
  const auto f = static_cast<std::size_t>(input.feature);
  Levels levels = levels_of_bins(criterion, histogram, column, f);
  levels.n_declared = n_declared;
  const ConstTally missing = histogram.cell(f, static_cast<std::size_t>(column.n_bins));
  search_levels({input, criterion}, levels, missing, growth, random_key, {}, best);
}

void search_levels_of_rows(const AnyCriterion& criterion, const SearchInput& input, const Column& column,
                           std::span<const RowIndex> rows, const Growth& growth, std::uint64_t random_key,
                           Split& best) {
  OwnTally<AnyCriterion> missing(criterion);
  const Levels levels = criterion.levels_of(column, rows, missing);
  search_levels({input, criterion}, levels, missing, growth, random_key, {}, best);
}

void search_sorted_levels(const AnyCriterion& criterion, const SearchInput& input, const SortedLists& lists,
                          const Segment& segment, const Growth& growth, std::uint64_t random_key, Split& best) {
  const auto feature = static_cast<std::size_t>(input.feature);
  const auto [entries, n_present] = lists.present(feature, segment);
  const std::span<const SortedLists::Entry> known = entries.first(n_present);
  OwnTally<AnyCriterion> missing(criterion);
  for (const SortedLists::Entry entry : entries.subspan(n_present)) criterion.add(missing, SortedLists::id(entry));
  Levels levels = criterion.levels_of(lists, feature, known);
  if (growth.classic.single && growth.classic.comparison != Comparison::c50)
    weigh_in_single(criterion, lists, feature, known, levels);
  const SearchContext<AnyCriterion> context{input, criterion};
  auto plain = plain_sums(context, growth, known.size(), [&](auto&& use) {   // in the order of the table
    for (const std::uint32_t id : lists.ids(segment))
      if (lists.level(feature, id) >= 0) use(id);
  });
  search_levels(context, levels, missing, growth, random_key,
                plain_levels(criterion, lists, feature, known, growth, plain), best);
}

}   // namespace treewright
