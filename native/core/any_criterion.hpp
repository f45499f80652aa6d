// AnyCriterion: a criterion as stores see it, whichever it is. They ask it once per node or column, never per row, so
// that stores are compiled once and only what counts and scans is compiled for every criterion (criterion_of.hpp).
#pragma once
#include <memory>

#include "asked.hpp"
#include "histogram.hpp"
#include "search/sorted_lists.hpp"

namespace treewright {

class AnyCriterion {
 public:
  virtual ~AnyCriterion() = default;

  // ---- see criterion.hpp
  virtual bool additive() const = 0;
  virtual std::size_t width() const = 0;
  virtual std::size_t n_outputs() const = 0;
  virtual std::size_t values_per_output() const = 0;
  virtual std::size_t n_sums() const = 0;   // on which impurity depends; of one output of classes their number
  virtual double user_mass(double mass) const = 0;
  virtual std::span<const std::int64_t> weights() const = 0;   // empty: every row weighs 1
  virtual void add(Tally tally, std::size_t row) const = 0;
  virtual std::int64_t rows(ConstTally tally) const = 0;
  virtual std::int64_t weight(ConstTally tally) const = 0;
  virtual double gain(ConstTally total, ConstTally left) const = 0;
  virtual double mean_value(ConstTally tally) const = 0;
  virtual Summary summary(std::span<const RowIndex> rows) const = 0;
  virtual bool plain_squares() const = 0;   // its plain sums are squares, not shares of classes: see search/plain.hpp
  // Over a copy of these rows, numbered 0, 1, ...; rows that weigh `units` there.
  virtual std::unique_ptr<AnyCriterion> gather(std::span<const RowIndex> rows) const = 0;
  virtual std::unique_ptr<AnyCriterion> gather(std::span<const RowIndex> rows,
                                               std::span<const std::int64_t> units) const = 0;
  // One list of rows per output, to be put in the order of the target, where no finite tally exists.
  virtual std::vector<std::vector<Item>> targets() const = 0;

  // ---- a node that is counted in bins
  virtual void count(const BinnedColumns& columns, std::span<const RowIndex> rows,
                     std::span<const std::int32_t> features, Histogram& histogram, const Pool& pool) const = 0;
  // Offers every edge of the column's bins; returns the bins to look into.
  virtual std::vector<Suspect> search_edges(const Asked& asked, const Histogram& histogram, const BinnedColumn& column,
                                            Split& best) const = 0;
  // Looks into these bins. `items` holds their rows, bin after bin, and `begin[bin]` says where they start.
  virtual void search_suspects(const Asked& asked, const Histogram& histogram, const BinnedColumn& column,
                               std::span<const Suspect> suspects, std::span<Item> items,
                               std::span<const std::uint32_t> begin, Split& best) const = 0;
  virtual void search_levels(const Asked& asked, const Histogram& histogram, const BinnedColumn& column,
                             std::int32_t n_declared, const Growth& growth, std::uint64_t random_key,
                             Split& best) const = 0;

  // ---- a node whose rows are sorted; rows as they are. They offer every test of one column.
  virtual void search_sorted(const SortedLists& lists, const Asked& asked, const Segment& segment, double mass,
                             const Growth& growth, std::uint64_t random_key, Split& best) const = 0;
  virtual void search_rows(const Asked& asked, const Columns& columns, std::span<const RowIndex> rows,
                           const Growth& growth, std::uint64_t random_key, Split& best) const = 0;
};

}   // namespace treewright
