// Small nodes, and columns without bins: the rows of a node kept sorted by every column. A split divides each list
// stably, so nothing is ever sorted twice (SPRINT's attribute lists). Sparse columns list their stored values only;
// the rows they do not list are one bucket, zero.
#pragma once
#include "../parallel.hpp"
#include "../sort.hpp"

namespace treewright {

struct Segment {                                                 // a node's part of every list
  std::uint32_t begin = 0, end = 0;                              // of `ids` and of every dense list
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stored;   // of every sparse list, where there are any
  std::uint32_t size() const { return end - begin; }
};

template <class C>
class SortedRows {
 public:
  // Numbers the rows 0, 1, ... and sorts them by every column.
  SortedRows(const C& criterion, const Columns& columns, std::span<const RowIndex> rows, Pool& pool)
      : criterion_(criterion.gather(rows)),
        columns_(columns),
        rows_(rows.begin(), rows.end()),
        ids_(rows.size()),
        side_(rows.size()),
        lists_(columns.size()) {
    for (std::uint32_t i = 0; i < ids_.size(); ++i) ids_[i] = i;
    std::vector<std::uint32_t> local;   // sparse columns name rows of the table: where are they here?
    for (const Column& column : columns_.columns) {
      if (!column.sparse || !local.empty()) continue;
      local.assign(columns_.n_rows, absent);
      for (std::uint32_t i = 0; i < rows_.size(); ++i) local[rows_[i]] = i;
    }
    pool.for_each(columns.size(), [&](std::size_t f) { columns_[f].sparse ? list_stored(f, local) : list_dense(f); });
    if constexpr (!C::additive) list_targets();
    root_.end = static_cast<std::uint32_t>(rows.size());
    if (!local.empty()) {
      root_.stored.resize(columns.size());
      for (std::size_t f = 0; f < columns.size(); ++f) {
        root_.stored[f] = {0, static_cast<std::uint32_t>(lists_[f].entries.size())};
      }
    }
  }

  const Segment& root() const { return root_; }
  Summary summary(const Segment& segment) const { return criterion_.summary(ids(segment)); }
  bool constant(std::size_t feature, const Segment& segment) const {
    const auto [entries, n_present] = present(feature, segment);
    if (columns_[feature].sparse) return entries.empty();
    if (n_present > 0 && n_present < entries.size()) return false;
    return n_present == 0 || rank(entries[0]) == rank(entries[n_present - 1]);
  }

  // Offers every cut of one column.
  void search(Question<C> question, const Segment& segment, double mass, Split& best) const {
    if constexpr (!C::additive) return search_medians(question, segment, mass, best);
    else search_sums(question, segment, best);
  }
  void search_sums(Question<C> question, const Segment& segment, Split& best) const {
    const auto feature = static_cast<std::size_t>(question.feature);
    const auto [entries, n_present] = present(feature, segment);
    OwnTally<C> missing(criterion_);
    for (std::size_t i = n_present; i < entries.size(); ++i) criterion_.add(missing, id(entries[i]));
    question.missing_seen = n_present < entries.size();
    Question<C> here{criterion_,     question.total,   question.scale,
                     question.rules, question.feature, question.missing_seen};
    const OwnTally<C> nothing(criterion_);
    for (const bool missing_left : {false, true}) {
      if (missing_left && !here.missing_seen) break;
      const ConstTally start = missing_left ? ConstTally(missing) : ConstTally(nothing);
      if (columns_[feature].sparse) {
        scan(here, Stored(*this, feature, segment, entries.first(n_present), question.total, missing), start,
             missing_left, best);
      } else {
        scan(here, Dense{criterion_, entries.first(n_present)}, start, missing_left, best);
      }
    }
    if (here.missing_seen) offer_missing_alone(here, missing, best);
  }

