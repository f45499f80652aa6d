// Shapley values of a tree, exactly. What a tree predicts is a sum over its ends of value * product over the columns
// of the path there: a column that is known sends the row on or not (1 or 0, or a share), one that is not known sends
// on the share of the training weight, or what a background row does. The Shapley values of a product of m columns
// depend on the m bits that the row satisfies alone, so each end has a table of 2^m values; ends with too many
// columns are computed where they are met, once for all rows of a block with the same bits.
#pragma once
#include <vector>

#include "predict.hpp"

namespace treewright {

struct ShapleyGame {
  std::vector<double> cover;     // per node: the share of its parent's weight; 1 for the root
  std::vector<double> stopped;   // per node: the share of its own weight whose rows stop there
  std::vector<double> values;    // (nodes, width)
  std::size_t width = 1;
};

class Shapley {
 public:
  Shapley(const Predictor& predictor, ShapleyGame game);

  // Columns that are not known take the values of these rows, all alike, in place of the training weights.
  void set_background(const Columns& rows, Pool& pool);
  void make_tables(std::size_t n_rows, Pool& pool);   // before explain, for about so many rows
  // out: (rows, n_features, width), all zero.
  void explain(const Columns& columns, Pool& pool, std::size_t n_features, double* out) const;
  std::vector<double> base() const;   // what is predicted if nothing is known

 private:
  using Bits = std::uint64_t;
  static constexpr std::size_t n_bits = 64;
  struct Place {   // a step of a path: where an inner node sends the row to `child`
    std::int32_t inner = -1, child = 0, node = 0, end = -1;
    std::uint32_t depth = 0, position = 0;   // of its column among those of the path
    bool fresh = true;                       // the first step that tests this column
  };
  struct End {
    std::int32_t node = 0;
    std::vector<std::int32_t> slots;             // the columns of the path, as places in used_
    std::vector<double> cover;                   // of each, the product over its steps
    std::vector<double> table;                   // (m, 2^m), times the value if width is 1; empty: none
    std::vector<std::pair<Bits, double>> seen;   // bits of the background rows, and the share of the rows
    std::vector<double> parts;                   // (background rows, m), where bits do not say it all
  };
  struct Frame;
  struct Scratch;

  void add_children(const Frame& frame, std::vector<Frame>& open);
  void weigh_bits(const End& end, Bits bits, Scratch& scratch) const;
  void weigh_parts(const End& end, const double* parts, Scratch& scratch) const;
  void add_block(std::size_t n, std::span<const std::int32_t> routes, Scratch& scratch) const;
  void add_end(const End& end, const Bits* bits, std::size_t n, Scratch& scratch) const;
  void add_weights(const End& end, std::size_t row, std::size_t n, Scratch& scratch) const;
  void add_row_by_parts(std::size_t row, std::size_t n, std::span<const std::int32_t> routes, Scratch& scratch) const;
  template <class Use>
  void each_place(std::size_t n, std::span<const std::int32_t> routes, Scratch& scratch, Use&& use) const;
  template <class Use>
  void each_part(std::size_t row, std::size_t n, std::span<const std::int32_t> routes, Scratch& scratch,
                 Use&& use) const;

  const Predictor& predictor_;
  ShapleyGame game_;
  std::vector<Place> places_;   // every step of every path, each after the one above it
  std::vector<End> ends_;
  std::vector<std::int32_t> used_;   // the columns that are tested
  std::size_t depth_ = 0, most_columns_ = 0, n_background_ = 0;
  bool by_parts_ = false;   // bits do not do: too many columns, or background rows that are shared out
};

}   // namespace treewright
