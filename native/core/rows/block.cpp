#include "block.hpp"

#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "../route.hpp"

namespace treewright {

namespace {

// Entries of a request that begin with a node, a feature and a bin.
class Entries {
 public:
  Entries(std::span<const std::int64_t> words, std::size_t step) : words_(words), step_(step) {}
  std::size_t size() const { return words_.size() / step_; }
  const std::int64_t* operator[](std::size_t i) const { return &words_[i * step_]; }
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int32_t>> by_column() const {
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::int32_t>> found;
    for (std::size_t i = 0; i < size(); ++i)
      found[{(*this)[i][0], (*this)[i][1]}].push_back(static_cast<std::int32_t>(i));
    return found;
  }

 private:
  std::span<const std::int64_t> words_;
  std::size_t step_;
};

}   // namespace

// The work on one request.
class Block::Answer {
 public:
  Answer(const Block& block, const std::vector<std::int64_t>& words, RowsByNode& rows, const Pool& pool,
         ReplyOfBlocks& reply)
      : block_(block),
        held_(block.criterion_()),
        criterion_(*held_),
        words_(words),
        rows_(rows),
        pool_(pool),
        reply_(reply) {}

  void start() {
    const std::size_t n_maxima = criterion_.n_moment_maxima();
    make_room(criterion_.n_moment_sums(), n_maxima + block_.bin_ranges_.size());
    add_moments({0});
    add_counts({0});
    for (std::size_t i = 0; i < block_.bin_ranges_.size(); ++i)
      reply_.maxima[n_maxima + i] = std::max(reply_.maxima[n_maxima + i], block_.bin_ranges_[i]);
  }

  void masses() {
    const std::size_t n_words = n_mass_words * criterion_.n_outputs();
    const std::size_t n_limbs = limbs_of_wide * criterion_.n_outputs();
    make_room(words_.size() / (1 + n_words) * n_limbs, 0);
    for (std::size_t i = 0; i * (1 + n_words) < words_.size(); ++i) {
      const std::int64_t* entry = &words_[i * (1 + n_words)];
      criterion_.add_masses(rows_[entry[0]], entry + 1, &reply_.sums[i * n_limbs]);
    }
  }

  void counts() { add_counts(words_); }

  void ranges() {
    const Entries entries(words_, 3);
    make_room(0, entries.size() * 2);
    visit_bins(entries, [&](std::size_t i, Key key, RowIndex) { widen(&reply_.maxima[2 * i], key); });
  }

  void look() {
    const auto n = static_cast<std::size_t>(words_[0]);
    const std::span<const std::int64_t> words(words_);
    const Entries slices(words.subspan(1, 6 * n), 6), runs(words.subspan(1 + 6 * n), 5);
    const std::size_t width = criterion_.width();
    make_room(n * n_slices * width, n * n_slices * 2);
    visit_bins(slices, [&](std::size_t i, Key key, RowIndex row) {
      const std::int64_t* entry = slices[i];
      const Key low = entry[3], high = entry[4];
      if (key < low || key > high) return;
      const std::size_t slice =
          i * n_slices + ((static_cast<std::uint64_t>(key) - static_cast<std::uint64_t>(low)) >> entry[5]);
      criterion_.add(Tally(&reply_.sums[slice * width], width), row);
      widen(&reply_.maxima[2 * slice], key);
    });
    visit_bins(runs, [&](std::size_t i, Key key, RowIndex row) {
      if (key < runs[i][3] || key > runs[i][4]) return;
      const std::size_t at = reply_.items.size();
      reply_.items.resize(at + 2 + width, 0);
      reply_.items[at] = static_cast<std::int64_t>(i);
      reply_.items[at + 1] = key;
      criterion_.add(Tally(&reply_.items[at + 2], width), row);
    });
  }

  void route() {
    std::vector<std::int64_t> children;
    std::vector<ChildNumber> child;
    const std::int64_t *word = words_.data() + 1, *const end = word + words_[0];
    while (word < end) {
      const std::int64_t node = word[0], first_child = word[1];
      word += 2;
      const Test test = Test::read(word);
      const std::span<const RowIndex> here = rows_[node];
      child.resize(here.size());
      children_by_key(block_.columns_, here, test, child.data());
      rows_.divide(node, first_child, child.data(), static_cast<std::size_t>(test.n_children));
      for (std::int32_t k = 0; k < test.n_children; ++k) children.push_back(first_child + k);
    }
    make_room(children.size() * criterion_.n_moment_sums(), children.size() * criterion_.n_moment_maxima());
    add_moments(children);
    add_counts({end, words_.data() + words_.size()});
  }

