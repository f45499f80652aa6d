#include "block.hpp"

#include "../route.hpp"

namespace treewright {

namespace {

// The rows of some nodes, each node's together and in their order.
class RowsOfNodes {
 public:
  RowsOfNodes(std::span<const NodeIndex> node_of_row, const std::vector<std::int64_t>& nodes) {
    std::int64_t last = -1;
    for (const std::int64_t node : nodes) last = std::max(last, node);
    slot_.assign(static_cast<std::size_t>(last + 1), -1);
    std::int32_t n_slots = 0;
    for (const std::int64_t node : nodes) {
      std::int32_t& slot = slot_[static_cast<std::size_t>(node)];
      if (slot < 0) slot = n_slots++;
    }
    begin_.assign(static_cast<std::size_t>(n_slots) + 1, 0);
    const auto slot_of = [&](NodeIndex node) {
      return node < 0 || node > last ? -1 : slot_[static_cast<std::size_t>(node)];
    };
    for (const NodeIndex node : node_of_row) {
      const std::int32_t slot = slot_of(node);
      if (slot >= 0) ++begin_[static_cast<std::size_t>(slot) + 1];
    }
    for (std::size_t s = 1; s < begin_.size(); ++s) begin_[s] += begin_[s - 1];
    rows_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t row = 0; row < node_of_row.size(); ++row) {
      const std::int32_t slot = slot_of(node_of_row[row]);
      if (slot >= 0) rows_[next[static_cast<std::size_t>(slot)]++] = static_cast<RowIndex>(row);
    }
  }
  std::span<const RowIndex> operator[](std::int64_t node) const {
    const auto slot = static_cast<std::size_t>(slot_[static_cast<std::size_t>(node)]);
    return std::span(rows_).subspan(begin_[slot], begin_[slot + 1] - begin_[slot]);
  }

 private:
  std::vector<std::int32_t> slot_;
  std::vector<std::size_t> begin_;
  std::vector<RowIndex> rows_;
};

std::vector<std::int64_t> every(const std::vector<std::int64_t>& words, std::size_t step) {   // the nodes of entries
  std::vector<std::int64_t> nodes;
  for (std::size_t i = 0; i < words.size(); i += step) nodes.push_back(words[i]);
  return nodes;
}

}   // namespace

// The work on one request.
class Block::Answer {
 public:
  Answer(const Block& block, const std::vector<std::int64_t>& words, std::span<NodeIndex> node_of_row, const Pool& pool)
      : block_(block),
        held_(block.criterion_()),
        criterion_(*held_),
        words_(words),
        node_of_row_(node_of_row),
        pool_(pool) {}

  Reply moments() { return moments_of(words_); }

  Reply masses() {
    const std::size_t n_words = 2 * criterion_.n_outputs(), n_limbs = limbs_of_wide * criterion_.n_outputs();
    const RowsOfNodes rows(node_of_row_, every(words_, 1 + n_words));
    Reply reply;
    reply.sums.assign(words_.size() / (1 + n_words) * n_limbs, 0);
    for (std::size_t i = 0; i * (1 + n_words) < words_.size(); ++i) {
      const std::int64_t* entry = &words_[i * (1 + n_words)];
      criterion_.add_masses(rows[entry[0]], entry + 1, &reply.sums[i * n_limbs]);
    }
    return reply;
  }

  Reply counts() {
    const RowsOfNodes rows(node_of_row_, words_);
    std::vector<std::int32_t> features(block_.columns_.size());
    for (std::size_t f = 0; f < features.size(); ++f) features[f] = static_cast<std::int32_t>(f);
    Reply reply;
    for (const std::int64_t node : words_) {
      Histogram histogram(block_.binned_, criterion_.width());
      criterion_.count(block_.binned_, rows[node], features, histogram, pool_);
      reply.sums.insert(reply.sums.end(), histogram.cells.begin(), histogram.cells.end());
    }
    return reply;
  }

