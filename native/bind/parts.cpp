// Tables in parts: coded blocks, and growth over them, wherever they are.
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "../core/fit.hpp"
#include "../core/rows/block.hpp"
#include "arrays.hpp"
#include "grown.hpp"
#include "interrupt.hpp"
#include "views.hpp"

namespace treewright {

namespace {

using Words = View1<std::int64_t>;
using CountsView = nb::ndarray<const bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using CodesView = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// ---- the range of a target: it is sent as a list of numbers

nb::object range_numbers(const TargetRange& range) {
  std::vector<double> numbers{static_cast<double>(range.n_rows),     double(range.weighted),
                              double(range.weights.whole),           static_cast<double>(range.weights.n_rows),
                              static_cast<double>(range.low.size()), static_cast<double>(range.weights.lowest)};
  for (const std::int64_t limb : range.weights.sum.limbs) {   // each as two halves that a double holds
    numbers.push_back(static_cast<double>(limb >> 32));
    numbers.push_back(static_cast<double>(limb & 0xffffffff));
  }
  numbers.insert(numbers.end(), range.low.begin(), range.low.end());
  numbers.insert(numbers.end(), range.high.begin(), range.high.end());
  return to_array(std::move(numbers));
}

TargetRange range_of_numbers(const std::vector<double>& numbers) {
  const double* at = numbers.data();
  const std::size_t fixed = 6 + 2 * ExactSum::n_limbs;
  if (numbers.size() < fixed || numbers.size() != fixed + 2 * static_cast<std::size_t>(at[4]))
    throw std::invalid_argument("these are not the numbers of a range.");
  TargetRange range;
  range.n_rows = static_cast<std::int64_t>(at[0]);
  range.weighted = at[1] != 0;
  range.weights.whole = at[2] != 0;
  range.weights.n_rows = static_cast<std::int64_t>(at[3]);
  const auto n = static_cast<std::size_t>(at[4]);
  range.weights.lowest = static_cast<std::int64_t>(at[5]);
  for (std::size_t i = 0; i < ExactSum::n_limbs; ++i)
    range.weights.sum.limbs[i] =
        static_cast<std::int64_t>(at[6 + 2 * i]) * (std::int64_t{1} << 32) + static_cast<std::int64_t>(at[7 + 2 * i]);
  range.low.assign(at + fixed, at + fixed + n);
  range.high.assign(at + fixed + n, at + fixed + 2 * n);
  return range;
}

// ---- coders, of samples

struct Coders {
  std::vector<Coder> coders;
  std::vector<int> n_bins;
};

Coders coders_of(const std::vector<std::optional<View1<double>>>& samples, int max_bins) {
  Coders all;
  for (const auto& sample : samples) {
    all.coders.emplace_back(sample ? to_vector(*sample) : std::vector<double>{}, max_bins);
    all.n_bins.push_back(all.coders.back().n_bins());
  }
  return all;
}

nb::tuple code(const Coders& coders, const ColumnsView& view) {
  if (view.columns.size() != coders.coders.size())
    throw std::invalid_argument("there must be a coder for every column.");
  BinnedColumns binned;
  std::vector<std::int64_t> ranges;
  {
    const ReleasedGil released;
    binned = code_block(view.columns, coders.coders);
    ranges = bin_ranges_of(view.columns, binned);
  }
  nb::list codes;
  for (std::size_t f = 0; f < binned.size(); ++f) {
    if (view.columns[f].nominal) codes.append(nb::none());
    else {
      const Codes& from = binned[f].codes;
      codes.append(to_array(std::vector<Code>(from.data(), from.data() + view.columns.n_rows)));
    }
  }
  return nb::make_tuple(codes, to_array(std::move(ranges)));
}

// ---- blocks

struct HeldBlock {
  Block block;
  std::vector<nb::object> held;   // the arrays that it views
};

void make_block(HeldBlock* self, nb::object columns, std::vector<std::optional<CodesView>> codes,
                const std::vector<int>& n_bins, Words ranges, nb::object target, const TargetRange& range,
                const std::string& criterion, bool keep) {
  const auto& view = nb::cast<const ColumnsView&>(columns);
  const Target& rows = nb::cast<const TargetView&>(target).target;
  if (rows.n_rows != view.columns.n_rows) throw std::invalid_argument("columns and target must have the same rows.");
  if (codes.size() != view.columns.size() || n_bins.size() != codes.size())
    throw std::invalid_argument("there must be codes and a number of bins for every column.");
  BinnedColumns binned;
  std::vector<nb::object> held{columns, target};
  std::size_t n_cells = 0;
  for (std::size_t f = 0; f < codes.size(); ++f) {
    const Column& column = view.columns[f];
    if (column.nominal) {
      binned.push_back(bins_of_levels(column, std::numeric_limits<std::size_t>::max()));
      for (std::size_t row = 0; row < rows.n_rows; ++row)
        if (column.level_codes()[row] >= column.n_levels)
          throw std::invalid_argument("codes of a nominal column must be below its number of levels.");
    } else {
      if (!codes[f] || codes[f]->shape(0) != rows.n_rows)
        throw std::invalid_argument("codes must have one entry per row.");
      BinnedColumn& coded = binned.emplace_back();
      coded.codes = Codes(std::span<const Code>(codes[f]->data(), rows.n_rows));
      coded.n_bins = n_bins[f];
      coded.single.assign(static_cast<std::size_t>(coded.n_bins), 0);
      const auto most = static_cast<Code>(coded.n_bins);
      for (std::size_t row = 0; row < rows.n_rows; ++row)
        if (coded.codes[row] > most) throw std::invalid_argument("codes must be at most the number of bins.");
      held.push_back(nb::cast(*codes[f]));
    }
    n_cells += static_cast<std::size_t>(binned.back().n_bins) + 1;
  }
  if (ranges.shape(0) != 2 * n_cells) throw std::invalid_argument("ranges must have two entries per bin.");
  Block::MakeCriterion make = [rows, range, criterion] {
    return std::shared_ptr<const AnyCriterion>(criterion_of_part(criterion, rows, range));
  };
  if (keep) make = [own = make()] { return own; };
  new (self) HeldBlock{Block(view.columns, std::move(binned), to_vector(ranges), make), std::move(held)};
}

nb::tuple as_tuple(Reply&& reply) {
  return nb::make_tuple(to_array(std::move(reply.sums)), to_array(std::move(reply.maxima)),
                        to_array(std::move(reply.items)));
}

Request request_of(int operation, Words words) {
  if (operation < 0 || operation > static_cast<int>(Operation::gather))
    throw std::invalid_argument("unknown operation.");
  return {static_cast<Operation>(operation), to_vector(words)};
}

void must_fit(const RowsByNode& rows, const Block& block) {
  if (rows.n_rows() != block.n_rows()) throw std::invalid_argument("rows must be those of the block.");
}

void add_reply(const HeldBlock& self, int operation, Words words, RowsByNode& rows, ReplyOfBlocks& reply) {
  must_fit(rows, self.block);
  const Request request = request_of(operation, words);
  const ReleasedGil released;
  self.block.compute(request, rows, Pool(1), reply);
}

nb::tuple compute(const HeldBlock& self, int operation, Words words, RowsByNode& rows) {
  ReplyOfBlocks reply;
  add_reply(self, operation, words, rows, reply);
  return as_tuple(reply.take());
}

// ---- rows wherever Python has them: compute(operation, words) -> (sums, maxima, items)
class RowsOfPython final : public Rows {
 public:
  explicit RowsOfPython(nb::callable compute) : compute_(std::move(compute)) {}
  Reply compute(const Request& request) override {
    const HeldGil held;
    std::vector<std::int64_t> words = request.words;
    const nb::object found = compute_(static_cast<int>(request.operation), to_array(std::move(words)));
    const auto parts = nb::cast<nb::tuple>(found);
    const auto list = [&](std::size_t i) { return to_vector(nb::cast<Words>(parts[i])); };
    return {list(0), list(1), list(2)};
  }

