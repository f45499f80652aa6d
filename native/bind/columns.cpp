#include "../core/columns.hpp"

#include <nanobind/stl/vector.h>

#include "../core/some_rows.hpp"
#include "../core/target.hpp"
#include "arrays.hpp"
#include "views.hpp"

namespace treewright {

namespace {

using AnyArray = nb::ndarray<nb::ro, nb::device::cpu>;

Type type_of(const AnyArray& array) {
  const auto dtype = array.dtype();
  if (dtype == nb::dtype<bool>()) return Type::bool8;
  if (dtype == nb::dtype<std::int8_t>()) return Type::int8;
  if (dtype == nb::dtype<std::int16_t>()) return Type::int16;
  if (dtype == nb::dtype<std::int32_t>()) return Type::int32;
  if (dtype == nb::dtype<std::int64_t>()) return Type::int64;
  if (dtype == nb::dtype<std::uint8_t>()) return Type::uint8;
  if (dtype == nb::dtype<std::uint16_t>()) return Type::uint16;
  if (dtype == nb::dtype<std::uint32_t>()) return Type::uint32;
  if (dtype == nb::dtype<std::uint64_t>()) return Type::uint64;
  if (dtype == nb::dtype<float>()) return Type::float32;
  if (dtype == nb::dtype<double>()) return Type::float64;
  throw std::invalid_argument("columns must be bool, int8 to int64, uint8 to uint64, float32 or float64.");
}

void check_rows(const ColumnsView& view, std::size_t n) {
  if (n != view.columns.n_rows) throw std::invalid_argument("every column must have n_rows values.");
}

void add_matrix(ColumnsView& view, AnyArray array) {
  if (array.ndim() != 2) throw std::invalid_argument("add_matrix takes an array of two dimensions.");
  check_rows(view, array.shape(0));
  const auto size = static_cast<std::ptrdiff_t>(array.itemsize());
  for (std::size_t f = 0; f < array.shape(1); ++f) {
    Column column;
    column.type = type_of(array);
    column.data = static_cast<const std::byte*>(array.data()) + static_cast<std::ptrdiff_t>(f) * array.stride(1) * size;
    column.stride = array.stride(0) * size;
    view.columns.columns.push_back(column);
  }
  view.held.push_back(nb::cast(array));
}

void add_column(ColumnsView& view, AnyArray values,
                std::optional<nb::ndarray<nb::ro, bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>> missing,
                bool is_time) {
  if (values.ndim() != 1) throw std::invalid_argument("add_column takes an array of one dimension.");
  check_rows(view, values.shape(0));
  Column column;
  column.type = type_of(values);
  column.is_time = is_time;
  column.data = static_cast<const std::byte*>(values.data());
  column.stride = values.stride(0) * static_cast<std::ptrdiff_t>(values.itemsize());
  if (missing) {
    check_rows(view, missing->shape(0));
    column.missing = reinterpret_cast<const std::uint8_t*>(missing->data());
    view.held.push_back(nb::cast(*missing));
  }
  view.columns.columns.push_back(column);
  view.held.push_back(nb::cast(values));
}

// A number that stands for a missing value, in columns of numbers.
void take_for_missing(ColumnsView& view, double number) {
  const auto is_number = [&](const auto& values, std::size_t i) {
    return static_cast<double>(static_cast<float>(values.number(i))) == number;
  };
  std::vector<Column>& columns = view.columns.columns;
  std::vector<std::uint8_t> any(columns.size(), 0);   // most columns have none
  constexpr std::size_t block_rows = 512;             // of a table whose rows lie together they stay in cache
  for (std::size_t begin = 0; begin < view.columns.n_rows; begin += block_rows) {
    for (std::size_t f = 0; f < columns.size(); ++f) {
      const Column& column = columns[f];
      if (column.nominal || column.is_time || any[f]) continue;
      const std::size_t end = std::min(begin + block_rows, column.sparse ? column.n_stored : view.columns.n_rows);
      with_reader(column, [&](const auto& values) {
        for (std::size_t i = begin; i < end; ++i) any[f] |= is_number(values, i);
      });
    }
  }
  for (std::size_t f = 0; f < columns.size(); ++f) {
    if (!any[f]) continue;
    Column& column = columns[f];
    std::vector<std::uint8_t> missing(column.sparse ? column.n_stored : view.columns.n_rows);
    with_reader(column, [&](const auto& values) {
      for (std::size_t i = 0; i < missing.size(); ++i) missing[i] = is_number(values, i) || values.is_missing(i);
    });
    const nb::object array = to_array(std::move(missing));
    column.missing = nb::cast<View1<std::uint8_t>>(array).data();
    view.held.push_back(array);
  }
}

// -1 is missing, 0 to n_levels - 1 are levels; greater codes are levels that a grown tree has never seen.
void add_nominal(ColumnsView& view, View1<std::int32_t> codes, std::int32_t n_levels) {
  check_rows(view, codes.shape(0));
  if (n_levels < 0) throw std::invalid_argument("n_levels must not be negative.");
  const std::int32_t* entries = hold(codes, view.held);
  for (std::size_t i = 0; i < codes.shape(0); ++i) {
    if (entries[i] < -1) throw std::invalid_argument("codes must be -1 or more.");
  }
  Column column;
  column.type = Type::int32;
  column.data = reinterpret_cast<const std::byte*>(entries);
  column.stride = sizeof(std::int32_t);
  column.nominal = true;
  column.n_levels = n_levels;
  view.columns.columns.push_back(column);
}

// indices must be ascending within each column; the Python side sorts them.
void add_csc(ColumnsView& view, AnyArray data, View1<std::int32_t> indices, View1<std::int64_t> indptr) {
  const std::int32_t* stored_rows = hold(indices, view.held);
  indptr = aligned(indptr);
  const Type type = type_of(data);
  const auto size = static_cast<std::ptrdiff_t>(data.itemsize());
  if (data.ndim() != 1 || data.shape(0) != indices.shape(0) || indptr.shape(0) == 0)
    throw std::invalid_argument("data, indices and indptr must be the parts of one CSC matrix.");
  for (std::size_t f = 0; f + 1 < indptr.shape(0); ++f) {
    const std::int64_t begin = indptr(f), end = indptr(f + 1);
    if (begin < 0 || end < begin || end > static_cast<std::int64_t>(indices.shape(0)))
      throw std::invalid_argument("indptr must be ascending and within data.");
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int32_t row = stored_rows[i];
      if (row < 0 || static_cast<std::size_t>(row) >= view.columns.n_rows || (i > begin && row <= stored_rows[i - 1])) {
        throw std::invalid_argument("indices must be ascending within each column and below n_rows.");
      }
    }
    Column column;
    column.type = type;
    column.sparse = true;
    column.data = static_cast<const std::byte*>(data.data()) + begin * size;
    column.stride = size;
    column.stored_rows = stored_rows + begin;
    column.n_stored = static_cast<std::size_t>(end - begin);
    view.columns.columns.push_back(column);
  }
  view.held.push_back(nb::cast(data));
}

// A column as float64: NaN where missing, the codes of levels.
nb::object numbers_of(const ColumnsView& view, std::size_t column) {
  if (column >= view.columns.size()) throw std::invalid_argument("column must be the number of a column.");
  std::vector<double> out(view.columns.n_rows);
  read_numbers(view.columns[column], 0, out.size(), out.data());
  return to_array(std::move(out));
}

// The same columns, where some have no values.
ColumnsView without(const ColumnsView& view, const std::vector<std::size_t>& places) {
  ColumnsView out = view;
  for (const std::size_t place : places) {
    if (place >= view.columns.size()) throw std::invalid_argument("places must be numbers of columns.");
    Column& column = out.columns.columns[place];
    const std::size_t n = view.columns.n_rows;
    Column empty;
    empty.nominal = column.nominal;
    empty.n_levels = column.n_levels;
    const auto hold = [&](auto value, Type type) {
      std::vector values(n, value);
      empty.type = type;
      empty.data = reinterpret_cast<const std::byte*>(values.data());   // which to_array keeps where they are
      empty.stride = sizeof value;
      out.held.push_back(to_array(std::move(values)));
    };
    if (column.nominal) hold(std::int32_t{-1}, Type::int32);
    else hold(std::numeric_limits<double>::quiet_NaN(), Type::float64);
    column = empty;
  }
  return out;
}

// The same columns of some rows, copied.
ColumnsView of_rows(const ColumnsView& view, View1<std::int64_t> rows) {
  rows = aligned(rows);
  auto copied = std::make_unique<SomeRows>(some_rows(view.columns, {rows.data(), rows.shape(0)}));
  ColumnsView out{copied->columns, {}};
  nb::capsule owner(copied.get(), [](void* p) noexcept { delete static_cast<SomeRows*>(p); });
  copied.release();
  out.held.push_back(owner);
  return out;
}

TargetView classes(View2<std::int32_t> labels, std::vector<std::uint32_t> n_classes,
                   std::optional<View1<double>> weights, std::optional<View1<double>> own_weights) {
  TargetView view;
  view.target.n_rows = labels.shape(0);
  view.target.n_outputs = labels.shape(1);
  if (n_classes.size() != labels.shape(1) || n_classes.empty())
    throw std::invalid_argument("n_classes must have one entry per output.");
  view.target.n_classes = std::move(n_classes);
  view.target.labels = hold(labels, view.held);
  view.hold_weights(weights);
  view.hold_own_weights(own_weights);
  return view;
}

TargetView numbers(View2<double> y, std::optional<View1<double>> weights, std::optional<View1<double>> own_weights) {
  TargetView view;
  view.target.n_rows = y.shape(0);
  view.target.n_outputs = y.shape(1);
  if (y.shape(1) == 0) throw std::invalid_argument("y must have at least one output.");
  view.target.numbers = hold(y, view.held);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!std::isfinite(view.target.numbers[i])) throw std::invalid_argument("y must be finite.");
  }
  view.hold_weights(weights);
  view.hold_own_weights(own_weights);
  return view;
}

}   // namespace

}   // namespace treewright

