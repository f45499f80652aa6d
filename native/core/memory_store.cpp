#include "memory_store.hpp"

namespace treewright {

std::vector<Summary> MemoryStore::route_sorted(const Move& move) {
  Node& node = at(move.node);
  node.family.reset();
  auto family = std::make_shared<Family>();
  family->first = move.first_child;
  family->end = move.first_child + move.split->n_children;
  family->sorted = std::move(node.sorted);
  family->segment = std::move(node.segment);
  family->begin = family->sorted->route(family->segment, *move.split, table_->columns);
  std::vector<Summary> summaries;
  for (std::size_t k = 0; k < static_cast<std::size_t>(move.split->n_children); ++k) {
    const Segment child{family->begin[k], family->begin[k + 1], {}};
    summaries.push_back(child.size() > 0 ? family->sorted->summary(child) : Summary{});
    at(move.first_child + static_cast<NodeIndex>(k)).family = family;
  }
  return summaries;
}

std::vector<Summary> MemoryStore::route_rows(const Move& move) {
  Node& node = at(move.node);
  const std::span<RowIndex> span = std::span(table_->rows).subspan(node.begin, node.size());
  const auto f = static_cast<std::size_t>(move.split->feature);
  const auto n_children = static_cast<std::size_t>(move.split->n_children);
  std::vector<ChildNumber> child(span.size());
  const std::size_t n_chunks = worth_sharing(node) ? 4 * static_cast<std::size_t>(pool_.n_threads()) : 1;
  share(n_chunks > 1, n_chunks, [&](std::size_t chunk) {
    const std::size_t begin = span.size() * chunk / n_chunks, end = span.size() * (chunk + 1) / n_chunks;
    const std::span<const RowIndex> some = span.subspan(begin, end - begin);
    if (node.histogram) children_by_bin(table_->columns, table_->binned[f], some, *move.split, child.data() + begin);
    else children_by_key(table_->columns, some, *move.split, child.data() + begin);
  });
  const auto begin = divide(span, child.data(), static_cast<std::size_t>(move.split->n_parts()));
  bool any_counted = false;
  for (std::size_t k = 0; k < n_children; ++k) {
    Node& to = at(move.first_child + static_cast<NodeIndex>(k));
    to.begin = node.begin + begin[k];
    to.end = node.begin + begin[k + 1];
    any_counted |= counted(to);
  }
  if (node.histogram && any_counted && !move.split->stops_rows()) {
    auto family = std::make_shared<Family>();
    family->first = move.first_child;
    family->end = move.first_child + move.split->n_children;
    family->histogram = std::move(node.histogram);
    for (NodeIndex k = family->first; k < family->end; ++k) at(k).family = family;
  }
  node.histogram.reset();
  node.family.reset();
  std::vector<Summary> summaries(n_children);
  share(worth_sharing(node), n_children, [&](std::size_t k) {
    const Node& child = at(move.first_child + static_cast<NodeIndex>(k));
    if (child.size() > 0) summaries[k] = table_->criterion.summary(rows(child));
  });
  return summaries;
}

}   // namespace treewright
