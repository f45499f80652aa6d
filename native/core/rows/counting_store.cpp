#include "counting_store.hpp"

#include "../recorded.hpp"
#include "../search/counted.hpp"
#include "../search/nominal.hpp"
#include "gathered_store.hpp"

namespace treewright {

CountingStore::CountingStore(Rows& rows, const AnyCriterion& criterion, TableShape shape, std::int64_t min_weight,
                             const Growth& growth, const PartsBudget& budget, Pool& pool)
    : rows_(rows),
      criterion_(criterion),
      shape_(std::move(shape)),
      min_weight_(min_weight),
      growth_(growth),
      budget_(budget),
      pool_(pool) {
  start_ = compute(Operation::start, {});
  bin_ranges_.assign(start_.maxima.begin() + static_cast<std::ptrdiff_t>(criterion.n_moment_maxima()),
                     start_.maxima.end());
  std::size_t cell = 0;
  for (BinnedColumn& column : shape_.bins) {   // a bin of one value hides nothing
    column.single.assign(static_cast<std::size_t>(column.n_bins), 0);
    for (std::uint8_t& single : column.single) {
      single = bin_ranges_[2 * cell] == ~bin_ranges_[2 * cell + 1];
      ++cell;
    }
    ++cell;
  }
}

Reply CountingStore::compute(Operation operation, std::vector<std::int64_t> words) {
  ++n_passes;
  pool_.check();
  return rows_.compute({operation, std::move(words)});
}

Summary CountingStore::root() {
  const std::vector<std::int64_t> nodes{0};
  keep_counts(nodes, start_.sums, criterion_.n_moment_sums());
  return summaries(nodes, std::exchange(start_, {}))[0];
}

std::vector<Summary> CountingStore::summaries(std::span<const std::int64_t> nodes, const Reply& reply) {
  const std::size_t n_sums = criterion_.n_moment_sums(), n_maxima = criterion_.n_moment_maxima();
  const std::size_t n_limbs = limbs_of_wide * criterion_.n_outputs();
  const auto has_rows = [&](std::size_t i) {
    return criterion_.rows(ConstTally(&reply.sums[i * n_sums], criterion_.width())) > 0;
  };
  std::vector<std::int64_t> words;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!has_rows(i)) continue;
    const auto more = criterion_.mass_words(&reply.sums[i * n_sums], reply.maxima.data() + i * n_maxima);
    if (more.empty()) continue;
    words.push_back(nodes[i]);
    words.insert(words.end(), more.begin(), more.end());
  }
  const Reply masses = words.empty() ? Reply{} : compute(Operation::masses, std::move(words));
  std::vector<Summary> found;
  std::size_t mass = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    found.emplace_back();
    if (!has_rows(i)) continue;
    found.back() = criterion_.summary(&reply.sums[i * n_sums], reply.maxima.data() + i * n_maxima,
                                      masses.sums.data() + n_limbs * mass++);
    n_rows_[static_cast<NodeIndex>(nodes[i])] = found.back().n_rows;
  }
  return found;
}

SearchInput CountingStore::input(const Search& search, std::int32_t feature) const {
  return search_input(criterion_, growth_, min_weight_, *search.request, feature);
}

std::size_t CountingStore::at_once() const {   // histograms
  const Histogram shape(shape_.bins, criterion_.width());
  const auto bytes = static_cast<std::int64_t>(shape.cells.size() * sizeof(std::int64_t));
  return static_cast<std::size_t>(std::max<std::int64_t>(1, budget_.histogram_bytes / bytes));
}

void CountingStore::best_splits(std::span<const SplitRequest> requests) {
  const std::size_t most = at_once();
  for (std::size_t begin = 0; begin < requests.size(); begin += most) {
    search_batch(requests.subspan(begin, std::min(most, requests.size() - begin)));
  }
  counted_.clear();
}

void CountingStore::search_batch(std::span<const SplitRequest> requests) {
  std::vector<Search> searches;
  for (const SplitRequest& request : requests)
    searches.push_back({&request, {}, std::make_unique<Choice>(shape_.columns.size(), growth_), {}, {}});
  count(searches);
  pool_.for_each(searches.size(), [&](std::size_t i) { search_edges(searches[i]); });
  look_into(searches);
  finish(searches);
  keep(searches);
  for (Search& search : searches) *search.request->split = std::move(search.best);
}