void register_columns(nanobind::module_& module) {
  using namespace treewright;
  namespace nb = nanobind;
  nb::class_<ColumnsView>(module, "Columns")
      .def(
          "__init__", [](ColumnsView* self, std::size_t n_rows) { new (self) ColumnsView{{n_rows, {}}, {}}; },
          nb::arg("n_rows"))
      .def("add_matrix", &add_matrix, nb::arg("array"))
      .def("add_column", &add_column, nb::arg("values"), nb::arg("missing").none() = nb::none(),
           nb::arg("is_time") = false)
      .def("add_nominal", &add_nominal, nb::arg("codes"), nb::arg("n_levels"))
      .def("add_csc", &add_csc, nb::arg("data"), nb::arg("indices"), nb::arg("indptr"))
      .def("take_for_missing", &take_for_missing, nb::arg("number"))
      .def("numbers", &numbers_of, nb::arg("column"))
      .def("without", &without, nb::arg("places"))
      .def("of_rows", &of_rows, nb::arg("rows"))
      .def_prop_ro("n_rows", [](const ColumnsView& self) { return self.columns.n_rows; })
      .def_prop_ro("n_columns", [](const ColumnsView& self) { return self.columns.size(); });
  nb::class_<TargetView>(module, "Target")
      .def_static("classes", &classes, nb::arg("labels"), nb::arg("n_classes"), nb::arg("weights").none() = nb::none(),
                  nb::arg("own_weights").none() = nb::none())
      .def_static("numbers", &numbers, nb::arg("y"), nb::arg("weights").none() = nb::none(),
                  nb::arg("own_weights").none() = nb::none());
}
