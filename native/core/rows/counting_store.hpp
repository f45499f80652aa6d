// CountingStore: rows that live in parts, of which only counts come back. Nodes are searched in batches, so that a level
// of the tree costs a few passes: count; look into suspected bins, by slices of their keys; find the values around the
// cuts; route. Small nodes are gathered and finished in memory. The tree is that of memory.
#pragma once
#include <map>

#include "../choice.hpp"
#include "../store.hpp"
#include "operations.hpp"

namespace treewright {

// What a store knows of the columns of a table in parts.
struct TableShape {
  Columns columns;      // types and levels; no values
  BinnedColumns bins;   // how many bins; no codes
};

class CountingStore final : public Store {
 public:
  // criterion: any rows of the target, on the grid of all.
  CountingStore(Rows& rows, const AnyCriterion& criterion, TableShape shape, std::int64_t min_weight,
                const Growth& growth, const PartsBudget& budget, Pool& pool);

  double user_mass(double mass) const override { return criterion_.user_mass(mass); }
  Summary root() override;
  void best_splits(std::span<const SplitRequest> requests) override;
  void route(std::span<const Move> moves, std::span<Summary> children) override;
  void close(NodeIndex node) override { kept_.erase(node); }
  bool prefers_batches() const override { return true; }
  std::int64_t part_size() const override { return budget_.gather_rows; }
  std::vector<MakeStore> parts(std::span<const NodeIndex> nodes) override;
  void for_each(std::size_t n, const std::function<void(std::size_t)>& work) override;
  void check() const override { pool_.check(); }

 private:
  struct Zoom {   // a stretch of keys of one bin that may hide a better cut
    std::int32_t feature, bin;
    bool missing_left;
    Key low, high;
    std::int64_t n_rows;
    Score highest;
    std::vector<std::int64_t> start;   // the tally of all that lies left of it
  };
  using Wanted = std::vector<std::pair<NodeIndex, Zoom>>;
  struct Search {
    const SplitRequest* request;
    Histogram histogram;
    std::unique_ptr<Choice> choice;
    std::vector<Zoom> zooms;
    Split best;
  };
  struct Kept {   // of a node that will be divided
    Histogram histogram;
    std::int64_t left_weight;
  };
  struct Family {   // the children of a node whose histogram is kept
    NodeIndex parent, first, end;
  };

  Reply compute(Operation operation, std::vector<std::int64_t> words);
  std::vector<Summary> summaries(std::span<const std::int64_t> nodes, const Reply& reply);
  SearchInput input(const Search& search, std::int32_t feature) const;
  void search_batch(std::span<const SplitRequest> requests);
  std::size_t at_once() const;
  void keep_counts(std::span<const std::int64_t> nodes, const std::vector<std::int64_t>& sums, std::size_t at);
  std::vector<std::int64_t> to_count_next(std::span<const Move> moves);
  void count(std::vector<Search>& searches);
  void search_edges(Search& search);
  void add_zooms(Search& search, std::int32_t feature, std::span<const Suspect> suspects);
  bool matters(const Search& search, const Zoom& zoom) const;
  void look_into(std::vector<Search>& searches);
  std::vector<SliceCounts> sliced(const Wanted& wanted, const Reply& reply) const;
  std::vector<SliceCounts> run_by_run(const Wanted& wanted, const Reply& reply) const;
  void search_slices(Search& search, const Zoom& zoom, const SliceCounts& slices, std::vector<Zoom>& deeper);
  void finish(std::vector<Search>& searches);
  void keep(std::vector<Search>& searches);

  Rows& rows_;
  const AnyCriterion& criterion_;
  TableShape shape_;
  std::vector<std::int64_t> bin_ranges_;   // [cell][2], as `start` replies
  std::int64_t min_weight_;
  const Growth& growth_;
  PartsBudget budget_;
  Pool& pool_;
  Reply start_;                              // until the root is known
  std::map<NodeIndex, Histogram> counted_;   // of nodes that are about to be searched
  std::map<NodeIndex, Kept> kept_;           // of nodes whose children may be searched soon
  std::map<NodeIndex, Family> family_;       // of such children
  std::map<NodeIndex, std::int64_t> n_rows_, depth_, weight_;
  bool one_by_one_ = false;   // parts share the threads
};

}   // namespace treewright
