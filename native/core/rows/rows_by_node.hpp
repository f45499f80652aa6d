// The rows of a block by node.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../route.hpp"

namespace treewright {

// The rows of each node lie together, in their order: those of the children where their parent's were.
class RowsByNode {
 public:
  // counts(row): whether the row is in the root. Rows that are not there count nowhere.
  template <class Counts>
  RowsByNode(std::size_t n_rows, Counts&& counts) : n_rows_(n_rows) {
    rows_.reserve(n_rows);
    for (std::size_t row = 0; row < n_rows; ++row)
      if (counts(row)) rows_.push_back(static_cast<RowIndex>(row));
    places_.push_back({0, rows_.size()});
  }

  std::size_t n_rows() const { return n_rows_; }   // of the block
  std::span<const RowIndex> operator[](std::int64_t node) const {
    if (node < 0 || static_cast<std::size_t>(node) >= places_.size()) return {};
    const Place& place = places_[static_cast<std::size_t>(node)];
    return {rows_.data() + place.first, place.size};
  }

  // Moves the rows of a node to its children, which are numbered from first_child on. child: of each row.
  void divide(std::int64_t node, std::int64_t first_child, const ChildNumber* child, std::size_t n_children) {
    if (node < 0 || first_child <= node || first_child > std::numeric_limits<NodeIndex>::max())
      throw std::invalid_argument("children must have greater numbers than their parent.");
    const auto end = static_cast<std::size_t>(first_child) + n_children;
    if (places_.size() < end) places_.resize(end);
    const Place place = std::exchange(places_[static_cast<std::size_t>(node)], {});
    const std::vector<std::size_t> begins =
        treewright::divide(std::span(rows_).subspan(place.first, place.size), child, n_children);
    for (std::size_t k = 0; k < n_children; ++k)
      places_[static_cast<std::size_t>(first_child) + k] = {place.first + begins[k], begins[k + 1] - begins[k]};
  }

 private:
  struct Place {
    std::size_t first = 0, size = 0;
  };
  std::vector<RowIndex> rows_;
  std::vector<Place> places_;   // of each node
  std::size_t n_rows_;
};

}   // namespace treewright