 private:
  nb::callable compute_;
};

nb::object grow_in_parts(nb::callable rows, const ColumnsView& columns, const std::vector<int>& n_bins,
                         const TargetView& example, const TargetRange& range, const Growth& growth) {
  if (n_bins.size() != columns.columns.size())
    throw std::invalid_argument("there must be a number of bins per column.");
  RowsOfPython of_python(std::move(rows));
  Grown grown;
  run_interruptibly(true, [&](std::atomic<bool>* cancel) {
    grown = fit_in_parts(of_python, columns.columns, n_bins, example.target, range, growth, cancel);
  });
  return to_dict(grown, growth);
}

nb::object grow_blocks(const std::vector<nb::object>& blocks, std::vector<RowsByNode> rows_of_blocks,
                       const ColumnsView& columns, const std::vector<int>& n_bins, const TargetView& example,
                       const TargetRange& range, const Growth& growth) {
  if (n_bins.size() != columns.columns.size())
    throw std::invalid_argument("there must be a number of bins per column.");
  if (rows_of_blocks.size() != blocks.size()) throw std::invalid_argument("there must be rows for every block.");
  std::vector<const Block*> all;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    all.push_back(&nb::cast<const HeldBlock&>(blocks[i]).block);
    must_fit(rows_of_blocks[i], *all.back());
  }
  Grown grown;
  run_interruptibly(true, [&](std::atomic<bool>* cancel) {
    Pool pool(growth.n_threads, cancel);
    BlocksInMemory rows(std::move(all), std::move(rows_of_blocks), pool);
    grown = fit_in_parts(rows, columns.columns, n_bins, example.target, range, growth, cancel);
  });
  return to_dict(grown, growth);
}

}   // namespace

}   // namespace treewright

