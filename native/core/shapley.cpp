#include "shapley.hpp"

#include "shapley_walk.hpp"

namespace treewright {

struct Shapley::Frame {
  Place place;
  std::vector<std::int32_t> slots;
  std::vector<double> cover;
};

Shapley::Shapley(const Predictor& predictor, ShapleyGame game) : predictor_(predictor), game_(std::move(game)) {
  const std::vector<PredictorNode>& nodes = predictor.tree().nodes;
  if (game_.cover.size() != nodes.size() || game_.stopped.size() != nodes.size() ||
      game_.values.size() != nodes.size() * game_.width)
    throw std::invalid_argument("there must be a cover, a stopped share and values for every node.");
  std::vector<Frame> open;
  open.push_back({});
  while (!open.empty()) {
    const Frame frame = std::move(open.back());
    open.pop_back();
    const Place& place = frame.place;
    if (place.inner >= 0) places_.push_back(place);
    depth_ = std::max<std::size_t>(depth_, place.depth);
    if (nodes[static_cast<std::size_t>(place.node)].n_children > 0 && place.child != stops_missing) {
      add_children(frame, open);
      continue;
    }
    if (place.inner >= 0) places_.back().end = static_cast<std::int32_t>(ends_.size());
    most_columns_ = std::max(most_columns_, frame.slots.size());
    ends_.push_back({place.node, frame.slots, frame.cover, {}, {}, {}});
  }
  by_parts_ = most_columns_ > n_bits;
}

void Shapley::add_children(const Frame& frame, std::vector<Frame>& open) {
  const PredictorTree& tree = predictor_.tree();
  const auto at = static_cast<std::size_t>(frame.place.node);
  const PredictorNode& node = tree.nodes[at];
  const auto known = std::find(used_.begin(), used_.end(), node.feature);
  const auto slot = static_cast<std::int32_t>(known - used_.begin());
  if (known == used_.end()) used_.push_back(node.feature);
  const auto position =
      static_cast<std::size_t>(std::find(frame.slots.begin(), frame.slots.end(), slot) - frame.slots.begin());
  const bool fresh = position == frame.slots.size();
  const auto add = [&](std::int32_t child, std::int32_t to, double share) {
    Frame next{{static_cast<std::int32_t>(at), child, to, -1, frame.place.depth + 1,
                static_cast<std::uint32_t>(position), fresh},
               frame.slots,
               frame.cover};
    if (fresh) next.slots.push_back(slot), next.cover.push_back(1);
    next.cover[position] *= share;
    open.push_back(std::move(next));
  };
  if (node.missing_child == stops_missing) add(stops_missing, frame.place.node, game_.stopped[at]);
  for (std::int32_t k = node.n_children; k-- > 0;) {
    add(k, node.first_child + k, game_.cover[static_cast<std::size_t>(node.first_child + k)]);
  }
}

void Shapley::add_weights(const End& end, std::size_t row, std::size_t n, Scratch& scratch) const {
  const double* values = game_.values.data() + static_cast<std::size_t>(end.node) * game_.width;
  for (std::size_t k = 0; k < end.slots.size(); ++k) {
    double* sums = scratch.sums.data() + static_cast<std::size_t>(end.slots[k]) * game_.width * n + row;
    for (std::size_t c = 0; c < game_.width; ++c) sums[c * n] += scratch.total[k] * values[c];
  }
}

void Shapley::add_end(const End& end, const Bits* bits, std::size_t n, Scratch& scratch) const {
  const std::size_t m = end.slots.size();
  if (!end.table.empty()) {
    const double* values = game_.values.data() + static_cast<std::size_t>(end.node) * game_.width;
    for (std::size_t k = 0; k < m; ++k) {
      const double* table = end.table.data() + (k << m);
      double* sums = scratch.sums.data() + static_cast<std::size_t>(end.slots[k]) * game_.width * n;
      if (game_.width == 1) {
        for (std::size_t r = 0; r < n; ++r) sums[r] += table[bits[r]];
        continue;
      }
      for (std::size_t c = 0; c < game_.width; ++c) {
        for (std::size_t r = 0; r < n; ++r) sums[c * n + r] += table[bits[r]] * values[c];
      }
    }
    return;
  }
  if (m == 0) return;
  scratch.order.resize(n);
  for (std::size_t r = 0; r < n; ++r) scratch.order[r] = {bits[r], static_cast<std::uint32_t>(r)};
  std::sort(scratch.order.begin(), scratch.order.end());
  for (std::size_t i = 0; i < n; ++i) {
    if (i == 0 || scratch.order[i].first != scratch.order[i - 1].first)
      weigh_bits(end, scratch.order[i].first, scratch);
    add_weights(end, scratch.order[i].second, n, scratch);
  }
}

void Shapley::add_row_by_parts(std::size_t row, std::size_t n, std::span<const std::int32_t> routes,
                               Scratch& scratch) const {
  for (std::size_t s = row; s < scratch.sums.size(); s += n) scratch.sums[s] = 0;
  each_part(row, n, routes, scratch, [&](const End& end, const double* parts) {
    if (end.slots.empty()) return;
    weigh_parts(end, parts, scratch);
    add_weights(end, row, n, scratch);
  });
}

void Shapley::add_block(std::size_t n, std::span<const std::int32_t> routes, Scratch& scratch) const {
  scratch.sums.assign(used_.size() * game_.width * n, 0.0);
  if (!by_parts_) {
    each_place(n, routes, scratch, [&](const End& end, const Bits* bits) { add_end(end, bits, n, scratch); });
    if (!predictor_.shares_rows()) return;
  }
  std::vector<char> shared(n, by_parts_);
  const std::vector<PredictorNode>& nodes = predictor_.tree().nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].n_children == 0 || nodes[i].missing_child != shared_missing) continue;
    for (std::size_t r = 0; r < n; ++r) shared[r] |= routes[i * n + r] == shared_missing;
  }
  for (std::size_t r = 0; r < n; ++r) {
    if (shared[r]) add_row_by_parts(r, n, routes, scratch);
  }
}

void Shapley::explain(const Columns& columns, Pool& pool, std::size_t n_features, double* out) const {
  const std::size_t width = game_.width;
  predictor_.all_routes(columns, pool, [&](std::size_t begin, std::size_t n, std::span<const std::int32_t> routes) {
    Scratch scratch;
    add_block(n, routes, scratch);
    for (std::size_t r = 0; r < n; ++r) {
      double* row = out + (begin + r) * n_features * width;
      for (std::size_t s = 0; s < used_.size(); ++s) {
        for (std::size_t c = 0; c < width; ++c)
          row[static_cast<std::size_t>(used_[s]) * width + c] = scratch.sums[(s * width + c) * n + r];
      }
    }
  });
}

}   // namespace treewright
