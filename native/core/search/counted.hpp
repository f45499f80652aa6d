// Search over a node whose rows are counted in bins: the edges of all columns first, then the bins that may still hide
// a better cut, the most promising column first.
#pragma once
#include "../choice.hpp"
#include "../parallel.hpp"
#include "binned.hpp"

namespace treewright {

template <class C>
struct CountedNode {
  const C& criterion;
  const Columns& columns;
  const BinnedColumns& binned;
  const Histogram& histogram;
  std::span<const RowIndex> rows;
  const Growth& growth;
  std::uint64_t random_key;
  Pool& pool;   // of one thread where sharing does not pay
};

struct Look {   // a column with bins to look into
  std::int32_t feature = -1;
  std::vector<Suspect> suspects;
  Score highest = -1;
};

template <class C>
void look_into(const CountedNode<C>& node, const Question<C>& asked, Look& look, Split& best) {
  std::erase_if(look.suspects, [&](const Suspect& s) { return !s.matters(look.feature, best); });
  if (look.suspects.empty()) return;
  const auto f = static_cast<std::size_t>(look.feature);
  const BinnedColumn& column = node.binned[f];
  const Bins<C> bins(node.criterion, node.histogram, column, f);
  const Wanted wanted(bins, look.suspects);
  thread_local std::vector<Item> items;   // kept from node to node: fresh pages cost more than the search
  if (items.size() < wanted.n_items) items.resize(wanted.n_items);
  read_bins(node.columns[f], column, node.rows, wanted.wanted, wanted.begin, items.data());
  search_suspects(asked, bins, look.suspects, std::span(items).first(wanted.n_items), wanted.begin, best);
}

// One tally per level of a nominal column, and one of its missing rows.
template <class C>
Levels<C> levels_of(const CountedNode<C>& node, std::size_t feature, OwnTally<C>& missing) {
  const BinnedColumn& column = node.binned[feature];
  if (!column.counted) return levels_of_rows(node.criterion, node.columns[feature], node.rows, missing);
  missing.add(node.histogram.cell(feature, static_cast<std::size_t>(column.n_bins)));
  Levels<C> levels = levels_of(node.criterion, node.histogram, column, feature);
  levels.n_declared = node.columns[feature].n_levels;
  return levels;
}

// ask(feature) is the question about a column, without its missing rows.
template <class C, class Ask>
void search_counted(const CountedNode<C>& node, std::span<const std::int32_t> features, Ask&& ask, Choice& choice) {
  std::vector<Look> looks(features.size());
  node.pool.for_each(features.size(), [&](std::size_t i) {
    const std::int32_t feature = features[i];
    const auto f = static_cast<std::size_t>(feature);
    const Question<C> asked = ask(feature);
    Split found = choice.incumbent(feature);
    if (node.columns[f].nominal) {
      OwnTally<C> missing(node.criterion);
      const Levels<C> levels = levels_of(node, f, missing);
      LevelSearch<C>(asked, levels, missing, node.growth, node.random_key).search(found);
    } else {
      const Bins<C> bins(node.criterion, node.histogram, node.binned[f], f);
      looks[i].feature = feature;
      if (bins.size() > 0) looks[i].suspects = search_edges(asked, bins, found);
      for (const Suspect& s : looks[i].suspects) looks[i].highest = std::max(looks[i].highest, s.highest);
    }
    choice.offer(std::move(found));
  });
  std::erase_if(looks, [](const Look& look) { return look.suspects.empty(); });
  std::stable_sort(looks.begin(), looks.end(), [](const Look& a, const Look& b) { return a.highest > b.highest; });
  node.pool.for_each(looks.size(), [&](std::size_t i) {
    Split found = choice.incumbent(looks[i].feature);
    look_into(node, ask(looks[i].feature), looks[i], found);
    choice.offer(std::move(found));
  });
}

}   // namespace treewright
