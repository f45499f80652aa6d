#include "absolute_error.hpp"

#include "../criterion_of.hpp"
#include "../fit_with.hpp"
#include "../search/medians.hpp"

namespace treewright {

namespace {

// It has no finite tally: nothing is counted, and all nodes are sorted.
class Medians final : public CriterionOf<AbsoluteError> {
 public:
  using CriterionOf::CriterionOf;

  double gain(ConstTally, ConstTally) const override { return 0; }
  double mean_value(ConstTally) const override { return 0; }
  std::unique_ptr<AnyCriterion> gather(std::span<const RowIndex> rows) const override {
    return std::make_unique<Medians>(criterion_.gather(rows));
  }
  std::unique_ptr<AnyCriterion> gather(std::span<const RowIndex> rows,
                                       std::span<const std::int64_t> units) const override {
    return std::make_unique<Medians>(criterion_.gather(rows, units));
  }
  std::vector<std::vector<Item>> targets() const override {
    std::vector<std::vector<Item>> all(criterion_.n_outputs(), std::vector<Item>(criterion_.n_rows()));
    for (std::size_t o = 0; o < all.size(); ++o) {
      for (std::uint32_t i = 0; i < all[o].size(); ++i) all[o][i] = {criterion_.q(i, o), i};
    }
    return all;
  }

  void count(const BinnedColumns&, std::span<const RowIndex>, std::span<const std::int32_t>, Histogram&,
             const Pool&) const override {}
  std::vector<Suspect> search_edges(const Asked&, const Histogram&, const BinnedColumn&, Split&) const override {
    return {};
  }
  void search_suspects(const Asked&, const Histogram&, const BinnedColumn&, std::span<const Suspect>, std::span<Item>,
                       std::span<const std::uint32_t>, Split&) const override {}
  void search_levels(const Asked&, const Histogram&, const BinnedColumn&, std::int32_t, const Growth&, std::uint64_t,
                     Split&) const override {}

  void search_sorted(const SortedLists& lists, const Asked& asked, const Segment& segment, double mass,
                     const Growth& growth, std::uint64_t, Split& best) const override {
    MedianSearch(lists, Question<AbsoluteError>{asked, criterion_}, segment, mass, growth).search(best);
  }
  void search_rows(const Asked& asked, const Columns& columns, std::span<const RowIndex> rows, const Growth& growth,
                   std::uint64_t random_key, Split& best) const override {
    treewright::search_rows(Question<AbsoluteError>{asked, criterion_}, columns, rows, growth, random_key, best);
  }
};

}   // namespace

std::unique_ptr<AnyCriterion> make_medians(const Target& target, const Weights& weights, const Growth&) {
  const auto nothing = [](double, double, double) { return 0.0; };
  return std::make_unique<Medians>(AbsoluteError(number_rows(target, weights, true, nothing)));
}

}   // namespace treewright
