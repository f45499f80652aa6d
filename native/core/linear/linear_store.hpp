// LinearStore: rows for a tree whose leaves have linear models. A split is compared by what ridge regressions on both of its
// sides leave of the targets, over the model of the node: a cheap scan with one column at a time ranks the columns, and
// for the best of them every cut is solved from Gram matrices. Large nodes are searched on some of their rows.
#pragma once
#include <memory>

#include "../fit.hpp"
#include "../store.hpp"
#include "cut_scan.hpp"
#include "node_model.hpp"

namespace treewright {

struct LinearTable {                // views; the caller keeps the arrays alive
  const double* values = nullptr;   // row-major: design columns, whose first is 1, then targets
  const double* weight = nullptr;   // in rows
  std::size_t n_rows = 0, n_design = 1, n_targets = 1;
  std::vector<std::int32_t> own;   // per column of the table, its column of the design; 0 if it has none
  bool logistic = false;           // targets are classes
  bool intercept_only = false;     // the models of nodes while the tree grows
  std::size_t look_ahead = 1;      // columns whose best cuts are compared one level further; 1: none are
  double row_weight = 1;           // the user's weight of one row
  double user_unit = 1;            // of a squared error

  std::size_t width() const { return n_design + n_targets; }
};

class LinearStore final : public Store {
 public:
  LinearStore(const LinearTable& table, const Columns& columns, const Growth& growth, Pool& pool);

  double user_mass(double mass) const override { return mass * table_.user_unit * table_.row_weight; }
  Summary root() override { return summary(nodes_[0]); }
  void for_each(std::size_t n, const std::function<void(std::size_t)>& work) override { pool_.for_each(n, work); }
  void check() const override { pool_.check(); }
  void close(NodeIndex node) override { at(node).child = {}, at(node).model = {}; }
  void best_splits(std::span<const SplitRequest> requests) override;
  void route(std::span<const Move> moves, std::span<Summary> children) override;

 private:
  using Model = std::shared_ptr<const std::vector<double>>;
  struct Node {
    std::size_t begin = 0, end = 0;   // of rows_
    Model above, model;
    std::vector<ChildNumber> child;   // of each row, once its split is known
    std::size_t size() const { return end - begin; }
  };
  struct Tested {   // a column with its bins, while a node is searched
    std::int32_t feature = 0;
    Coded coded;
    std::vector<double> own;   // the tested column itself, where the search does not have it
    BinCut cut;
    std::shared_ptr<const CutScan> scanned;
  };

  struct Search {   // a node while its split is looked for
    Node* node = nullptr;
    ModelBlock block{};                  // the columns of the search, and what the node's model leaves of the targets
    std::vector<double> left{};          // of each target, its sum of squares
    std::vector<std::uint8_t> codes{};   // bins of the rows of the block: rows x columns
    double share = 1;                    // of the node's rows that are in the block
    Sides sides{};
    std::vector<Tested> tests{};
    std::size_t best = 0;
  };

  Node& at(NodeIndex node) { return nodes_[static_cast<std::size_t>(node)]; }
  std::span<RowIndex> rows(const Node& node) { return std::span(rows_).subspan(node.begin, node.size()); }
  BinnedColumns bins_of_distinct() const;
  Summary summary(const Node& node) const;
  std::vector<RowIndex> sample(const Node& node);
  void fit_model(Node& node, const ModelBlock& rows);
  void choose_search_columns(const std::vector<double>& root);
  void begin_search(Search& search);
  std::size_t most_tests(const Search& search) const;
  void code_column_of(Search& search, std::size_t f);
  void choose_tests(Search& search) const;
  std::size_t look_ahead(const Search& search);
  double loss_below(const Search& search, const Tested& test);
  TestDesign design_of(const Tested& test) const;
  double slope_penalty() const;
  Ridge search_ridge(std::size_t n_design) const;
  Split finished(Search& search);
  bool put_split(Search& search, const Tested& test, Split& split);
  bool put_levels(Node& node, const Tested& test, Split& split);
  bool put_threshold(const Search& search, const Tested& test, Split& split);
  void each(std::size_t n, std::size_t n_rows, const std::function<void(std::size_t)>& work);

  const LinearTable& table_;
  const Growth& growth_;
  Pool& pool_;
  std::vector<std::vector<double>> dense_;   // sparse columns, read once
  Columns columns_;
  BinnedColumns binned_;
  std::vector<std::uint8_t> row_codes_;   // the bins of each row side by side: some rows are read, of all columns
  std::vector<RowIndex> rows_;            // node after node
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> search_;   // the columns of the design that are fitted on both sides of a cut
};

Grown grow_linear(const LinearTable& table, const Columns& columns, const Growth& growth, std::atomic<bool>* cancel);

}   // namespace treewright
