// The rows of a small node and of everything below it, sorted by every column, with what they say of the target.
#pragma once
#include "../route.hpp"
#include "../store.hpp"
#include "nominal.hpp"
#include "surrogates.hpp"

namespace treewright {

struct SortedNode {
  std::unique_ptr<AnyCriterion> criterion;   // by id
  SortedLists lists;
  std::vector<std::uint8_t> sides;        // by id, where surrogates are wanted
  std::vector<std::int64_t> own_weight;   // by id, where rows weigh something else when tests are compared

  SortedNode(std::unique_ptr<AnyCriterion> gathered, const Columns& columns, std::span<const RowIndex> rows,
             const Growth& growth, Pool& pool)
      : SortedNode(std::move(gathered), {columns, rows, pool, {}, growth.needs_order(), growth.gap()}, growth, {}) {}

  // `own`: what the rows of the table weigh when tests are compared, if not what the criterion says.
  SortedNode(std::unique_ptr<AnyCriterion> gathered, SortedLists sorted, const Growth& growth,
             std::span<const std::int64_t> own)
      : criterion(std::move(gathered)), lists(std::move(sorted)) {
    const std::span<const RowIndex> rows = lists.rows();
    if (growth.missing == Missing::surrogate) sides.resize(rows.size());
    if (!own.empty())
      for (const RowIndex row : rows) own_weight.push_back(own[row]);
    for (std::vector<Item>& items : criterion->targets()) lists.add_target(std::move(items));
  }

  Summary summary(const Segment& segment) const { return criterion->summary(lists.ids(segment)); }

  // Offers every test of one column.
  void search(const SearchInput& input, const Segment& segment, const SplitRequest& request, const Growth& growth,
              Split& best) const {
    const auto feature = static_cast<std::size_t>(input.feature);
    if (lists.column(feature).sparse && lists.constant(feature, segment)) return;   // most columns of a wide table
    if (criterion->additive() && lists.column(feature).nominal)
      return search_sorted_levels(*criterion, input, lists, segment, growth, request.random_key, best);
    criterion->search_sorted(lists, input, segment, request.mass, growth, best);
  }

  // Threads that grow branches of the node share this object, each with its own segment.
  void add_surrogates(const Segment& segment, const Columns& columns, const Growth& growth, Split& split) {
    const auto higher = [&] { return higher_side(*criterion, lists.ids(segment), sides); };
    add_surrogates_by_order(lists, segment, columns, growth, own_weight.empty() ? criterion->weights() : own_weight,
                            sides, higher, split);
  }

  // Orders the node's ids by child.
  std::vector<std::uint32_t> route(const Segment& segment, const Test& test, const Columns& columns) {
    if (test.combination) decide_by_value(segment, test, columns);
    else lists.decide(segment, test);
    if (test.sends_by_surrogates()) {
      const auto [entries, n_present] = lists.present(static_cast<std::size_t>(test.feature), segment);
      for (const SortedLists::Entry entry : entries.subspan(n_present)) {
        const std::uint32_t id = SortedLists::id(entry);
        lists.set_child(id, child_by_surrogate(columns, lists.row(id), test));
      }
    }
    return lists.route(segment, static_cast<std::size_t>(test.n_parts()));
  }

 private:
  void decide_by_value(const Segment& segment, const Test& test, const Columns& columns) {
    const std::span<const std::uint32_t> ids = lists.ids(segment);
    std::vector<RowIndex> rows;
    for (const std::uint32_t id : ids) rows.push_back(lists.row(id));
    std::vector<ChildNumber> child(rows.size());
    children_by_key(columns, rows, test, child.data());
    for (std::size_t i = 0; i < ids.size(); ++i) lists.set_child(ids[i], child[i]);
  }
};

}   // namespace treewright