  Reply ranges() {
    const RowsOfNodes rows(node_of_row_, every(words_, 3));
    Reply reply;
    reply.maxima.assign(words_.size() / 3 * 2, nothing);
    for (std::size_t i = 0; i * 3 < words_.size(); ++i) {
      visit_bin(rows, &words_[3 * i], [&](Key key, RowIndex) {
        reply.maxima[2 * i] = std::max(reply.maxima[2 * i], key);
        reply.maxima[2 * i + 1] = std::max(reply.maxima[2 * i + 1], ~key);
      });
    }
    return reply;
  }

  Reply slices() {
    const RowsOfNodes rows(node_of_row_, every(words_, 6));
    const std::size_t width = criterion_.width(), n = words_.size() / 6;
    Reply reply;
    reply.sums.assign(n * n_slices * width, 0);
    reply.maxima.assign(n * n_slices * 2, nothing);
    for (std::size_t i = 0; i < n; ++i) {
      const std::int64_t* entry = &words_[6 * i];
      const Key low = entry[3], high = entry[4];
      const auto shift = static_cast<int>(entry[5]);
      visit_bin(rows, entry, [&](Key key, RowIndex row) {
        if (key < low || key > high) return;
        const std::size_t slice =
            i * n_slices + ((static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(low)) >> shift);
        criterion_.add(Tally(&reply.sums[slice * width], width), row);
        reply.maxima[2 * slice] = std::max(reply.maxima[2 * slice], key);
        reply.maxima[2 * slice + 1] = std::max(reply.maxima[2 * slice + 1], ~key);
      });
    }
    return reply;
  }

  Reply runs() {
    const RowsOfNodes rows(node_of_row_, every(words_, 5));
    const std::size_t width = criterion_.width();
    Reply reply;
    for (std::size_t i = 0; i * 5 < words_.size(); ++i) {
      const std::int64_t* entry = &words_[5 * i];
      visit_bin(rows, entry, [&](Key key, RowIndex row) {
        if (key < entry[3] || key > entry[4]) return;
        const std::size_t at = reply.items.size();
        reply.items.resize(at + 2 + width, 0);
        reply.items[at] = static_cast<std::int64_t>(i);
        reply.items[at + 1] = key;
        criterion_.add(Tally(&reply.items[at + 2], width), row);
      });
    }
    return reply;
  }

  Reply route() {
    struct Step {
      std::int64_t node, first_child;
      Test test;
    };
    std::vector<Step> steps;
    std::vector<std::int64_t> nodes, children;
    for (const std::int64_t *word = words_.data(), *end = word + words_.size(); word < end;) {
      const std::int64_t node = word[0], first_child = word[1];
      word += 2;
      steps.push_back({node, first_child, Test::read(word)});
      nodes.push_back(node);
      for (std::int32_t k = 0; k < steps.back().test.n_children; ++k) children.push_back(first_child + k);
    }
    const RowsOfNodes rows(node_of_row_, nodes);
    for (const Step& step : steps) {
      const std::span<const RowIndex> here = rows[step.node];
      std::vector<ChildNumber> child(here.size());
      children_by_test(block_.columns_, here, step.test, child.data());
      for (std::size_t i = 0; i < here.size(); ++i)
        node_of_row_[here[i]] = static_cast<NodeIndex>(step.first_child + child[i]);
    }
    return moments_of(children);
  }

  Reply gather() {
    const RowsOfNodes rows(node_of_row_, words_);
    const std::size_t n_columns = block_.columns_.size(), stride = 1 + n_columns + criterion_.n_row_words();
    Reply reply;
    std::vector<Key> keys;
    for (const std::int64_t node : words_) {
      const std::span<const RowIndex> here = rows[node];
      const std::size_t first = reply.items.size();
      reply.items.resize(first + here.size() * stride);
      for (std::size_t i = 0; i < here.size(); ++i) {
        std::int64_t* item = &reply.items[first + i * stride];
        item[0] = node;
        criterion_.write_row(here[i], item + 1 + n_columns);
      }
      keys.resize(here.size());
      for (std::size_t f = 0; f < n_columns; ++f) {
        pool_.check();
        if (block_.columns_[f].nominal) {
          for (std::size_t i = 0; i < here.size(); ++i) keys[i] = block_.columns_[f].level_codes()[here[i]];
        } else {
          read_keys(block_.columns_[f], here, keys.data());
        }
        for (std::size_t i = 0; i < here.size(); ++i) reply.items[first + i * stride + 1 + f] = keys[i];
      }
    }
    return reply;
  }