void register_parts(nanobind::module_& module) {
  using namespace treewright;
  namespace nb = nanobind;
  nb::class_<TargetRange>(module, "TargetRange")
      .def(nb::init<>())
      .def(
          "add_target", [](TargetRange& self, const TargetView& view) { self.add(view.target); }, nb::arg("target"))
      .def(
          "add", [](TargetRange& self, const TargetRange& other) { self.add(other); }, nb::arg("other"))
      .def_prop_ro("n_rows", [](const TargetRange& self) { return self.n_rows; })
      .def("__getstate__", [](const TargetRange& self) { return nb::make_tuple(range_numbers(self)); })
      .def("__setstate__", [](TargetRange& self, const nb::tuple& state) {
        new (&self) TargetRange(range_of_numbers(to_vector(nb::cast<View1<double>>(state[0]))));
      });
  nb::class_<Coders>(module, "Coders")
      .def(
          "__init__",
          [](Coders* self, const std::vector<std::optional<View1<double>>>& samples, int max_bins) {
            new (self) Coders(coders_of(samples, max_bins));
          },
          nb::arg("samples"), nb::arg("max_bins") = 255)
      .def_ro("n_bins", &Coders::n_bins)
      .def("code", &code, nb::arg("columns"));
  nb::class_<ReplyOfBlocks>(module, "Reply").def(nb::init<>()).def("take", [](ReplyOfBlocks& self) {
    return as_tuple(self.take());
  });
  nb::class_<RowsByNode>(module, "RowsByNode")
      .def(
          "__init__",
          [](RowsByNode* self, const CountsView& counts) {
            new (self) RowsByNode(counts.shape(0), [&](std::size_t row) { return counts.data()[row]; });
          },
          nb::arg("counts"));
  nb::class_<HeldBlock>(module, "Block")
      .def("__init__", &make_block, nb::arg("columns"), nb::arg("codes"), nb::arg("n_bins"), nb::arg("ranges"),
           nb::arg("target"), nb::arg("target_range"), nb::arg("criterion"), nb::arg("keep") = true)
      .def_prop_ro("n_rows", [](const HeldBlock& self) { return self.block.n_rows(); })
      .def("compute", &compute, nb::arg("operation"), nb::arg("words"), nb::arg("rows"))
      .def("add_reply", &add_reply, nb::arg("operation"), nb::arg("words"), nb::arg("rows"), nb::arg("reply"));
  module.def("grow_in_parts", &grow_in_parts, nb::arg("rows"), nb::arg("columns"), nb::arg("n_bins"),
             nb::arg("example"), nb::arg("target_range"), nb::arg("growth"));
  module.def("grow_blocks", &grow_blocks, nb::arg("blocks"), nb::arg("rows"), nb::arg("columns"), nb::arg("n_bins"),
             nb::arg("example"), nb::arg("target_range"), nb::arg("growth"));
}
