// The rows of a small node and of everything below it, sorted by every column, with what they say of the target.
#pragma once
#include "../route.hpp"
#include "../store.hpp"
#include "medians.hpp"
#include "surrogates.hpp"

namespace treewright {

template <class C>
struct SortedNode {
  C criterion;   // by id
  SortedLists lists;
  std::vector<std::uint8_t> sides;   // by id, where surrogates are wanted

  SortedNode(C gathered, const Columns& columns, std::span<const RowIndex> rows, const Growth& growth, Pool& pool)
      : criterion(std::move(gathered)), lists(columns, rows, pool, growth.needs_order(), growth.min_gap) {
    if (growth.missing == Missing::surrogate) sides.resize(rows.size());
    if constexpr (!C::additive) {
      for (std::size_t o = 0; o < criterion.n_outputs(); ++o) {
        std::vector<Item> items(rows.size());
        for (std::uint32_t i = 0; i < items.size(); ++i) items[i] = {criterion.q(i, o), i};
        lists.add_target(std::move(items));
      }
    }
  }

  Summary summary(const Segment& segment) const { return criterion.summary(lists.ids(segment)); }

  // Offers every test of one column.
  void search(const Question<C>& asked, const Segment& segment, const Ask& ask, const Growth& growth,
              Split& best) const {
    Question<C> here{criterion, asked.total, asked.scale, asked.rules, asked.feature, asked.missing, asked.by_ratio};
    here.missing_alone = asked.missing_alone;
    here.better_by = asked.better_by;
    here.rounding_decides = asked.rounding_decides;
    if constexpr (C::additive) search_sorted(lists, here, segment, growth, ask.random_key, best);
    else MedianSearch(lists, here, segment, ask.summary->mass, growth).search(best);
  }

  void add_surrogates(const Segment& segment, const Columns& columns, const Growth& growth, Split& split) {
    add_surrogates_by_order(lists, segment, columns, growth, criterion.weights(), sides, split);
  }

  // Orders the node's ids by child.
  std::vector<std::uint32_t> route(const Segment& segment, const Split& split, const Columns& columns) {
    lists.decide(segment, split);
    if (split.surrogates && split.missing_seen) {
      const auto [entries, n_present] = lists.present(static_cast<std::size_t>(split.feature), segment);
      for (const SortedLists::Entry entry : entries.subspan(n_present)) {
        const std::uint32_t id = SortedLists::id(entry);
        lists.set_child(id, child_by_surrogate(columns, lists.row(id), split));
      }
    }
    return lists.route(segment, static_cast<std::size_t>(split.n_children));
  }
};

}   // namespace treewright
