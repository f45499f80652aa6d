// A criterion that the compiler knows, behind the door of AnyCriterion. What is compiled for every criterion starts
// here, so include it in few places.
#pragma once
#include "any_criterion.hpp"
#include "search/binned.hpp"
#include "search/branch_store.hpp"
#include "search/count.hpp"
#include "search/random.hpp"
#include "search/sorted.hpp"

namespace treewright {

// What is the same for every criterion; the rest depends on whether it has a finite tally.
template <class C>
class CriterionOf : public AnyCriterion {
 public:
  explicit CriterionOf(C criterion) : criterion_(std::move(criterion)) {}

  bool additive() const final { return C::additive; }
  std::size_t width() const final { return criterion_.width(); }
  std::size_t n_outputs() const final { return criterion_.n_outputs(); }
  std::size_t values_per_output() const final { return criterion_.values_per_output(); }
  std::size_t n_sums() const final {
    if constexpr (C::additive) return criterion_.n_sums();
    return 0;
  }
  double user_mass(double mass) const final { return criterion_.user_mass(mass); }
  std::span<const std::int64_t> weights() const final { return criterion_.weights(); }
  void add(Tally tally, std::size_t row) const final { criterion_.add(tally, row); }
  std::int64_t rows(ConstTally tally) const final { return criterion_.rows(tally); }
  std::int64_t weight(ConstTally tally) const final { return criterion_.weight(tally); }
  Summary summary(std::span<const RowIndex> rows) const final { return criterion_.summary(rows); }

  bool sums_are_counts() const final {
    if constexpr (C::additive) return criterion_.sums_are_counts();
    return false;
  }
  void sums([[maybe_unused]] ConstTally tally, [[maybe_unused]] std::int64_t* out) const final {
    if constexpr (C::additive) criterion_.sums(tally, out);
  }
  Evidence evidence([[maybe_unused]] ConstTally total, [[maybe_unused]] std::span<const std::int64_t> groups,
                    [[maybe_unused]] Scale scale) const final {
    if constexpr (C::additive) return criterion_.evidence(total, groups, scale);
    return {};
  }

  std::uint32_t class_of([[maybe_unused]] std::size_t row) const final {
    if constexpr (requires { criterion_.class_of(0); }) return criterion_.class_of(row);
    return 0;
  }
  double entropy_as_summed([[maybe_unused]] ConstTally total, [[maybe_unused]] ConstTally left,
                           [[maybe_unused]] ConstTally missing) const final {
    if constexpr (requires { criterion_.entropy_as_summed(total, left, missing); })
      return criterion_.entropy_as_summed(total, left, missing);
    return 0;
  }

  bool adds_plainly() const final {
    return requires { criterion_.plain_rules(); };
  }
  PlainRow plain_row([[maybe_unused]] std::size_t row) const final {
    if constexpr (requires { criterion_.plain_row(0); }) return criterion_.plain_row(row);
    return {};
  }
  PlainRules plain_rules() const final {
    if constexpr (requires { criterion_.plain_rules(); }) return criterion_.plain_rules();
    return {};
  }

 protected:
  C criterion_;
};

template <class C>
class AdditiveCriterion;

// A criterion whose rows may live in parts.
template <class C>
class CriterionInParts : public CriterionOf<C> {
 public:
  using CriterionOf<C>::CriterionOf;
  using CriterionOf<C>::criterion_;

  std::size_t n_moment_sums() const final { return criterion_.n_moment_sums(); }
  std::size_t n_moment_maxima() const final { return criterion_.n_moment_maxima(); }
  void add_moments(std::span<const RowIndex> rows, std::int64_t* sums, std::int64_t* maxima) const final {
    criterion_.add_moments(rows, sums, maxima);
  }
  std::vector<std::int64_t> mass_words(const std::int64_t* sums, const std::int64_t* maxima) const final {
    return criterion_.mass_words(sums, maxima);
  }
  void add_masses(std::span<const RowIndex> rows, const std::int64_t* words, std::int64_t* limbs) const final {
    criterion_.add_masses(rows, words, limbs);
  }
  using CriterionOf<C>::summary;
  Summary summary(const std::int64_t* sums, const std::int64_t* maxima, const std::int64_t* masses) const final {
    return criterion_.summary(sums, maxima, masses);
  }
  std::size_t n_row_words() const final { return criterion_.n_row_words(); }
  void write_row(std::size_t row, std::int64_t* out) const final { criterion_.write_row(row, out); }
  std::unique_ptr<AnyCriterion> from_words(const std::int64_t* words, std::size_t n, std::size_t stride) const final {
    return std::make_unique<AdditiveCriterion<C>>(criterion_.from_words(words, n, stride));
  }
};

template <class C>
using AdditiveBase =
    std::conditional_t<requires(const C c) { c.n_moment_sums(); }, CriterionInParts<C>, CriterionOf<C>>;

template <class C>
class AdditiveCriterion final : public AdditiveBase<C> {
 public:
  explicit AdditiveCriterion(C criterion) : AdditiveBase<C>(std::move(criterion)) {}
  using CriterionOf<C>::criterion_;
  static_assert(Criterion<C>);

