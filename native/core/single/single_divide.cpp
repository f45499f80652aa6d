// SingleStore: the rows of a node go to its children.
#include <array>

#include "single_store.hpp"

namespace treewright {

// The weight of the known rows of every child, as a share of what the program takes for the weight of all known rows.
std::vector<float> SingleStore::shares(const Node& node, std::size_t feature, std::size_t n_children) const {
  std::vector<float> share(n_children, 0.0f), of_class(table_->n_classes, 0.0f);
  float all = 0, missing = 0;
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    const ChildNumber child = table_->child[node.rows[i]];
    all += node.weight[i];
    (child == unknown ? of_class[table_->class_of[node.rows[i]]] : share[child]) += node.weight[i];
  }
  for (const float n : of_class) missing += n;
  const float rate =
      table_->columns[feature].nominal ? missing / all : static_cast<float>(1.0 - double{(all - missing) / all});
  const float known = all * (1 - rate);
  for (float& s : share) s /= known;
  return share;
}

float SingleStore::cut_of(const Test& test) const {
  return static_cast<float>(
      number_of(key_kind(table_->columns[static_cast<std::size_t>(test.feature)].type), test.low));
}

void SingleStore::divide(const Node& node, const Test& test, std::span<Node> children) {
  const auto feature = static_cast<std::size_t>(test.feature);
  const std::size_t n_children = children.size();
  const float cut = test.levels ? 0 : cut_of(test);
  for (const RowIndex row : node.rows) {
    ChildNumber& child = table_->child[row];
    if (!is_known(feature, row)) child = unknown;
    else if (test.levels)
      child = static_cast<ChildNumber>(test.levels->child_of(table_->columns[feature].level_codes()[row]));
    else child = table_->number[feature][row] > cut;
  }
  const std::vector<float> share = shares(node, feature, n_children);
  const auto give = [&](RowIndex row, auto&& use) {   // to its child, or to all that have rows
    if (table_->child[row] != unknown) return use(children[table_->child[row]], 1.0f);
    for (std::size_t k = 0; k < n_children; ++k)
      if (share[k] > 0) use(children[k], share[k]);
  };
  for (std::size_t i = 0; i < node.rows.size(); ++i)
    give(node.rows[i], [&](Node& child, float part) {
      child.rows.push_back(node.rows[i]);
      child.weight.push_back(node.weight[i] * part);
    });
  const std::size_t n_numbers = node.begin.size();
  for (Node& child : children) {
    child.sorted = std::shared_ptr<Entry[]>(new Entry[child.rows.size() * n_numbers]);
    child.begin.assign(n_numbers, 0);
    child.end.assign(n_numbers, 0);
  }
  for (std::size_t k = 0; k < n_numbers; ++k) {
    if (k > 0)
      for (Node& child : children) child.begin[k] = child.end[k] = child.end[k - 1];
    for (std::size_t i = node.begin[k]; i < node.end[k]; ++i)
      give(node.sorted[i].row, [&](Node& child, float) { child.sorted[child.end[k]++] = node.sorted[i]; });
  }
}

// Every row has a number, so that the children share the place of their parent's lists. Of a row both sides are written and
// one is kept: no branch to mispredict.
void SingleStore::divide_in_two(const Node& node, const Test& test, std::span<Node> children) {
  const std::size_t n = node.rows.size();
  const float* number = table_->number[static_cast<std::size_t>(test.feature)].data();
  const float cut = cut_of(test);
  std::uint8_t* const side = table_->side.data();
  std::size_t n_right = 0;
  for (const RowIndex row : node.rows) n_right += side[row] = number[row] > cut;
  std::array<RowIndex*, 2> rows;
  std::array<float*, 2> weight;
  for (std::size_t c = 0; c < 2; ++c) {
    Node& child = children[c];
    child.rows.resize(c == 0 ? n - n_right : n_right);
    child.weight.resize(child.rows.size());
    rows[c] = child.rows.data(), weight[c] = child.weight.data();
    child.sorted = node.sorted;
    child.begin = node.begin;
    child.end = node.end;
    for (std::uint32_t& at : c == 0 ? child.end : child.begin)
      at = c == 0 ? at - static_cast<std::uint32_t>(n_right) : at + static_cast<std::uint32_t>(n - n_right);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint8_t to = side[node.rows[i]];
    *rows[to]++ = node.rows[i];
    *weight[to]++ = node.weight[i];
  }
  share(n, node.begin.size(), [&](std::size_t k) {
    thread_local std::vector<Entry> right;
    if (right.size() < n + 1) right.resize(n + 1);
    Entry* const from = node.sorted.get() + node.begin[k];
    Entry* const aside = right.data();
    std::size_t n_aside = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Entry entry = from[i];
      const std::size_t goes_right = side[entry.row];
      from[i - n_aside] = entry;
      aside[n_aside] = entry;
      n_aside += goes_right;
    }
    std::copy_n(aside, n_aside, from + (n - n_aside));
  });
}

}   // namespace treewright
