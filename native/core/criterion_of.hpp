// A criterion that the compiler knows, behind the door of AnyCriterion. What is compiled for every criterion starts
// here, so include it in few places.
#pragma once
#include "any_criterion.hpp"
#include "search/binned.hpp"
#include "search/count.hpp"
#include "search/node_rows.hpp"
#include "search/sorted.hpp"

namespace treewright {

// What every criterion answers in the same way; the rest is told apart by whether it has a finite tally.
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
  bool plain_squares() const final {
    if constexpr (requires { criterion_.plain_rules(); }) return criterion_.plain_rules().factor.empty();
    return false;
  }

 protected:
  C criterion_;
};

template <class C>
class AdditiveCriterion final : public CriterionOf<C> {
 public:
  using CriterionOf<C>::CriterionOf;
  using CriterionOf<C>::criterion_;
  static_assert(Criterion<C>);

  double gain(ConstTally total, ConstTally left) const override { return criterion_.gain(total, left); }
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
  std::vector<Suspect> search_edges(const Asked& asked, const Histogram& histogram, const BinnedColumn& column,
                                    Split& best) const override {
    const Bins<C> bins(criterion_, histogram, column, static_cast<std::size_t>(asked.feature));
    return bins.size() > 0 ? treewright::search_edges(Question<C>{asked, criterion_}, bins, best)
                           : std::vector<Suspect>{};
  }
  void search_suspects(const Asked& asked, const Histogram& histogram, const BinnedColumn& column,
                       std::span<const Suspect> suspects, std::span<Item> items, std::span<const std::uint32_t> begin,
                       Split& best) const override {
    const Bins<C> bins(criterion_, histogram, column, static_cast<std::size_t>(asked.feature));
    treewright::search_suspects(Question<C>{asked, criterion_}, bins, suspects, items, begin, best);
  }
  void search_levels(const Asked& asked, const Histogram& histogram, const BinnedColumn& column,
                     std::int32_t n_declared, const Growth& growth, std::uint64_t random_key,
                     Split& best) const override {
    const auto f = static_cast<std::size_t>(asked.feature);
    Levels levels = levels_of(criterion_, histogram, column, f);
    levels.n_declared = n_declared;
    const ConstTally missing = histogram.cell(f, static_cast<std::size_t>(column.n_bins));
    if constexpr (C::searches_levels)
      LevelSearch<C>(Question<C>{asked, criterion_}, levels, missing, growth, random_key).search(best);
  }

  void search_sorted(const SortedLists& lists, const Asked& asked, const Segment& segment, double, const Growth& growth,
                     std::uint64_t random_key, Split& best) const override {
    treewright::search_sorted(lists, Question<C>{asked, criterion_}, segment, growth, random_key, best);
  }
  void search_rows(const Asked& asked, const Columns& columns, std::span<const RowIndex> rows, const Growth& growth,
                   std::uint64_t random_key, Split& best) const override {
    if constexpr (C::searches_levels)
      treewright::search_rows(Question<C>{asked, criterion_}, columns, rows, growth, random_key, best);
  }
};

}   // namespace treewright
