// Block: a part of a table, coded once. It computes its share of every reply.
#pragma once
#include "../any_criterion.hpp"
#include "operations.hpp"

namespace treewright {

class Block {
 public:
  // coders: one per column; those of nominal columns are not used.
  Block(Columns columns, const std::vector<Coder>& coders, std::unique_ptr<AnyCriterion> criterion);

  std::size_t n_rows() const { return columns_.n_rows; }
  const AnyCriterion& criterion() const { return *criterion_; }
  // The node of every row at the start: the root, or -1 for rows that weigh nothing.
  std::vector<NodeIndex> start() const;
  // node_of_row is changed by the operation `route` alone.
  Reply compute(const Request& request, std::span<NodeIndex> node_of_row, const Pool& pool) const;

 private:
  class Answer;
  Columns columns_;
  BinnedColumns binned_;
  std::unique_ptr<AnyCriterion> criterion_;
  std::vector<std::int64_t> bin_ranges_;   // [cell][2]: the greatest key and the complement of the least
};

// Blocks in memory, side by side in the threads of a pool.
class BlocksInMemory final : public Rows {
 public:
  // nodes: the node of every row at the start, -1 for rows that do not count.
  BlocksInMemory(std::vector<Block> blocks, std::vector<std::vector<NodeIndex>> nodes, Pool& pool)
      : blocks_(std::move(blocks)), nodes_(std::move(nodes)), pool_(pool) {}
  Reply compute(const Request& request) override {
    std::vector<Reply> replies(blocks_.size());
    pool_.for_each(blocks_.size(), [&](std::size_t i) { replies[i] = blocks_[i].compute(request, nodes_[i], pool_); });
    Reply all;
    for (Reply& reply : replies) all.add(std::move(reply));
    return all;
  }

 private:
  std::vector<Block> blocks_;
  std::vector<std::vector<NodeIndex>> nodes_;
  Pool& pool_;
};

}   // namespace treewright