 private:
  Reply moments_of(const std::vector<std::int64_t>& nodes) {
    const RowsOfNodes rows(node_of_row_, nodes);
    const std::size_t n_sums = criterion_.n_moment_sums(), n_maxima = criterion_.n_moment_maxima();
    Reply reply;
    reply.sums.assign(nodes.size() * n_sums, 0);
    reply.maxima.assign(nodes.size() * n_maxima, nothing);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      pool_.check();
      criterion_.add_moments(rows[nodes[i]], &reply.sums[i * n_sums], reply.maxima.data() + i * n_maxima);
    }
    return reply;
  }
  // entry: node, feature, bin. Calls use(key, row) for the node's rows in the bin.
  template <class Use>
  void visit_bin(const RowsOfNodes& rows, const std::int64_t* entry, Use&& use) {
    pool_.check();
    const auto f = static_cast<std::size_t>(entry[1]);
    const Code* codes = block_.binned_[f].codes.data();
    const auto bin = static_cast<Code>(entry[2]);
    with_reader(block_.columns_[f], [&](auto reader) {
      for (const RowIndex row : rows[entry[0]])
        if (codes[row] == bin) use(reader.key(row), row);
    });
  }

  const Block& block_;
  const std::shared_ptr<const AnyCriterion> held_;
  const AnyCriterion& criterion_;
  const std::vector<std::int64_t>& words_;
  std::span<NodeIndex> node_of_row_;
  const Pool& pool_;
};

BinnedColumns code_block(const Columns& columns, const std::vector<Coder>& coders) {
  BinnedColumns binned;
  for (std::size_t f = 0; f < columns.size(); ++f) {
    const Column& column = columns[f];
    if (column.sparse) throw std::invalid_argument("a table in parts must have dense columns.");
    binned.push_back(column.nominal ? bins_of_levels(column, std::numeric_limits<std::size_t>::max())
                                    : code_column(column, columns.n_rows, coders[f]));
  }
  return binned;
}

std::vector<std::int64_t> bin_ranges_of(const Columns& columns, const BinnedColumns& binned) {
  std::vector<std::int64_t> ranges;
  for (std::size_t f = 0; f < columns.size(); ++f) {
    const std::size_t first = ranges.size();
    ranges.resize(first + 2 * (static_cast<std::size_t>(binned[f].n_bins) + 1), nothing);
    if (columns[f].nominal) continue;
    const Code* codes = binned[f].codes.data();
    with_reader(columns[f], [&](auto reader) {
      for (std::size_t row = 0; row < columns.n_rows; ++row) {
        std::int64_t* range = &ranges[first + 2 * std::size_t{codes[row]}];
        const Key key = reader.key(row);
        range[0] = std::max(range[0], key);
        range[1] = std::max(range[1], ~key);
      }
    });
  }
  return ranges;
}

Reply Block::compute(const Request& request, std::span<NodeIndex> node_of_row, const Pool& pool) const {
  if (request.operation == Operation::bins) return {{}, bin_ranges_, {}};
  Answer answer(*this, request.words, node_of_row, pool);
  switch (request.operation) {
    case Operation::moments:
      return answer.moments();
    case Operation::masses:
      return answer.masses();
    case Operation::counts:
      return answer.counts();
    case Operation::ranges:
      return answer.ranges();
    case Operation::slices:
      return answer.slices();
    case Operation::runs:
      return answer.runs();
    case Operation::route:
      return answer.route();
    default:
      return answer.gather();
  }
}

}   // namespace treewright