  double gain(ConstTally total, ConstTally left) const override { return criterion_.gain(total, left); }
  bool allows(ConstTally total, ConstTally left) const override { return criterion_.allows(total, left); }
  double output_value(ConstTally tally) const override { return criterion_.output_value(tally); }
  double mean_value(ConstTally tally) const override { return criterion_.mean_value(tally); }
  std::unique_ptr<AnyCriterion> gather(std::span<const RowIndex> rows) const override {
    return std::make_unique<AdditiveCriterion>(criterion_.gather(rows));
  }
  std::unique_ptr<AnyCriterion> gather(std::span<const RowIndex> rows,
                                       std::span<const std::int64_t> units) const override {
    return std::make_unique<AdditiveCriterion>(criterion_.gather(rows, units));
  }
  std::vector<std::vector<Item>> targets() const override { return {}; }

  void count(const BinnedColumns& columns, std::span<const RowIndex> rows, std::span<const std::int32_t> features,
             Histogram& histogram, const Pool& pool) const override {
    treewright::count(criterion_, columns, rows, features, histogram, pool);
  }
  std::vector<Suspect> search_edges(const SearchInput& input, const Histogram& histogram, const BinnedColumn& column,
                                    Split& best) const override {
    const SearchContext<C> context{input, criterion_};
    if (surely_below(context, histogram, column, best)) return {};
    const Bins<C> bins(criterion_, histogram, column, static_cast<std::size_t>(input.feature));
    return bins.size() > 0 ? treewright::search_edges(context, bins, best) : std::vector<Suspect>{};
  }
  void search_suspects(const SearchInput& input, const Histogram& histogram, const BinnedColumn& column,
                       std::span<const Suspect> suspects, std::span<Item> items, std::span<const std::uint32_t> begin,
                       Split& best) const override {
    const Bins<C> bins(criterion_, histogram, column, static_cast<std::size_t>(input.feature));
    treewright::search_suspects(SearchContext<C>{input, criterion_}, bins, suspects, items, begin, best);
  }
  std::vector<std::pair<std::size_t, Score>> search_slices(const SearchInput& input, const Histogram& histogram,
                                                           const BinnedColumn& column, const SliceCounts& slices,
                                                           ConstTally start, bool missing_left,
                                                           Split& best) const override {
    const ConstTally missing =
        histogram.cell(static_cast<std::size_t>(input.feature), static_cast<std::size_t>(column.n_bins));
    return treewright::search_slices(SearchContext<C>{input, criterion_}, missing, slices, start, missing_left, best);
  }
  Levels levels_of(const SortedLists& lists, std::size_t feature,
                   std::span<const SortedLists::Entry> known) const override {
    return levels_in_order(criterion_, lists, feature, known);
  }
  Levels levels_of(const Column& column, std::span<const RowIndex> rows, Tally missing) const override {
    return levels_of_rows(criterion_, column, rows, missing);
  }

  void search_sorted(const SortedLists& lists, const SearchInput& input, const Segment& segment, double,
                     const Growth& growth, Split& best) const override {
    treewright::search_sorted(lists, SearchContext<C>{input, criterion_}, segment, growth, best);
  }
  std::unique_ptr<Store> branch_store(const AnyCriterion& of_table, const SortedLists& lists, const Segment& segment,
                                      const Growth& growth, std::int64_t min_weight,
                                      std::atomic<bool>* cancel) const override {
    if constexpr (requires { criterion_.worth_walking(ConstTally{}); }) {
      OwnTally<C> total(criterion_);
      for (const std::uint32_t id : lists.ids(segment)) criterion_.add(total, id);
      if (criterion_.worth_walking(total)) return {};
    }
    using Table = typename BranchStore<C>::Table;
    return std::make_unique<BranchStore<C>>(criterion_, Table{of_table, lists.columns(), growth, min_weight}, lists,
                                            segment, cancel);
  }
  std::unique_ptr<Store> branch_store(const Columns& columns, std::span<const RowIndex> rows,
                                      std::vector<RowIndex> places, const NodeKeys& keys, const Growth& growth,
                                      std::int64_t min_weight, Pool& pool) const override {
    using Table = typename BranchStore<C>::Table;
    return std::make_unique<BranchStore<C>>(criterion_.gather(rows), Table{*this, columns, growth, min_weight},
                                            std::move(places), keys, pool);
  }
  // Classes are counted in bins so fast that bounds pay in small nodes alone.
  bool bounds_columns() const override { return screens_columns() && !this->sums_are_counts(); }
  bool screens_columns() const override { return BranchStore<C>::screened; }
  void search_random(const SearchInput& input, KeyKind kind, std::uint64_t random_key, std::span<const RowIndex> rows,
                     std::span<const Key> keys, Split& best) const override {
    treewright::search_random(SearchContext<C>{input, criterion_}, kind, random_key, rows, keys, best);
  }
};

}   // namespace treewright
