// PagedStore: rows live in pages, one in hand at a time. Nodes request together, so that a level of the tree costs a few
// passes: count; look into suspected bins; find the values around the cuts; route. The tree is that of memory.
#pragma once
#include <deque>
#include <map>
#include <optional>

#include "page.hpp"
#include "recorded.hpp"
#include "route.hpp"
#include "search/counted.hpp"
#include "search/nominal.hpp"
#include "store.hpp"

namespace treewright {

class PagedStore final : public Store {
 public:
  PagedStore(const AnyCriterion& criterion, const Columns& columns, std::vector<RowIndex> rows, std::int64_t min_weight,
             const Growth& growth, Pool& pool)
      : criterion_(criterion),
        columns_(columns),
        source_(columns, growth.n_pages, growth.max_bins),
        node_of_row_(columns.n_rows, -1),
        n_rows_(rows.size()),
        min_weight_(min_weight),
        growth_(growth),
        pool_(pool) {
    for (const RowIndex row : rows) node_of_row_[row] = 0;
    n_passes = 1;   // the sample of the coders
  }

  double user_mass(double mass) const override { return criterion_.user_mass(mass); }
  bool prefers_batches() const override { return true; }
  void check() const override { pool_.check(); }
  Summary root() override { return criterion_.summary(rows_of(0)); }

  std::vector<Split> best_splits(std::span<const SplitRequest> requests) override {
    std::deque<Search> searches;
    for (const SplitRequest& request : requests)
      searches.emplace_back(&request, Histogram(bin_counts(), criterion_.width()), columns_.size(), growth_);
    count_all(searches);
    for (Search& search : searches) search_all_edges(search);
    if (std::any_of(searches.begin(), searches.end(), [](const Search& s) { return !s.looks.empty(); })) look(searches);
    for (Search& search : searches)
      search.best = chosen_split(search.choice, criterion_, columns_, growth_, search.request->summary->tally, n_rows_,
                                 min_weight_);
    find_thresholds(searches);
    std::vector<Split> splits;
    for (Search& search : searches) splits.push_back(std::move(search.best));
    return splits;
  }

  std::vector<std::vector<Summary>> route(std::span<const Move> moves) override {
    pass([&](const Page& page, const Residents& residents) {
      for (const Move& move : moves) {
        const auto found = residents.find(move.node);
        if (found == residents.end()) continue;
        const auto f = static_cast<std::size_t>(move.split->feature);
        std::vector<ChildNumber> child(found->second.size());
        children_by_bin(page.columns, page.binned[f], found->second, *move.split, child.data());
        for (std::size_t i = 0; i < child.size(); ++i) {
          node_of_row_[page.first_row + found->second[i]] = move.first_child + child[i];
        }
      }
    });
    std::vector<std::vector<Summary>> out;
    for (const Move& move : moves) {
      std::vector<Summary>& summaries = out.emplace_back();
      for (NodeIndex k = 0; k < move.split->n_children; ++k) {
        const std::vector<RowIndex> rows = rows_of(move.first_child + k);
        summaries.push_back(rows.empty() ? Summary{} : criterion_.summary(rows));
      }
    }
    return out;
  }

 private:
  using Residents = std::map<NodeIndex, std::vector<RowIndex>>;   // node -> its rows of the page, numbered within it

  struct PagedLook {
    std::vector<Suspect> suspects;
    std::optional<Wanted> wanted;
    std::array<std::uint32_t, 256> next{};
    std::vector<Item> items;
  };
  struct Search {
    Search(const SplitRequest* request, Histogram histogram, std::size_t n_features, const Growth& growth)
        : request(request), histogram(std::move(histogram)), choice(n_features, growth) {}
    const SplitRequest* request;
    Histogram histogram;
    std::map<std::int32_t, PagedLook> looks;   // by feature
    Choice choice;
    Split best;
    std::pair<Key, Key> around{missing_key, std::numeric_limits<Key>::max()};
  };

  template <class Visit>
  void pass(Visit&& visit) {
    ++n_passes;
    for (int index = 0; index < source_.n_pages(); ++index) {
      pool_.check();
      const Page page = source_.load(index);
      Residents residents;
      for (RowIndex i = 0; i < page.columns.n_rows; ++i) {
        const NodeIndex node = node_of_row_[page.first_row + i];
        if (node >= 0) residents[node].push_back(i);
      }
      visit(page, residents);
    }
  }
  std::vector<RowIndex> rows_of(NodeIndex node) const {
    std::vector<RowIndex> rows;
    for (RowIndex row = 0; row < node_of_row_.size(); ++row)
      if (node_of_row_[row] == node) rows.push_back(row);
    return rows;
  }
  BinnedColumns bin_counts() const {   // the shape of a histogram; no codes
    BinnedColumns shape(columns_.size());
    for (std::size_t f = 0; f < shape.size(); ++f) {
      shape[f].n_bins = columns_[f].nominal ? columns_[f].n_levels : source_.n_bins(f);
      shape[f].single.assign(static_cast<std::size_t>(shape[f].n_bins), 0);
    }
    return shape;
  }
  SearchInput input(const Search& search, std::int32_t feature) const {
    return search_input(criterion_, growth_, min_weight_, *search.request, feature);
  }