  // Criteria without a finite tally: the losses of all cuts at once, for either side of the missing rows.
  void search_medians(const Question<C>& question, const Segment& segment, double mass, Split& best) const {
    const auto feature = static_cast<std::size_t>(question.feature);
    const std::vector<Entry> entries = with_zeros(feature, segment);
    std::size_t n_present = entries.size();
    while (n_present > 0 && rank(entries[n_present - 1]) == missing_rank) --n_present;
    std::vector<std::vector<std::uint32_t>> by_target;
    for (const List& list : by_target_) {
      auto& order = by_target.emplace_back();
      for (std::uint32_t i = segment.begin; i < segment.end; ++i) order.push_back(id(list.entries[i]));
    }
    const bool missing_seen = n_present < entries.size();
    std::vector<std::uint32_t> order(entries.size());
    OwnTally<C> missing(criterion_);
    for (std::size_t i = n_present; i < entries.size(); ++i) criterion_.add(missing, id(entries[i]));
    const OwnTally<C> nothing(criterion_);
    for (const bool missing_left : {false, true}) {
      if (missing_left && !missing_seen) break;
      const std::size_t shift = missing_left ? entries.size() - n_present : 0;
      for (std::size_t i = 0; i < entries.size(); ++i) order[(i + shift) % entries.size()] = id(entries[i]);
      const typename C::Cuts cuts(criterion_, by_target, order, mass, question.rules.compares_values());
      const Question<typename C::Cuts> here{cuts,           question.total,   question.scale,
                                            question.rules, question.feature, missing_seen};
      const DenseOf<typename C::Cuts> buckets{cuts, std::span(entries).first(n_present)};
      scan(here, buckets, missing_left ? ConstTally(missing) : ConstTally(nothing), missing_left, best);
      if (missing_seen && !missing_left) offer_missing_alone(here, missing, best);
    }
  }

  // Turns the ids that a search noted into the neighbouring values.
  void find_neighbours(Split& split) const {
    const auto key = [&](Key noted) {
      const Column& column = columns_[static_cast<std::size_t>(split.feature)];
      return noted == zero_id ? zero_key(column) : read_key(column, rows_[static_cast<std::size_t>(noted)]);
    };
    split.low = key(split.low);
    split.high = key(split.high);
    split.has_neighbours = true;
  }

  // Decides the side of every row of the node and orders its ids accordingly; returns how many go left.
  std::uint32_t route(const Segment& segment, const Split& split) {
    const auto feature = static_cast<std::size_t>(split.feature);
    const auto [entries, n_present] = present(feature, segment);
    if (columns_[feature].sparse) {
      const bool zero_right = !split.missing_alone && static_cast<Key>(lists_[feature].zero_rank) > split.place.key;
      for (std::uint32_t i = segment.begin; i < segment.end; ++i) side_[ids_[i]] = zero_right;
    }
    for (std::size_t i = 0; i < n_present; ++i) {
      side_[id(entries[i])] = !split.missing_alone && static_cast<Key>(rank(entries[i])) > split.place.key;
    }
    for (std::size_t i = n_present; i < entries.size(); ++i) side_[id(entries[i])] = !split.missing_left;
    std::vector<std::uint32_t> right;
    std::uint32_t at = segment.begin;
    for (std::uint32_t i = segment.begin; i < segment.end; ++i) {
      const std::uint32_t row = ids_[i];
      if (side_[row]) right.push_back(row);
      else ids_[at++] = row;
    }
    std::copy(right.begin(), right.end(), ids_.begin() + at);
    return at - segment.begin;
  }

  // Divides the lists of a routed node. A side that nobody will search is not kept.
  void divide(const Segment& segment, std::uint32_t n_left, bool keep_left, bool keep_right, Segment& left,
              Segment& right, Pool& pool) {
    left.begin = segment.begin;
    left.end = right.begin = segment.begin + n_left;
    right.end = segment.end;
    left.stored = segment.stored;
    right.stored = segment.stored;
    if (!keep_left && !keep_right) return;
    const auto divide_one = [&](std::size_t f) {
      const auto [begin, end] = bounds(f, segment);
      const std::uint32_t middle = divide_list(lists_[f].entries, begin, end, keep_right);
      if (columns_[f].sparse) left.stored[f] = {begin, middle}, right.stored[f] = {middle, end};
    };
    pool.for_each(lists_.size(), divide_one);
    for (List& list : by_target_) divide_list(list.entries, segment.begin, segment.end, keep_right);
  }

  std::span<const std::uint32_t> ids(const Segment& s) const { return std::span(ids_).subspan(s.begin, s.size()); }

 private:
  using Entry = std::uint64_t;   // rank of the value, then id of the row
  static constexpr std::uint32_t missing_rank = 0xffffffff, absent = 0xffffffff;
  static constexpr Key zero_id = -1;

