// Search over a node whose rows are counted in bins: the edges of all columns first, then the bins that may still hide
// a better cut, the most promising column first.
#pragma once
#include "../any_criterion.hpp"
#include "../choice.hpp"

namespace treewright {

struct CountedNode {
  const AnyCriterion& criterion;
  const Columns& columns;
  const BinnedColumns& binned;
  const Histogram& histogram;
  std::span<const RowIndex> rows;
  const Growth& growth;
  std::uint64_t random_key;
  Pool& pool;   // of one thread where sharing does not pay
};

// The bins of one column to read values of, and where each one's rows go in a list of items.
struct Wanted {
  std::array<std::uint8_t, 256> wanted{};
  std::array<std::uint32_t, 256> begin{};
  std::uint32_t n_items = 0;

  Wanted(const AnyCriterion& criterion, const Histogram& histogram, std::size_t feature,
         std::span<const Suspect> suspects);
};

// The bin whose least value lies right of a cut at the edge of `bin`.
int next_filled_bin(const AnyCriterion& criterion, const Histogram& histogram, std::size_t feature, int bin);

// input_of(feature) is the input of the search of a column, its missing rows not yet counted.
void search_counted(const CountedNode& node, std::span<const std::int32_t> features,
                    const std::function<SearchInput(std::int32_t)>& input_of, Choice& choice);

}   // namespace treewright