  void gather() {
    const std::size_t n_columns = block_.columns_.size(), stride = 1 + n_columns + criterion_.n_row_words();
    std::vector<Key> keys;
    for (const std::int64_t node : words_) {
      const std::span<const RowIndex> here = rows_[node];
      const std::size_t first = reply_.items.size();
      reply_.items.resize(first + here.size() * stride);
      for (std::size_t i = 0; i < here.size(); ++i) {
        std::int64_t* item = &reply_.items[first + i * stride];
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
        for (std::size_t i = 0; i < here.size(); ++i) reply_.items[first + i * stride + 1 + f] = keys[i];
      }
    }
  }

 private:
  void make_room(std::size_t n_sums, std::size_t n_maxima) {   // for the first block
    if (reply_.sums.empty()) reply_.sums.assign(n_sums, 0);
    if (reply_.maxima.empty()) reply_.maxima.assign(n_maxima, nothing);
  }
  void add_moments(const std::vector<std::int64_t>& nodes) {
    const std::size_t n_sums = criterion_.n_moment_sums(), n_maxima = criterion_.n_moment_maxima();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      pool_.check();
      criterion_.add_moments(rows_[nodes[i]], &reply_.sums[i * n_sums], reply_.maxima.data() + i * n_maxima);
    }
  }
  void add_counts(const std::vector<std::int64_t>& nodes) {
    std::vector<std::int32_t> features(block_.columns_.size());
    std::iota(features.begin(), features.end(), 0);
    if (reply_.histograms.empty())
      reply_.histograms.assign(nodes.size(), Histogram(block_.binned_, criterion_.width()));
    for (std::size_t i = 0; i < nodes.size(); ++i)
      criterion_.count(block_.binned_, rows_[nodes[i]], features, reply_.histograms[i], pool_);
  }
  static void widen(std::int64_t* range, Key key) {
    range[0] = std::max(range[0], key);
    range[1] = std::max(range[1], ~key);
  }
  // Calls use(number of the entry, key, row) for the rows of every entry's node and bin. Rows are visited once for all
  // entries of a node and a column: first those in one of the bins are listed, so that their values are fetched together.
  template <class Use>
  void visit_bins(const Entries& entries, Use&& use) {
    std::vector<std::int32_t> next(entries.size());   // a further entry of the same bin
    std::array<std::int32_t, 256> first;
    std::vector<RowIndex> listed;
    for (const auto& [place, numbers] : entries.by_column()) {
      pool_.check();
      first.fill(-1);
      for (auto i = numbers.rbegin(); i != numbers.rend(); ++i)
        next[static_cast<std::size_t>(*i)] =
            std::exchange(first[static_cast<std::size_t>(entries[static_cast<std::size_t>(*i)][2])], *i);
      const auto f = static_cast<std::size_t>(place.second);
      const Code* codes = block_.binned_[f].codes.data();
      const std::span<const RowIndex> here = rows_[place.first];
      listed.resize(std::max(listed.size(), here.size()));
      std::size_t n_listed = 0;
      for (const RowIndex row : here) {
        listed[n_listed] = row;
        n_listed += first[codes[row]] >= 0;
      }
      with_reader(block_.columns_[f], [&](auto reader) {
        for (std::size_t k = 0; k < n_listed; ++k) {
          const RowIndex row = listed[k];
          const Key key = reader.key(row);
          for (std::int32_t i = first[codes[row]]; i >= 0; i = next[static_cast<std::size_t>(i)])
            use(static_cast<std::size_t>(i), key, row);
        }
      });
    }
  }

  const Block& block_;
  const std::shared_ptr<const AnyCriterion> held_;
  const AnyCriterion& criterion_;
  const std::vector<std::int64_t>& words_;
  RowsByNode& rows_;
  const Pool& pool_;
  ReplyOfBlocks& reply_;
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

void Block::compute(const Request& request, RowsByNode& rows, const Pool& pool, ReplyOfBlocks& reply) const {
  Answer answer(*this, request.words, rows, pool, reply);
  switch (request.operation) {
    case Operation::start:
      return answer.start();
    case Operation::masses:
      return answer.masses();
    case Operation::counts:
      return answer.counts();
    case Operation::ranges:
      return answer.ranges();
    case Operation::look:
      return answer.look();
    case Operation::route:
      return answer.route();
    default:
      return answer.gather();
  }
}

}   // namespace treewright