  struct List {
    std::vector<Entry> entries;   // by rank; missing values last
    std::uint32_t zero_rank = 0;
    bool has_missing = false;
  };
  static std::uint32_t rank(Entry entry) { return static_cast<std::uint32_t>(entry >> 32); }
  static std::uint32_t id(Entry entry) { return static_cast<std::uint32_t>(entry); }

  template <class Counting>
  struct DenseOf {
    const Counting& criterion;
    std::span<const Entry> entries;
    std::size_t size() const { return entries.size(); }
    void add_to(std::size_t i, Tally left) const { criterion.add(left, id(entries[i])); }
    bool may_cut_after(std::size_t i) const { return rank(entries[i]) != rank(entries[i + 1]); }
    void cut(std::size_t i, Split& split) const {
      split.place = {0, static_cast<Key>(rank(entries[i]))};
      split.low = id(entries[i]);
      split.high = id(entries[i + 1]);
    }
  };

  using Dense = DenseOf<C>;

  struct Stored {   // stored values, with the zeros as one more bucket in their place
    const C& criterion;
    std::span<const Entry> entries;
    std::uint32_t zero_rank;
    std::size_t zero_at;   // the zeros are bucket number `zero_at`, if there are any
    bool has_zeros;
    OwnTally<C> zeros;

    Stored(const SortedRows& owner, std::size_t feature, const Segment& segment, std::span<const Entry> entries,
           ConstTally total, ConstTally missing)
        : criterion(owner.criterion_),
          entries(entries),
          zero_rank(owner.lists_[feature].zero_rank),
          zeros(owner.criterion_, total) {
      zero_at = static_cast<std::size_t>(
          std::lower_bound(entries.begin(), entries.end(), static_cast<Entry>(zero_rank) << 32) - entries.begin());
      const auto [begin, end] = owner.bounds(feature, segment);
      has_zeros = end - begin < segment.size();
      OwnTally<C> stored(criterion, missing);
      for (const Entry entry : entries) criterion.add(stored, id(entry));
      for (std::size_t k = 0; k < stored.values.size(); ++k) zeros.values[k] -= stored.values[k];
    }
    std::size_t size() const { return entries.size() + has_zeros; }
    bool is_zero(std::size_t i) const { return has_zeros && i == zero_at; }
    Entry entry(std::size_t i) const { return entries[i - (has_zeros && i > zero_at)]; }
    std::uint32_t rank_at(std::size_t i) const { return is_zero(i) ? zero_rank : rank(entry(i)); }
    void add_to(std::size_t i, Tally left) const {
      if (!is_zero(i)) return criterion.add(left, id(entry(i)));
      const ConstTally t = zeros;
      for (std::size_t k = 0; k < left.size(); ++k) left[k] += t[k];
    }
    bool may_cut_after(std::size_t i) const { return rank_at(i) != rank_at(i + 1); }
    void cut(std::size_t i, Split& split) const {
      split.place = {0, static_cast<Key>(rank_at(i))};
      split.low = is_zero(i) ? zero_id : static_cast<Key>(id(entry(i)));
      split.high = is_zero(i + 1) ? zero_id : static_cast<Key>(id(entry(i + 1)));
    }
  };

  std::pair<std::uint32_t, std::uint32_t> bounds(std::size_t feature, const Segment& segment) const {
    return columns_[feature].sparse ? segment.stored[feature] : std::pair{segment.begin, segment.end};
  }
  // The node's entries of one list, and how many of them are not missing.
  std::pair<std::span<const Entry>, std::size_t> present(std::size_t feature, const Segment& segment) const {
    const auto [begin, end] = bounds(feature, segment);
    const std::span<const Entry> entries = std::span(lists_[feature].entries).subspan(begin, end - begin);
    std::size_t n = entries.size();
    if (lists_[feature].has_missing)
      while (n > 0 && rank(entries[n - 1]) == missing_rank) --n;
    return {entries, n};
  }

