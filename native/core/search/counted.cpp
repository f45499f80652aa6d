#include "counted.hpp"

#include "nominal.hpp"

namespace treewright {

Wanted::Wanted(const AnyCriterion& criterion, const Histogram& histogram, std::size_t feature,
               std::span<const Suspect> suspects) {
  for (const Suspect& suspect : suspects) {
    const auto bin = static_cast<std::size_t>(suspect.bin);
    if (wanted[bin]) continue;
    wanted[bin] = 1;
    begin[bin] = n_items;
    n_items += static_cast<std::uint32_t>(criterion.rows(histogram.cell(feature, bin)));
  }
}

int next_filled_bin(const AnyCriterion& criterion, const Histogram& histogram, std::size_t feature, int bin) {
  do ++bin;
  while (criterion.rows(histogram.cell(feature, static_cast<std::size_t>(bin))) == 0);
  return bin;
}

namespace {

struct Look {   // a column with bins to look into
  std::int32_t feature = -1;
  std::vector<Suspect> suspects;
  Score highest = -1;
};

void look_into(const CountedNode& node, const SearchInput& input, Look& look, Split& best) {
  std::erase_if(look.suspects, [&](const Suspect& s) { return !s.matters(look.feature, best); });
  if (look.suspects.empty()) return;
  const auto f = static_cast<std::size_t>(look.feature);
  const BinnedColumn& column = node.binned[f];
  const Wanted wanted(node.criterion, node.histogram, f, look.suspects);
  thread_local std::vector<Item> items;   // kept from node to node: fresh pages cost more than the search
  if (items.size() < wanted.n_items) items.resize(wanted.n_items);
  read_bins(node.columns[f], column, node.rows, wanted.wanted, wanted.begin, items.data());
  node.criterion.search_suspects(input, node.histogram, column, look.suspects, std::span(items).first(wanted.n_items),
                                 wanted.begin, best);
}

}   // namespace

void search_counted(const CountedNode& node, std::span<const std::int32_t> features,
                    const std::function<SearchInput(std::int32_t)>& input_of, Choice& choice) {
  std::vector<Look> looks(features.size());
  node.pool.for_each(features.size(), [&](std::size_t i) {
    const std::int32_t feature = features[i];
    const auto f = static_cast<std::size_t>(feature);
    const Column& column = node.columns[f];
    const BinnedColumn& binned = node.binned[f];
    Split found = choice.incumbent(feature);
    if (column.nominal && binned.counted) {
      search_levels_of_bins(node.criterion, input_of(feature), node.histogram, binned, column.n_levels, node.growth,
                            node.random_key, found);
    } else if (column.nominal) {
      search_levels_of_rows(node.criterion, input_of(feature), column, node.rows, node.growth, node.random_key, found);
    } else {
      looks[i].feature = feature;
      looks[i].suspects = node.criterion.search_edges(input_of(feature), node.histogram, binned, found);
      for (const Suspect& s : looks[i].suspects) looks[i].highest = std::max(looks[i].highest, s.highest);
    }
    choice.offer(std::move(found));
  });
  std::erase_if(looks, [](const Look& look) { return look.suspects.empty(); });
  std::stable_sort(looks.begin(), looks.end(), [](const Look& a, const Look& b) { return a.highest > b.highest; });
  node.pool.for_each(looks.size(), [&](std::size_t i) {
    Split found = choice.incumbent(looks[i].feature);
    look_into(node, input_of(looks[i].feature), looks[i], found);
    choice.offer(std::move(found));
  });
}

}   // namespace treewright
