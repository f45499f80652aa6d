// AnyCriterion: a criterion as stores see it, whichever it is. They call it once per node or column, never per row, so
// that stores are compiled once and only what counts and scans is compiled for every criterion (criterion_of.hpp).
#pragma once
#include <atomic>
#include <memory>

#include "histogram.hpp"
#include "search/correction.hpp"
#include "search/level_tallies.hpp"
#include "search/sorted_lists.hpp"
#include "search_input.hpp"

namespace treewright {

class Store;

class AnyCriterion {
 public:
  static constexpr std::size_t static_width = 0;   // not known to the compiler
  virtual ~AnyCriterion() = default;

  // ---- see criterion.hpp
  virtual bool additive() const = 0;
  virtual std::size_t width() const = 0;
  virtual std::size_t n_outputs() const = 0;
  virtual std::size_t values_per_output() const = 0;
  virtual double user_mass(double mass) const = 0;
  virtual std::span<const std::int64_t> weights() const = 0;   // empty: every row weighs 1
  virtual void add(Tally tally, std::size_t row) const = 0;
  virtual std::int64_t rows(ConstTally tally) const = 0;
  virtual std::int64_t weight(ConstTally tally) const = 0;
  virtual double gain(ConstTally total, ConstTally left) const = 0;
  virtual bool allows(ConstTally total, ConstTally left) const = 0;
  virtual double output_value(ConstTally tally) const = 0;
  virtual double mean_value(ConstTally tally) const = 0;
  virtual Summary summary(std::span<const RowIndex> rows) const = 0;

  // ---- rows that live in parts: see rows/operations.hpp. Moments of parts are added, greatest values compared.
  virtual std::size_t n_moment_sums() const { return 0; }
  virtual std::size_t n_moment_maxima() const { return 0; }
  virtual void add_moments(std::span<const RowIndex>, std::int64_t*, std::int64_t*) const {}
  virtual std::vector<std::int64_t> mass_words(const std::int64_t*, const std::int64_t*) const { return {}; }
  virtual void add_masses(std::span<const RowIndex>, const std::int64_t*, std::int64_t*) const {}
  virtual Summary summary(const std::int64_t*, const std::int64_t*, const std::int64_t*) const { return {}; }
  virtual std::size_t n_row_words() const { return 0; }
  virtual void write_row(std::size_t, std::int64_t*) const {}
  virtual std::unique_ptr<AnyCriterion> from_words(const std::int64_t*, std::size_t, std::size_t) const { return {}; }
  // Offers every edge of slices of a bin; returns the slices to look into. `start` is the tally of all that lies left
  // of them.
  virtual std::vector<std::pair<std::size_t, Score>> search_slices(const SearchInput&, const Histogram&,
                                                                   const BinnedColumn&, const SliceCounts&, ConstTally,
                                                                   bool, Split&) const {
    return {};
  }

  // ---- the sums on which impurity depends; of one output of classes the count of each
  virtual std::size_t n_sums() const = 0;
  virtual bool sums_are_counts() const = 0;
  virtual void sums(ConstTally tally, std::int64_t* out) const = 0;
  virtual Evidence evidence(ConstTally total, std::span<const std::int64_t> groups, Scale scale) const = 0;

  // ---- one output of classes
  virtual std::uint32_t class_of(std::size_t row) const = 0;
  virtual double entropy_as_summed(ConstTally total, ConstTally left, ConstTally missing) const = 0;

  // ---- plain sums, where it has some: see search/plain.hpp
  virtual bool adds_plainly() const = 0;
  virtual PlainRow plain_row(std::size_t row) const = 0;
  virtual PlainRules plain_rules() const = 0;

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
  virtual std::vector<Suspect> search_edges(const SearchInput& input, const Histogram& histogram,
                                            const BinnedColumn& column, Split& best) const = 0;
  // Looks into these bins. `items` holds their rows, bin after bin, and `begin[bin]` says where they start.
  virtual void search_suspects(const SearchInput& input, const Histogram& histogram, const BinnedColumn& column,
                               std::span<const Suspect> suspects, std::span<Item> items,
                               std::span<const std::uint32_t> begin, Split& best) const = 0;

  // ---- one tally per level of a nominal column: of rows in the order of the levels, and of any rows
  virtual Levels levels_of(const SortedLists& lists, std::size_t feature,
                           std::span<const SortedLists::Entry> known) const = 0;
  virtual Levels levels_of(const Column& column, std::span<const RowIndex> rows, Tally missing) const = 0;

  // ---- a column of numbers: every test, of sorted rows; a random test, of rows with these keys
  virtual void search_sorted(const SortedLists& lists, const SearchInput& input, const Segment& segment, double mass,
                             const Growth& growth, Split& best) const = 0;
  // A store of the rows of a node alone, where one over flat arrays is faster: see search/branch_store.hpp. Else nothing.
  // `of_table`: the same criterion over the whole table, which outlives the store.
  virtual std::unique_ptr<Store> branch_store(const AnyCriterion& of_table, const SortedLists&, const Segment&,
                                              const Growth&, std::int64_t min_weight, std::atomic<bool>*) const;
  // The same of any rows without missing values and their places among the keys, by a criterion over the whole table.
  virtual std::unique_ptr<Store> branch_store(const Columns&, std::span<const RowIndex>, std::vector<RowIndex> places,
                                              const NodeKeys&, const Growth&, std::int64_t min_weight, Pool&) const;
  virtual bool screens_columns() const { return false; }   // such a store bounds what every column can gain,
  virtual bool bounds_columns() const { return false; }    // and pays in large nodes too
  virtual void search_random(const SearchInput& input, KeyKind kind, std::uint64_t random_key,
                             std::span<const RowIndex> rows, std::span<const Key> keys, Split& best) const = 0;
};

}   // namespace treewright