// Histograms of these nodes, from `at` on.
void CountingStore::keep_counts(std::span<const std::int64_t> nodes, const std::vector<std::int64_t>& sums,
                                std::size_t at) {
  const Histogram shape(shape_.bins, criterion_.width());
  for (const std::int64_t node : nodes) {
    Histogram& histogram = counted_[static_cast<NodeIndex>(node)] = shape;
    std::copy_n(sums.begin() + static_cast<std::ptrdiff_t>(at), shape.cells.size(), histogram.cells.begin());
    at += shape.cells.size();
  }
}

// The largest of several children is their parent minus the others; so is one that was not counted when rows moved.
void CountingStore::count(std::vector<Search>& searches) {
  std::map<NodeIndex, Histogram> found;   // of nodes to be counted
  std::vector<NodeIndex> derived;
  const auto size = [&](NodeIndex k) { return std::tuple(!counted_.contains(k), n_rows_[k], k); };
  for (const Search& search : searches) {
    const NodeIndex node = search.request->node;
    const auto family = family_.find(node);
    bool largest = family != family_.end();
    if (largest) {
      for (NodeIndex k = family->second.first; k < family->second.end; ++k)
        largest &= k == node || size(k) < size(node);
    }
    if (!largest) {
      found[node];
      continue;
    }
    derived.push_back(node);
    for (NodeIndex k = family->second.first; k < family->second.end; ++k)
      if (k != node && n_rows_[k] > 0) found[k];
  }
  std::vector<std::int64_t> nodes;
  for (const auto& [node, histogram] : found)
    if (!counted_.contains(node)) nodes.push_back(node);
  if (!nodes.empty()) keep_counts(nodes, compute(Operation::counts, nodes).sums, 0);
  for (auto& [node, histogram] : found) histogram = std::move(counted_.extract(node).mapped());
  for (const NodeIndex node : derived) {
    const Family family = family_[node];
    Histogram rest = std::move(kept_[family.parent].histogram);
    for (NodeIndex k = family.first; k < family.end; ++k) {
      family_.erase(k);
      if (k == node || n_rows_[k] == 0) continue;
      for (std::size_t f = 0; f < shape_.bins.size(); ++f) rest.subtract(found[k], f);
    }
    kept_.erase(family.parent);
    found[node] = std::move(rest);
  }
  for (Search& search : searches) search.histogram = std::move(found[search.request->node]);
}

void CountingStore::search_edges(Search& search) {
  for (std::size_t f = 0; f < shape_.columns.size(); ++f) {
    const auto feature = static_cast<std::int32_t>(f);
    Split found = search.choice->incumbent(feature);
    if (shape_.columns[f].nominal) {
      search_levels_of_bins(criterion_, input(search, feature), search.histogram, shape_.bins[f],
                            shape_.columns[f].n_levels, growth_, search.request->random_key, found);
    } else {
      add_zooms(search, feature,
                criterion_.search_edges(input(search, feature), search.histogram, shape_.bins[f], found));
    }
    search.choice->offer(std::move(found));
  }
}

// The split of each node, and the values around its cut.
void CountingStore::finish(std::vector<Search>& searches) {
  std::vector<std::int64_t> words;
  const auto unknown = [](const Split& s) { return s && !s.levels && !s.missing_alone && !s.has_neighbours; };
  for (Search& search : searches) {
    const ConstTally total = search.request->tally;
    weight_[search.request->node] = criterion_.weight(total);
    search.best = chosen_split(*search.choice, criterion_, shape_.columns, growth_, total,
                               static_cast<std::size_t>(n_rows_[0]), min_weight_);
    const Split& best = search.best;
    if (!unknown(best)) continue;
    const int next =
        next_filled_bin(criterion_, search.histogram, static_cast<std::size_t>(best.feature), best.place.bin);
    for (const std::int64_t bin : {std::int64_t{best.place.bin}, std::int64_t{next}})
      words.insert(words.end(), {search.request->node, best.feature, bin});
  }
  const Reply reply = words.empty() ? Reply{} : compute(Operation::ranges, std::move(words));
  std::size_t at = 0;
  for (Search& search : searches) {
    Split& best = search.best;
    if (!best) continue;
    if (unknown(best)) {
      best.low = reply.maxima[at];
      best.high = ~reply.maxima[at + 3];
      at += 4;
    }
    if (best.levels) add_empty_branches(best, shape_.columns, growth_);
    else set_threshold(best, shape_.columns[static_cast<std::size_t>(best.feature)], growth_, {});
  }
}