  // All rows of the node in the order of a column, zeros of a sparse column included.
  std::vector<Entry> with_zeros(std::size_t feature, const Segment& segment) const {
    const auto [entries, n_present] = present(feature, segment);
    if (!columns_[feature].sparse) return {entries.begin(), entries.end()};
    std::vector<std::uint8_t> stored(rows_.size(), 0);
    for (const Entry entry : entries) stored[id(entry)] = 1;
    std::vector<Entry> all(entries.begin(), entries.end());
    for (const std::uint32_t i : ids(segment)) {
      if (!stored[i]) all.push_back(static_cast<Entry>(lists_[feature].zero_rank) << 32 | i);
    }
    std::sort(all.begin(), all.end());
    return all;
  }

  static std::uint32_t divide_into(Entry* entries, std::uint32_t begin, std::uint32_t end, const std::uint8_t* side,
                                   Entry* right) {
    std::uint32_t n_left = begin, n_right = 0;
    for (std::uint32_t i = begin; i < end; ++i) {   // both are written, one is kept: no branch to mispredict
      const Entry entry = entries[i];
      const std::uint32_t goes_right = side[id(entry)];
      entries[n_left] = entry;
      right[n_right] = entry;
      n_left += 1 - goes_right;
      n_right += goes_right;
    }
    return n_left;
  }
  std::uint32_t divide_list(std::vector<Entry>& entries, std::uint32_t begin, std::uint32_t end,
                            bool keep_right) const {
    thread_local std::vector<Entry> right;
    if (right.size() < end - begin + std::size_t{1}) right.resize(end - begin + std::size_t{1});
    const std::uint32_t middle = divide_into(entries.data(), begin, end, side_.data(), right.data());
    if (keep_right) std::copy_n(right.begin(), end - middle, entries.begin() + middle);
    return middle;
  }

  void list_dense(std::size_t f) {
    thread_local std::vector<Item> items, scratch;
    thread_local std::vector<Key> keys;
    std::vector<std::uint32_t> missing;
    keys.resize(rows_.size());
    items.clear();
    read_keys(columns_[f], rows_, keys.data());
    for (std::uint32_t i = 0; i < rows_.size(); ++i) {
      if (keys[i] == missing_key) missing.push_back(i);
      else items.push_back({keys[i], i});
    }
    rank_items(items, scratch, lists_[f]);
    append_missing(missing, lists_[f]);
  }
  void list_targets() {
    std::vector<Item> items(rows_.size()), scratch;
    for (std::size_t o = 0; o < criterion_.n_outputs(); ++o) {
      for (std::uint32_t i = 0; i < rows_.size(); ++i) items[i] = {criterion_.q(i, o), i};
      rank_items(items, scratch, by_target_.emplace_back());
    }
  }
  void list_stored(std::size_t f, const std::vector<std::uint32_t>& local) {
    thread_local std::vector<Item> items, scratch;
    std::vector<std::uint32_t> missing;
    items.clear();
    const Key zero = zero_key(columns_[f]);
    for (const Item& item : stored_items(columns_[f])) {
      const std::uint32_t at = local[item.row];
      if (at == absent || item.key == zero) continue;
      if (item.key == missing_key) missing.push_back(at);
      else items.push_back({item.key, at});
    }
    rank_items(items, scratch, lists_[f], &zero);
    append_missing(missing, lists_[f]);
  }
  static void rank_items(std::vector<Item>& items, std::vector<Item>& scratch, List& list, const Key* zero = nullptr) {
    sort_items(items, scratch);
    list.entries.reserve(items.size());
    std::uint32_t rank = 0;
    bool zero_passed = zero == nullptr;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0 && items[i].key != items[i - 1].key) ++rank;
      if (!zero_passed && items[i].key > *zero) list.zero_rank = rank++, zero_passed = true;
      list.entries.push_back(static_cast<Entry>(rank) << 32 | items[i].row);
    }
    if (!zero_passed) list.zero_rank = items.empty() ? 0 : rank + 1;
  }
  static void append_missing(const std::vector<std::uint32_t>& missing, List& list) {
    for (std::uint32_t i : missing) list.entries.push_back(static_cast<Entry>(missing_rank) << 32 | i);
    list.has_missing = !missing.empty();
  }

  C criterion_;
  const Columns& columns_;
  std::vector<RowIndex> rows_;       // id -> row of the table
  std::vector<std::uint32_t> ids_;   // node after node
  std::vector<std::uint8_t> side_;   // by id: 1 goes right
  std::vector<List> lists_;          // by column
  std::vector<List> by_target_;      // by output, where the criterion needs it
  Segment root_;
};

}   // namespace treewright