  static std::size_t bin_of(const BinnedColumn& column, RowIndex i) {
    if (column.levels == nullptr) return column.codes[i];
    return static_cast<std::size_t>(column.levels[i] < 0 ? column.n_bins : column.levels[i]);
  }

  void count_all(std::deque<Search>& searches) {
    pass([&](const Page& page, const Residents& residents) {
      for (Search& search : searches) {
        const auto found = residents.find(search.request->node);
        if (found == residents.end()) continue;
        for (std::size_t f = 0; f < columns_.size(); ++f) {
          std::int64_t* cells = search.histogram.column(f);
          const std::size_t width = criterion_.width();
          for (const RowIndex i : found->second) {
            criterion_.add(Tally(cells + bin_of(page.binned[f], i) * width, width), page.first_row + i);
          }
        }
      }
    });
  }

  void search_all_edges(Search& search) {
    const BinnedColumns shape = bin_counts();
    for (std::size_t f = 0; f < columns_.size(); ++f) {
      const auto feature = static_cast<std::int32_t>(f);
      Split found = search.choice.incumbent(feature);
      if (columns_[f].nominal) {
        search_levels_of_bins(criterion_, input(search, feature), search.histogram, shape[f], columns_[f].n_levels,
                              growth_, search.request->random_key, found);
      } else {
        auto suspects = criterion_.search_edges(input(search, feature), search.histogram, shape[f], found);
        if (!suspects.empty()) search.looks[feature].suspects = std::move(suspects);
      }
      search.choice.offer(std::move(found));
    }
    for (auto at = search.looks.begin(); at != search.looks.end();) {
      auto& [feature, look] = *at;
      const Split best = search.choice.incumbent(feature);
      std::erase_if(look.suspects, [&, column = feature](const Suspect& s) { return !s.matters(column, best); });
      at = look.suspects.empty() ? search.looks.erase(at) : std::next(at);
    }
    for (auto& [feature, look] : search.looks) {
      const auto f = static_cast<std::size_t>(feature);
      look.wanted.emplace(criterion_, search.histogram, f, look.suspects);
      look.items.resize(look.wanted->n_items);
      look.next = look.wanted->begin;
    }
  }

  void look(std::deque<Search>& searches) {
    pass([&](const Page& page, const Residents& residents) {
      for (Search& search : searches) {
        const auto found = residents.find(search.request->node);
        if (found == residents.end()) continue;
        for (auto& [feature, look] : search.looks) {
          const auto f = static_cast<std::size_t>(feature);
          std::vector<Key> keys(found->second.size());
          read_keys(page.columns[f], found->second, keys.data());
          for (std::size_t i = 0; i < keys.size(); ++i) {
            const RowIndex row = found->second[i];
            const Code code = page.binned[f].codes[row];
            if (look.wanted->wanted[code])
              look.items[look.next[code]++] = {keys[i], static_cast<RowIndex>(page.first_row + row)};
          }
        }
      }
    });
    const BinnedColumns shape = bin_counts();
    for (Search& search : searches) {
      for (auto& [feature, look] : search.looks) {
        const auto f = static_cast<std::size_t>(feature);
        Split found = search.choice.incumbent(feature);
        criterion_.search_suspects(input(search, feature), search.histogram, shape[f], look.suspects, look.items,
                                   look.wanted->begin, found);
        search.choice.offer(std::move(found));
      }
    }
  }

  void find_thresholds(std::deque<Search>& searches) {
    const auto unknown = [](const Search& s) {
      return s.best && !s.best.levels && !s.best.missing_alone && !s.best.has_neighbours;
    };
    if (std::any_of(searches.begin(), searches.end(), unknown)) {
      pass([&](const Page& page, const Residents& residents) {
        for (Search& search : searches) {
          const auto found = residents.find(search.request->node);
          if (!unknown(search) || found == residents.end()) continue;
          const auto f = static_cast<std::size_t>(search.best.feature);
          const int next = next_filled_bin(criterion_, search.histogram, f, search.best.place.bin);
          const auto [low, high] =
              neighbours(page.columns[f], page.binned[f], found->second, search.best.place.bin, next);
          search.around = {std::max(search.around.first, low), std::min(search.around.second, high)};
        }
      });
    }
    for (Search& search : searches) {
      Split& best = search.best;
      if (!best) continue;
      if (best.levels) {
        add_empty_branches(best, columns_, growth_);
        continue;
      }
      if (unknown(search)) best.low = search.around.first, best.high = search.around.second;
      set_threshold(best, columns_[static_cast<std::size_t>(best.feature)], growth_, {});
    }
  }

  const AnyCriterion& criterion_;
  const Columns& columns_;
  PageSource source_;
  std::vector<NodeIndex> node_of_row_;
  std::size_t n_rows_;
  std::int64_t min_weight_;
  const Growth& growth_;
  Pool& pool_;
};

}   // namespace treewright