// Histograms of nodes that will be divided, as far as there is room.
void CountingStore::keep(std::vector<Search>& searches) {
  for (Search& search : searches) {
    const auto bytes = static_cast<std::int64_t>(search.histogram.cells.size() * sizeof(std::int64_t));
    if (search.best && static_cast<std::int64_t>(kept_.size() + 1) * bytes <= budget_.histogram_bytes)
      kept_[search.request->node] = {std::move(search.histogram), search.best.left_weight};
  }
}

void CountingStore::route(std::span<const Move> moves, std::span<Summary> children) {
  std::vector<std::int64_t> words{0}, nodes;
  for (const Move& move : moves) {
    words.insert(words.end(), {move.node, move.first_child});
    move.test->write(words);
    for (NodeIndex k = 0; k < move.test->n_children; ++k) {
      const NodeIndex child = move.first_child + k;
      nodes.push_back(child);
      n_rows_[child] = 0;
      if (growth_.max_depth >= 0) depth_[child] = depth_[move.node] + 1;
      if (kept_.contains(move.node))
        family_[child] = {move.node, move.first_child, move.first_child + move.test->n_children};
    }
  }
  words[0] = static_cast<std::int64_t>(words.size()) - 1;
  const std::vector<std::int64_t> next = to_count_next(moves);
  words.insert(words.end(), next.begin(), next.end());
  const Reply reply = compute(Operation::route, std::move(words));
  keep_counts(next, reply.sums, nodes.size() * criterion_.n_moment_sums());
  std::ranges::move(summaries(nodes, reply), children.begin());
}

// The children that will have to be counted, as far as it can be known before rows move: the lighter one of two, where
// the heavier one is large enough to be searched. It saves a pass.
std::vector<std::int64_t> CountingStore::to_count_next(std::span<const Move> moves) {
  counted_.clear();
  const std::int64_t least =
      std::max({budget_.gather_rows + 1, growth_.min_samples_split, 2 * growth_.min_samples_leaf});
  std::vector<std::int64_t> nodes;
  for (const Move& move : moves) {
    const auto kept = kept_.find(move.node);
    if (move.test->n_children != 2 || kept == kept_.end()) continue;
    if (growth_.max_depth >= 0 && depth_[move.first_child] >= growth_.max_depth) continue;
    const std::int64_t total = weight_[move.node], left = kept->second.left_weight,
                       lighter = std::min(left, total - left);
    const double share = static_cast<double>(total - lighter) / static_cast<double>(total);
    if (share * static_cast<double>(n_rows_[move.node]) < static_cast<double>(least)) continue;
    if (nodes.size() < at_once()) nodes.push_back(move.first_child + (left > lighter));
  }
  return nodes;
}

// As many of these nodes as may be in memory at once.
std::vector<MakeStore> CountingStore::parts(std::span<const NodeIndex> nodes) {
  const std::size_t stride = 1 + shape_.columns.size() + criterion_.n_row_words();
  const auto most = std::max(
      {budget_.gather_rows, budget_.gather_together, budget_.histogram_bytes / static_cast<std::int64_t>(8 * stride)});
  std::vector<std::int64_t> some;
  std::int64_t n = 0;
  for (const NodeIndex node : nodes) {
    if (!some.empty() && n + n_rows_[node] > most) break;
    some.push_back(node);
    n += n_rows_[node];
    kept_.erase(node);
  }
  const auto cells = n_rows_[nodes[0]] * static_cast<std::int64_t>(shape_.columns.size());
  one_by_one_ = cells >= 10 * growth_.share_above;
  const auto reply = std::make_shared<const Reply>(compute(Operation::gather, some));
  std::map<std::int64_t, std::vector<std::size_t>> items;   // where the rows of a node are
  for (std::size_t at = 0; at < reply->items.size(); at += stride) items[reply->items[at]].push_back(at);
  std::vector<MakeStore> stores;
  for (const std::int64_t node : some) {
    stores.push_back([this, reply, at = std::move(items[node])] {
      return std::make_unique<GatheredStore>(shape_.columns, criterion_, reply->items, at, growth_, min_weight_,
                                             one_by_one_ ? &pool_ : nullptr, pool_.cancel());
    });
  }
  return stores;
}

void CountingStore::for_each(std::size_t n, const std::function<void(std::size_t)>& work) {
  if (!one_by_one_) return pool_.for_each(n, work);
  for (std::size_t i = 0; i < n; ++i) work(i);
}

}   // namespace treewright
