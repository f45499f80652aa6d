#include "absolute_error.hpp"

#include "../criterion_of.hpp"
#include "../fit_with.hpp"
#include "../search/medians.hpp"
#include "../target_rows.hpp"

namespace treewright {

namespace {

// It has no finite tally: nothing is counted, and all nodes are sorted.
class Medians final : public CriterionOf<AbsoluteError> {
 public:
  using CriterionOf::CriterionOf;

  double gain(ConstTally, ConstTally) const override { return 0; }
  bool allows(ConstTally, ConstTally) const override { return true; }
  double output_value(ConstTally) const override { return 0; }
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
  std::vector<Suspect> search_edges(const SearchInput&, const Histogram&, const BinnedColumn&, Split&) const override {
    return {};
  }
  void search_suspects(const SearchInput&, const Histogram&, const BinnedColumn&, std::span<const Suspect>,
                       std::span<Item>, std::span<const std::uint32_t>, Split&) const override {}
  Levels levels_of(const SortedLists&, std::size_t, std::span<const SortedLists::Entry>) const override {
    return Levels(0);
  }
  Levels levels_of(const Column&, std::span<const RowIndex>, Tally) const override { return Levels(0); }

  void search_sorted(const SortedLists& lists, const SearchInput& input, const Segment& segment, double mass,
                     const Growth& growth, Split& best) const override {
    MedianSearch(lists, SearchContext<AbsoluteError>{input, criterion_}, segment, mass, growth).search(best);
  }
  void search_random(const SearchInput& input, KeyKind kind, std::uint64_t random_key, std::span<const RowIndex> rows,
                     std::span<const Key> keys, Split& best) const override {
    treewright::search_random(SearchContext<AbsoluteError>{input, criterion_}, kind, random_key, rows, keys, best);
  }
};

}   // namespace

std::unique_ptr<AnyCriterion> make_medians(const Target& target, const Weights& weights) {
  const auto nothing = [](double, double, double) { return 0.0; };
  return std::make_unique<Medians>(AbsoluteError(number_rows(target, weights, true, nothing)));
}

}   // namespace treewright
