// Block: a part of a table, coded once. It computes its share of every reply.
#pragma once
#include <functional>

#include "../any_criterion.hpp"
#include "operations.hpp"
#include "rows_by_node.hpp"

namespace treewright {

// The reply of several blocks of one process: each adds its share in place.
class ReplyOfBlocks {
 public:
  Reply take() {
    for (const Histogram& histogram : histograms)
      sums.insert(sums.end(), histogram.cells.begin(), histogram.cells.end());
    return {std::move(sums), std::move(maxima), std::move(items)};
  }
  std::vector<std::int64_t> sums, maxima, items;
  std::vector<Histogram> histograms;   // of the nodes that are counted; they come after the other sums
};

class Block {
 public:
  using MakeCriterion = std::function<std::shared_ptr<const AnyCriterion>()>;

  // bin_ranges: [cell][2] of all columns, the greatest key of every bin and the complement of the least. criterion():
  // over the rows of the block; it may be made anew for every request, so that a block needs little memory.
  Block(Columns columns, BinnedColumns binned, std::vector<std::int64_t> bin_ranges, MakeCriterion criterion)
      : columns_(std::move(columns)),
        binned_(std::move(binned)),
        bin_ranges_(std::move(bin_ranges)),
        criterion_(std::move(criterion)) {}

  std::size_t n_rows() const { return columns_.n_rows; }
  // rows: of this block; changed by the operation `route` alone.
  void compute(const Request& request, RowsByNode& rows, const Pool& pool, ReplyOfBlocks& reply) const;

 private:
  class Answer;
  Columns columns_;
  BinnedColumns binned_;
  std::vector<std::int64_t> bin_ranges_;
  MakeCriterion criterion_;
};

// Codes the columns of a block. Coders of nominal columns are not used.
BinnedColumns code_block(const Columns& columns, const std::vector<Coder>& coders);
std::vector<std::int64_t> bin_ranges_of(const Columns& columns, const BinnedColumns& binned);

// Blocks in memory, side by side in the threads of a pool.
class BlocksInMemory final : public Rows {
 public:
  BlocksInMemory(std::vector<const Block*> blocks, std::vector<RowsByNode> rows, Pool& pool)
      : blocks_(std::move(blocks)), rows_(std::move(rows)), pool_(pool) {}
  Reply compute(const Request& request) override {
    std::vector<Reply> replies(blocks_.size());
    pool_.for_each(blocks_.size(), [&](std::size_t i) {
      ReplyOfBlocks reply;
      blocks_[i]->compute(request, rows_[i], pool_, reply);
      replies[i] = reply.take();
    });
    Reply all;
    for (Reply& reply : replies) all.add(std::move(reply));
    return all;
  }

 private:
  std::vector<const Block*> blocks_;
  std::vector<RowsByNode> rows_;
  Pool& pool_;
};

}   // namespace treewright
